/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light paths one by one, where groups have transmitters: as a matrix of servers, and as a list. */
#ifndef LP_UI_VIEWS_CIRCUITS_SPREAD_H
#define LP_UI_VIEWS_CIRCUITS_SPREAD_H

#include "views/circuits/circuits_view_impl.h"

/* Which transmitters are lines: all, or those of one group. */
enum { LP_SPREAD_ALL = -1 };

/* How a matrix is cut out. */
typedef struct LpSpread {
    uint32_t first, lines; /* servers that send */
    uint32_t from, groups; /* groups of receivers that are columns */
    int pitch;             /* columns of a receiver: 2 with a bar, 1 */
    int gap, rack_gap;     /* columns between groups, between racks */
    int width;             /* columns in all */
} LpSpread;

/* Fits the matrix into `width` columns and `height` lines. `group` has the senders; LP_SPREAD_ALL:
 * all send. Where not all receivers have room, only the cursor's group is shown. Returns false if
 * the matrix does not fit even so. */
bool lp_spread_plan(const LpModel *model, int group, int width, int height, LpSpread *out);
/* Heading, two lines of names, and a line for each sender. O(lines * log paths + paths shown), for
 * each running job. */
void lp_view_spread(const LpModel *model, const LpArea *area, int group);

/* Transmitters of a group, or of all, in words: held, lit, towards whom, on which wavelength. */
void lp_view_senders(const LpModel *model, const LpArea *area, int group);

/* The first of a job's paths that a server sends on; `paths` where it sends none. O(log paths). */
uint32_t lp_spread_first(const LpRunning *job, uint32_t server);

#endif
