/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a lesson that a pod's formulas give, without its jobs: what links of a slice carry,
 * what can be rented while hosts fail. */
#include "ask/pod/value.h"

#include <math.h>
#include <string.h>

#include "ask/pod/pod_report.h"
#include "ask/pod/tables.h"
#include "base/num.h"

/* "slices[4x4x8 twisted].all_to_all_load": cuts out what stands in brackets, and after the point.
 */
static bool cut(const char *path, const char *head, char of[64], const char **key) {
    size_t len = strlen(head), inside;
    if (strncmp(path, head, len) != 0 || path[len] != '[')
        return false;
    inside = strcspn(path + len + 1, "]");
    if (inside + 1 > 64 || path[len + 1 + inside] != ']' || path[len + 2 + inside] != '.')
        return false;
    lp_str_copy(of, inside + 1, path + len + 1);
    *key = path + len + 3 + inside;
    return true;
}

/* NAN: there is no such number. */
static double number_of(const LpFacts *facts, const char *key, const void *record) {
    const LpFact *fact = lp_facts_find(facts, key);
    LpFactValue value = lp_fact_null();
    if (fact != NULL && fact->is == LP_FACT_REAL)
        value = lp_fact_value(facts, fact, record, NULL);
    return value.is == LP_FACT_REAL ? value.real : (double)NAN;
}

static LpErr of_slice(const LpPod *pod, const char *name, const char *key, double *out,
                      LpDiag *diag) {
    LpSlice slice;
    LpSlicePrediction p;
    LP_TRY(lp_slice_read(name, pod, &slice, diag));
    LP_TRY(lp_slice_measure(pod, &slice, 1e9, &p, diag));
    *out = number_of(&lp_slice_facts, key, &p);
    return LP_OK;
}

/* "16 at 0.99": cubes of a slice, and how much a host works. */
static LpErr of_supply(const LpPod *pod, char *text, const char *key, double *out, LpDiag *diag) {
    char *at = strstr(text, " at ");
    LpPodOffer offer = {.supply = {.cubes = pod->cubes, .hosts = 16, .share = 0.97}};
    uint64_t of;
    if (at != NULL)
        *at = '\0';
    if (at == NULL || lp_num_parse_u64(text, &of, NULL) != LP_OK || of > pod->cubes ||
        lp_num_parse(at + 4, &offer.supply.up, NULL) != LP_OK)
        return lp_fail(diag, LP_EINVAL,
                       "supply[...]: expected cubes of a slice and a host's share of time that it "
                       "works, as in supply[16 at 0.99].switched");
    offer.supply.of = (uint32_t)of;
    LP_TRY(lp_pod_capacity(&offer.supply, &offer.switched, &offer.fixed, diag));
    *out = number_of(&lp_capacity_facts, key, &offer);
    return LP_OK;
}

LpErr lp_pod_value(const LpPod *pod, const char *path, LpBuf *out, bool *done, LpDiag *diag) {
    char of[64], text[LP_NUM_TEXT];
    const char *key;
    double value = (double)NAN;
    bool slice = cut(path, "slices", of, &key);
    *done = slice || cut(path, "supply", of, &key);
    if (!*done)
        return LP_OK;
    LP_TRY(slice ? of_slice(pod, of, key, &value, diag) : of_supply(pod, of, key, &value, diag));
    if (isnan(value))
        return lp_fail(diag, LP_EINVAL, "there is no result \"%s\" of a pod", path);
    lp_buf_add(out, lp_num_print(value, text));
    return lp_buf_ok(out, diag);
}
