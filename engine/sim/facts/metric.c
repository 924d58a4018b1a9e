/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/metric.h"

#define X(id, key, field, heading, dim)                                                            \
    {key, heading, dim, offsetof(LpSummary, field),                                                \
     _Generic(((LpSummary *)NULL)->field, uint64_t                                                 \
              : true, default                                                                      \
              : false)},
static const struct {
    const char *key, *heading;
    LpDimension dim;
    size_t offset; /* in LpSummary, */
    bool counts;   /* of an uint64_t, else of a double */
} metrics[] = {LP_METRICS(X)};
#undef X

const char *lp_metric_key(LpMetric m) {
    return metrics[m].key;
}

const char *lp_metric_heading(LpMetric m) {
    return metrics[m].heading;
}

LpDimension lp_metric_dimension(LpMetric m) {
    return metrics[m].dim;
}

double lp_metric_value(const LpSummary *s, LpMetric m) {
    const void *field = (const char *)s + metrics[m].offset;
    return metrics[m].counts ? (double)*(const uint64_t *)field : *(const double *)field;
}

void lp_metric_set(LpSummary *s, LpMetric m, double value) {
    void *field = (char *)s + metrics[m].offset;
    if (metrics[m].counts)
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
