/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites far apart, as boards name them. */
#ifndef LP_UI_BOARD_SITE_H
#define LP_UI_BOARD_SITE_H

#include "moment/picture/model.h"

typedef struct LpBoardSite {
    const char *name;
    uint32_t begin, end; /* its servers are begin .. end - 1 */
    uint32_t free;       /* of these */
} LpBoardSite;

/* Asks for a site of a board whose racks are sites. O(servers of the site). */
LpBoardSite lp_board_site(const LpModel *model, uint32_t site);
uint32_t lp_board_site_most(const LpModel *model); /* servers of the largest, at least 1 */
int lp_board_site_width(const LpModel *model);     /* columns of the longest name, and a blank */
/* The cable of a server at a site where not all are alike, as it is now; false elsewhere. */
bool lp_board_site_cable(const LpModel *model, uint32_t server, LpNetworkWay *cable);

#endif
