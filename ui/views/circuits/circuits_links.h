/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links that jobs share, as every board of them draws them. */
#ifndef LP_UI_VIEWS_CIRCUITS_LINKS_H
#define LP_UI_VIEWS_CIRCUITS_LINKS_H

#include "sim/sharing/links.h"
#include "views/circuits/circuits_view_impl.h"

/* The network of a moment, and what goes over each of its links. */
typedef struct LpLinkBoard {
    const LpModel *model;
    const LpFabric *fabric;
    const LpNetwork *network;
    LpLinkView *link;
    bool ascii;
} LpLinkBoard;

/* Fills in the board; false, and the canvas incomplete, where there is no memory. The caller frees
 * b->link. */
bool lp_links_open(LpLinkBoard *b, const LpModel *model, const LpArea *area);

enum { LP_LINK_NODE = 24 };
/* "leaf 3", "server 5", a site's name. */
void lp_link_node(const LpLinkBoard *b, uint32_t node, char out[LP_LINK_NODE]);
/* How much of its rate is taken, 0..1. */
double lp_link_share(const LpLinkBoard *b, uint32_t link);
/* Draws the share of lp_link_share as the height of one cell; a dot where nothing crosses it. */
void lp_link_bar(const LpLinkBoard *b, const LpArea *area, int x, int y, uint32_t link);
/* The letters of the jobs that send over `link`, in `room` columns ("+": there are more). Returns
 * the column after them. */
int lp_link_letters(const LpLinkBoard *b, const LpArea *area, int x, int y, int room,
                    uint32_t link);
/* Those that carry anything, the fullest first, of equals the lower number; at most `room`. Returns
 * how many. O(links * room). */
uint32_t lp_links_busiest(const LpLinkBoard *b, uint32_t *out, uint32_t room);
/* These as lines. */
void lp_links_list(const LpLinkBoard *b, const LpArea *area);

/* Leaves and spines, bar by bar: in so much room? Drawing takes the lines that it returns. */
bool lp_view_leaves_fit(const LpLinkBoard *b, int width, int height);
int lp_view_leaves(const LpLinkBoard *b, const LpArea *area);
/* Up to four sites as a map. */
bool lp_view_sites_fit(const LpLinkBoard *b, int width, int height);
void lp_view_sites(const LpLinkBoard *b, const LpArea *area);
int lp_view_sites_width(const LpLinkBoard *b, int width, int height); /* columns */
int lp_view_sites_lines(const LpLinkBoard *b, int width, int height); /* that it takes there */

#endif
