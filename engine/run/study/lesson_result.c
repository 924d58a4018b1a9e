/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a run by the path at which `run --json` prints them. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "io/json/json.h"
#include "run/report/report.h"
#include "run/study/lesson_impl.h"
#include "sim/metric.h"

/* ---- values of a result ---- */

/* Follows "jobs[0].step_time" from the root; NOTHING where it does not lead. */
static LpJsonValue value_at(const LpJson *doc, const char *path) {
    LpJsonValue at = lp_json_root(doc);
    while (*path != '\0' && at.item != NULL) {
        char name[64];
        size_t len = strcspn(path, ".[");
        if (len > 0) {
            lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, path);
            at = lp_json_member(at, name);
        }
        path += len;
        if (*path == '[') {
            uint64_t index = 0;
            size_t digits = strcspn(path + 1, "]");
            lp_str_copy(name, digits + 1 < sizeof name ? digits + 1 : sizeof name, path + 1);
            if (path[1 + digits] != ']' || lp_num_parse_u64(name, &index, NULL) != LP_OK)
                return (LpJsonValue){0};
            for (at = lp_json_first(at); at.item != NULL && index > 0; index--)
                at = lp_json_next(at);
            path += digits + 2;
        }
        path += *path == '.';
    }
    return at;
}

/* Is the value what a path says, "8" or "completed"? */
static bool says(LpJsonValue value, const char *text, size_t len) {
    LpBuf own = {0};
    if (lp_json_kind(value) == LP_JSON_TEXT)
        lp_buf_add(&own, lp_json_text(value));
    else if (value.item != NULL)
        lp_json_print(value, &own);
    bool same = own.len == len && strncmp(lp_buf_text(&own), text, len) == 0;
    lp_buf_fini(&own);
    return same;
}

/* How many entries there are of which "jobs[degree=8]" holds. False for a path of another form. */
static bool count_at(const LpJson *doc, const char *path, uint32_t *count) {
    char name[64];
    const char *key = strchr(path, '['), *equals = strchr(path, '='), *end = strchr(path, ']');
    if (key == NULL || equals == NULL || end == NULL || equals < key || end < equals ||
        end[1] != '\0' || (size_t)(equals - key) > sizeof name)
        return false;
    lp_str_copy(name,
                (size_t)(key - path) + 1 < sizeof name ? (size_t)(key - path) + 1 : sizeof name,
                path);
    LpJsonValue list = lp_json_member(lp_json_root(doc), name);
    lp_str_copy(name, (size_t)(equals - key), key + 1);
    *count = 0;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        *count += says(lp_json_member(v, name), equals + 1, (size_t)(end - equals - 1)) ? 1 : 0;
    return list.item != NULL;
}

/* The part of a result that the path leads into: most ask for sums, then the jobs are not read. */
static void relevant(const LpBuf *result, const char *path, LpBuf *out) {
    const char *text = lp_buf_text(result);
    const char *sums = strncmp(path, "summary.", 8) == 0 ? strstr(text, "\"summary\":") : NULL;
    lp_buf_addf(out, "%s%s", sums != NULL ? "{" : "", sums != NULL ? sums : text);
}

static LpErr add_value(const LpJson *doc, const char *path, LpBuf *out, LpDiag *diag) {
    LpJsonValue value = value_at(doc, path);
    char shown[80];
    uint32_t count;
    if (value.item == NULL && count_at(doc, path, &count)) {
        lp_buf_addf(out, "%u", (unsigned)count);
        return lp_buf_ok(out, diag);
    }
    if (value.item == NULL)
        return lp_fail(diag, LP_EINVAL,
                       "there is no result \"%s\": expected a path into what run --json prints, "
                       "such as summary.blocking_rate or jobs[0].jct",
                       lp_str_show(shown, sizeof shown, path));
    if (lp_json_kind(value) == LP_JSON_TEXT)
        lp_buf_add(out, lp_json_text(value));
    else
        lp_json_print(value, out);
    return lp_buf_ok(out, diag);
}

static LpErr add_from_whole(const LpBuf *result, const char *path, LpBuf *out, LpDiag *diag) {
    LpJson *doc = NULL;
    LpBuf text = {0};
    relevant(result, path, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_json_parse("result", lp_buf_text(&text), text.len, &doc, diag);
    if (err == LP_OK)
        err = add_value(doc, path, out, diag);
    lp_json_free(doc);
    lp_buf_fini(&text);
    return err;
}

/* Most ask for a statistic: then nothing needs to be printed and read again. */
static bool add_metric(const LpSession *session, const char *path, LpBuf *out, LpErr *err,
                       LpDiag *diag) {
    LpSummary summary;
    char text[LP_NUM_TEXT];
    for (int m = 0; strncmp(path, "summary.", 8) == 0 && m < LP_METRIC_COUNT; m++) {
        if (strcmp(path + 8, lp_metric_key((LpMetric)m)) != 0)
            continue;
        *err = lp_metrics_summary(lp_session_world(session), lp_session_context(session), &summary,
                                  diag);
        double value = *err == LP_OK ? lp_metric_value(&summary, (LpMetric)m) : 0;
        lp_buf_add(out, isfinite(value) ? lp_num_print(value, text) : "null");
        return true;
    }
    return false;
}

LpErr lp_lesson_result(const LpSession *session, LpBuf *whole, const char *path, LpBuf *out,
                       LpDiag *diag) {
    LpErr err = LP_OK;
    if (add_metric(session, path, out, &err, diag))
        return err == LP_OK ? lp_buf_ok(out, diag) : err;
    if (whole->len == 0)
        LP_TRY(lp_report_whole(session, LP_REPORT_JSON, whole, diag));
    return add_from_whole(whole, path, out, diag);
}
