/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cursor changes in a draft: one server, one port, one op or flow carried past its
 * neighbour. Each is answered with the draft in words, or with a sentence why not. */
#ifndef LP_ASK_DRAFT_EDIT_H
#define LP_ASK_DRAFT_EDIT_H

#include "ask/draft/draft.h"
#include "ask/inspect/inspect_step.h"
#include "model/circuit/circuit.h"
#include "model/parallel/decoder.h"

/* The servers of the draft in ascending order: chosen one by one, else those of its price. *out is
 * the caller's (lp_free). Errors: LP_ENOMEM. */
LpErr lp_draft_servers(const LpSession *session, const LpDraft *draft, const LpPrice *price,
                       uint32_t **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* How many the draft needs, 0: that is not known. Errors: those of lp_draft_price. */
LpErr lp_draft_needs(LpSession *session, const LpDraft *draft, uint32_t *count,
                     LpDiag *diag) LP_MUST_USE;
/* The server joins them, or leaves them. Errors: LP_EREFUSED for one that is held, broken or not
 * there, with who holds it until when; LP_ENOMEM. */
LpErr lp_draft_toggle_server(LpSession *session, LpDraft *draft, const LpPrice *price,
                             uint32_t server, LpDiag *diag) LP_MUST_USE;

/* The block of the draft slides so that it begins at this server: of the same shape where blocks
 * have shapes, else the same distances from server to server; on static wiring the box of a slice.
 * Errors: LP_EREFUSED, the draft unchanged, where it does not fit there, with the server that is
 * held, by whom and until when; LP_ENOMEM. */
LpErr lp_draft_slide(LpSession *session, LpDraft *draft, const LpPrice *price, uint32_t server,
                     LpDiag *diag) LP_MUST_USE;

/* Does the job that is due ask for a slice of whole cubes? */
bool lp_draft_by_cubes(const LpSession *session);
/* The cube of this server joins the slice, or leaves it, on switched wiring; on static wiring the
 * slice comes to lie from that cube on. Errors: LP_EREFUSED, the draft unchanged, for a cube that
 * is not usable, and where no box of the slice is free there; LP_ENOMEM. */
LpErr lp_draft_take_cube(LpSession *session, LpDraft *draft, const LpPrice *price, uint32_t server,
                         LpDiag *diag) LP_MUST_USE;

/* Cuts the op of this number into one part more, or less, or the next number of parts that can be,
 * in words beside those of the draft. Errors: LP_EREFUSED, the draft unchanged, where none can be;
 * LP_ENOMEM. A few forecasts. */
LpErr lp_draft_cut_op(LpSession *session, LpDraft *draft, uint32_t number, bool more,
                      LpDiag *diag) LP_MUST_USE;

/* The four numbers of a plan whose product is that of its devices. */
typedef enum LpWayKind {
    LP_WAY_TENSOR,
    LP_WAY_PIPELINE,
    LP_WAY_DATA,
    LP_WAY_CONTEXT,
    LP_WAY_COUNT
} LpWayKind;
const char *lp_way_name(LpWayKind kind); /* "tensor" */
uint32_t lp_way_of(const LpParallel *plan, LpWayKind kind);
/* The plan of the draft, else the policy's. Errors: LP_EREFUSED for a job without plans, those of
 * the words. */
LpErr lp_draft_plan(LpSession *session, const LpDraft *draft, LpParallel *out,
                    LpDiag *diag) LP_MUST_USE;
/* One of them becomes the next larger, or smaller, with which the job can run, up to four times as
 * many; the others stay. Errors: LP_EREFUSED, the draft unchanged, where there is none;
 * LP_ENOMEM. A forecast for each number in between. */
LpErr lp_draft_turn_plan(LpSession *session, LpDraft *draft, LpWayKind kind, bool more,
                         LpDiag *diag) LP_MUST_USE;

/* The server goes to the next aggregator, after the last to the first; where it hangs already is no
 * choice. Errors: LP_EREFUSED where there are none; LP_ENOMEM. */
LpErr lp_draft_turn_server(LpSession *session, LpDraft *draft, uint32_t server,
                           LpDiag *diag) LP_MUST_USE;

/* The matchings of a draft from port to port: those of its words, else what the switches are set to
 * now; entries 0: nothing is lit. *out is the caller's (lp_configure_free). Errors: LP_EREFUSED
 * where no port can be joined to another, those of the words, LP_ENOMEM. */
LpErr lp_draft_matchings(LpSession *session, const LpDraft *draft, LpSchedule *out,
                         LpDiag *diag) LP_MUST_USE;
/* Joins input `in` to output `out` in matching `at`, which takes other circuits of both off there;
 * darkens them where they are joined already. `at` behind the last one begins another matching,
 * held as long as the one before it. A matching without circuits goes. Errors: LP_EREFUSED, the
 * draft unchanged, against the rules of schedules (lp_schedule_check); LP_ENOMEM. */
LpErr lp_draft_join_ports(LpSession *session, LpDraft *draft, uint32_t at, uint32_t in,
                          uint32_t out, LpDiag *diag) LP_MUST_USE;
/* Holds matching `at` for the next longer, or shorter, of 1, 2, 5, 10 ... ms up to 1000 s. Errors:
 * LP_EREFUSED, the draft unchanged, for a matching that takes no turns, and at either end;
 * LP_ENOMEM. */
LpErr lp_draft_hold(LpSession *session, LpDraft *draft, uint32_t at, bool longer,
                    LpDiag *diag) LP_MUST_USE;

/* Carries the bar of an op, or of a flow, before the one in front of it in its row, or behind the
 * next one. price: of the draft; seen: its step. *at: the bar in the step that comes of it. Errors:
 * LP_EREFUSED, the draft unchanged, where one needs the other, is not ready by then or stands at
 * the end; LP_ENOMEM. A few simulations of the step. */
LpErr lp_draft_carry(LpSession *session, LpDraft *draft, const LpPrice *price,
                     const LpStepInspection *seen, uint32_t bar, bool later, uint32_t *at,
                     LpDiag *diag) LP_MUST_USE;

#endif
