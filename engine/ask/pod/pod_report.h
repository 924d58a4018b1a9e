/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a slice as a network, as JSON and as text. */
#ifndef LP_ASK_POD_POD_REPORT_H
#define LP_ASK_POD_POD_REPORT_H

#include "base/fact.h"
#include "session/pod/pod_predict.h"

/* The row of its JSON, but its rings. The record is an LpSlicePrediction, around it room for a text
 * of LP_SLICE_TEXT. */
extern const LpFacts lp_slice_facts;

/* Appends {"lightpath":1,"rows":[{...}]} and a newline, in SI units. */
void lp_slice_json(const LpSlicePrediction *prediction, LpBuf *out);
/* Appends the same figures for people. */
void lp_slice_text(const LpSlicePrediction *prediction, LpBuf *out);

#endif
