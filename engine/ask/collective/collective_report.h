/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective`: calculators of light that turns inside a collective. One word of
 * KEY=VALUE pairs says what is asked; one of its keys says which calculator answers. */
#ifndef LP_ASK_COLLECTIVE_REPORT_H
#define LP_ASK_COLLECTIVE_REPORT_H

#include "base/str.h"
#include "model/collective/coll_plan.h"

/* The least time by delay, for each kind of orders. */
typedef struct LpCollCurves {
    double most; /* the longest delay that was asked for */
    LpCollPiece *piece[LP_COLL_ORDERS_COUNT];
    uint32_t pieces[LP_COLL_ORDERS_COUNT];
} LpCollCurves;

typedef struct LpCollReport LpCollReport;

/* The answer to "KEY=VALUE ..." at the delays of a list such as "0,10us,mixnet". Errors: LP_EINVAL,
 * LP_ELIMIT name the key, what stands there and what was expected; LP_ENOMEM. */
LpErr lp_coll_report_make(const char *words, const char *delays, LpCollReport **out,
                          LpDiag *diag) LP_MUST_USE;
void lp_coll_report_free(LpCollReport *report); /* NULL allowed */
/* Appends {"lightpath":1,...} and a newline; `each`: with every step. */
void lp_coll_report_json(const LpCollReport *report, bool each, LpBuf *out);
/* Appends tables for people. */
void lp_coll_report_text(const LpCollReport *report, bool each, bool ascii, LpBuf *out);
/* What can be drawn as curves, owned by the report; NULL where there is none. */
const LpCollCurves *lp_coll_report_curves(const LpCollReport *report);

#endif
