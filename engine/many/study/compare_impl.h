/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of comparisons; private to many/. */
#ifndef LP_MANY_STUDY_COMPARE_IMPL_H
#define LP_MANY_STUDY_COMPARE_IMPL_H

#include "many/study/compare.h"
#include "many/study/paired.h"

/* A variant's values of one metric, one per seed, NAN where there is none. */
void lp_compare_values(const LpBatch *batch, uint32_t variant, LpMetric metric, double *out);
/* What the variant's policy took, over its runs; no text. */
LpPolicyRecord lp_compare_record(const LpBatch *batch, uint32_t variant);
/* "seeds"; "policies", the labels of the first variants. */
void lp_compare_put_seeds(LpJsonOut *out, const LpBatch *batch);
void lp_compare_put_policies(LpJsonOut *out, const LpBatch *batch, uint32_t policies);

#endif
