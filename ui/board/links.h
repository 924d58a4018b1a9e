/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links that jobs share, as every board of them draws them. */
#ifndef LP_UI_BOARD_LINKS_H
#define LP_UI_BOARD_LINKS_H

#include "moment/picture/model.h"
#include "sim/sharing/links.h"
#include "term/canvas.h"

/* The network of a moment, and what goes over each of its links. */
typedef struct LpLinkBoard {
    const LpModel *model;
    const LpBoardPlan *plan;
    const LpFabric *fabric; /* as it is now: circuits come and go */
    const LpNetwork *network;
    const LpLinkSums *sums;
    const LpLinkView *link; /* of the sums */
    bool ascii;
} LpLinkBoard;

/* Fills in the board, which is good until another one is opened for this model: what goes over the
 * links is summed once for all that draw them, and again when the world has changed. False, and the
 * canvas incomplete, where there is no memory. */
bool lp_links_open(LpLinkBoard *b, const LpModel *model, const LpArea *area);

/* "leaf 3 to spine 0" */
void lp_link_name(const LpLinkBoard *b, uint32_t link, LpBuf *out);
/* "leaf 3 to spine 0 100 %" */
void lp_link_say(const LpLinkBoard *b, uint32_t link, LpBuf *out);
/* How much of its rate is taken, 0..1. */
double lp_link_share(const LpLinkBoard *b, uint32_t link);
/* Draws the share of lp_link_share as the height of one cell; a dot where nothing crosses it. */
void lp_link_bar(const LpLinkBoard *b, const LpArea *area, int x, int y, uint32_t link);
/* The letters of the jobs that send over `link`, in `room` columns ("+": there are more). Returns
 * the column after them. */
int lp_link_letters(const LpLinkBoard *b, const LpArea *area, int x, int y, int room,
                    uint32_t link);
/* A server at the end of links: the letter of its job. */
void lp_link_server(const LpModel *model, const LpArea *area, int x, int y, uint32_t server);
/* Those that carry anything, the fullest first, of equals the lower number; at most `room`. Returns
 * how many. O(links that carry anything * room). */
uint32_t lp_links_busiest(const LpLinkBoard *b, uint32_t *out, uint32_t room);

/* ---- how they are shown ---- */

/* The first look of the plan that has room, LIST at last; map: may it be the map? */
LpBoardLook lp_links_look(const LpLinkBoard *b, int width, int height, bool map);
/* The heading of a look that is drawn in so much room. */
void lp_links_title(const LpLinkBoard *b, LpBoardLook look, int width, int height, LpBuf *out);
void lp_links_draw(const LpLinkBoard *b, LpBoardLook look, const LpArea *area);

/* Each look: is there room, and drawing, which returns the lines that it takes. */
int lp_board_list(const LpLinkBoard *b, const LpArea *area);
bool lp_board_matrix_fits(const LpLinkBoard *b, int width, int height);
int lp_board_matrix(const LpLinkBoard *b, const LpArea *area);
bool lp_board_leaves_fit(const LpLinkBoard *b, int width, int height);
/* Rows that the picture fills in `width` columns, at most `most`; 0: it has no room, or is none. */
int lp_board_leaves_tall(const LpBoardPlan *plan, int width, int most);
int lp_board_leaves(const LpLinkBoard *b, const LpArea *area);
bool lp_board_ways_fit(const LpLinkBoard *b, int width, int height);
int lp_board_ways(const LpLinkBoard *b, const LpArea *area);
bool lp_board_map_fits(const LpLinkBoard *b, int width, int height);
int lp_board_map(const LpLinkBoard *b, const LpArea *area);

void lp_board_ways_title(const LpLinkBoard *b, int width, int height, LpBuf *out);
int lp_board_ways_lines(const LpLinkBoard *b); /* that it wants at least */
/* Columns and lines that the map takes there. */
LpRect lp_board_map_size(const LpLinkBoard *b, int width, int height);

#endif
