/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/metric.h"

#define X(id, key, field, heading, dim, meaning)                                                   \
    {key,     LP_FACT_REAL,           dim,                                                         \
     meaning, LP_TO_JSON | LP_TO_CSV, .member = LP_FACT_MEMBER(LpSummary, field)},
static const LpFact of_summary[] = {LP_METRICS(X)};
#undef X
const LpFacts lp_summary_facts = {"summary", of_summary, LP_COUNTOF(of_summary), NULL};

const char *lp_metric_key(LpMetric m) {
    return of_summary[m].key;
}

const char *lp_metric_heading(LpMetric m) {
#define X(id, key, field, heading, dim, meaning) heading,
    static const char *const headings[] = {LP_METRICS(X)};
#undef X
    return headings[m];
}

LpDimension lp_metric_dimension(LpMetric m) {
    return of_summary[m].dimension;
}

double lp_metric_value(const LpSummary *s, LpMetric m) {
    return lp_fact_value(&lp_summary_facts, &of_summary[m], s, NULL).real;
}

void lp_metric_set(LpSummary *s, LpMetric m, double value) {
    void *field = (char *)s + of_summary[m].member.offset;
    if (of_summary[m].member.kind == LP_MEMBER_U64)
        *(uint64_t *)field = value >= 0 && value < 0x1p53 ? (uint64_t)value : 0;
    else
        *(double *)field = value;
}

void lp_summary_json(LpJsonOut *out, const LpSummary *s, const LpMetric *metric, size_t count) {
    for (size_t i = 0; i < count; i++)
        lp_json_put_number(out, lp_metric_key(metric[i]), lp_metric_value(s, metric[i]));
}

void lp_summary_json_causes(LpJsonOut *out, const LpSummary *s) {
    lp_json_open(out, "blocked_by", '{');
    for (int c = 0; c < LP_CAUSE_COUNT; c++)
        if (s->blocked_by[c] > 0 && lp_cause_code((LpCause)c) != NULL)
            lp_json_put_count(out, lp_cause_code((LpCause)c), s->blocked_by[c]);
    lp_json_close(out, '}');
}
