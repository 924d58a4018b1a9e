/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a run by the path at which `run --json` prints them. */
#include <math.h>
#include <string.h>

#include "ask/pod/value.h"
#include "base/num.h"
#include "io/json/json.h"
#include "many/study/lesson_impl.h"
#include "say/report.h"
#include "sim/facts/metric.h"

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

static LpErr add_value(const LpJson *doc, const char *path, const char *told, LpBuf *out,
                       LpDiag *diag) {
    LpJsonValue value = value_at(doc, path);
    char shown[80];
    if (value.item == NULL)
        return lp_fail(diag, LP_EINVAL,
                       "there is no result \"%s\": expected a path into what run --json prints, "
                       "such as summary.blocking_rate or jobs[0].jct",
                       lp_str_show(shown, sizeof shown, told));
    if (lp_json_kind(value) == LP_JSON_TEXT)
        lp_buf_add(out, lp_json_text(value));
    else
        lp_json_print(value, out);
    return lp_buf_ok(out, diag);
}

/* Adds the value at a path of a text of JSON; an error names the path as it was `told`. */
static LpErr add_from_text(const LpBuf *text, const char *path, const char *told, LpBuf *out,
                           LpDiag *diag) {
    LpJson *doc = NULL;
    LP_TRY(lp_json_parse("result", lp_buf_text(text), text->len, &doc, diag));
    LpErr err = add_value(doc, path, told, out, diag);
    lp_json_free(doc);
    return err;
}

/* "summary.held": the jobs need not be printed to read a sum. */
static LpErr add_from_summary(const LpSession *session, const char *path, LpBuf *out,
                              LpDiag *diag) {
    LpBuf text = {0};
    LpErr err = lp_report_summary(session, &text, diag);
    if (err == LP_OK)
        err = add_from_text(&text, path, path, out, diag);
    lp_buf_fini(&text);
    return err;
}

/* "jobs[7].jct": the others need not be printed to read one. *done: it was such a path. */
static LpErr add_job(const LpSession *session, const char *path, LpBuf *out, bool *done,
                     LpDiag *diag) {
    char digits[24];
    uint64_t job;
    size_t len = strncmp(path, "jobs[", 5) == 0 ? strcspn(path + 5, "]") : 0;
    LpBuf text = {0};
    lp_str_copy(digits, len + 1 < sizeof digits ? len + 1 : sizeof digits, len > 0 ? path + 5 : "");
    *done = len > 0 && path[5 + len] == ']' && path[6 + len] == '.' &&
            lp_num_parse_u64(digits, &job, NULL) == LP_OK &&
            job < lp_world_jobs(lp_session_world(session));
    if (!*done)
        return LP_OK;
    bool known = false;
    if (path[7 + len] != '\0')
        LP_TRY(lp_report_fact(session, (uint32_t)job, path + 7 + len, out, &known, diag));
    if (known)
        return LP_OK;
    LpErr err = lp_report_job(session, (uint32_t)job, &text, diag);
    if (err == LP_OK)
        err = add_from_text(&text, path + 7 + len, path, out, diag);
    lp_buf_fini(&text);
    return err;
}

/* "jobs[degree=8]": how many. *done: it was such a path, with a key that all jobs have. */
static LpErr add_count(const LpSession *session, const char *path, LpBuf *out, bool *done,
                       LpDiag *diag) {
    char key[64], value[160];
    const char *equals = strchr(path, '=');
    size_t len = strlen(path);
    uint32_t count = 0;
    *done = false;
    if (strncmp(path, "jobs[", 5) != 0 || equals == NULL || path[len - 1] != ']' ||
        (size_t)(equals - path) - 5 >= sizeof key || len - (size_t)(equals - path) >= sizeof value)
        return LP_OK;
    lp_str_copy(key, (size_t)(equals - path) - 4, path + 5);
    lp_str_copy(value, len - (size_t)(equals - path) - 1, equals + 1);
    LP_TRY(lp_report_count(session, key, value, done, &count, diag));
    if (*done)
        lp_buf_addf(out, "%u", (unsigned)count);
    return lp_buf_ok(out, diag);
}

/* Most ask for a statistic: then nothing needs to be printed and read again. */
static bool add_metric(const LpSession *session, const char *path, LpBuf *out, LpErr *err,
                       LpDiag *diag) {
    const LpFact *fact =
        strncmp(path, "summary.", 8) == 0 ? lp_facts_find(&lp_summary_facts, path + 8) : NULL;
    LpSummary summary;
    if (fact == NULL)
        return false;
    *err =
        lp_metrics_summary(lp_session_world(session), lp_session_context(session), &summary, diag);
    LpFactValue value =
        *err == LP_OK ? lp_fact_value(&lp_summary_facts, fact, &summary, NULL) : lp_fact_null();
    lp_fact_print(&value, out);
    return true;
}

LpErr lp_lesson_result(const LpSession *session, LpBuf *whole, const char *path, LpBuf *out,
                       LpDiag *diag) {
    LpErr err = LP_OK;
    bool done = false;
    if (add_metric(session, path, out, &err, diag))
        return err == LP_OK ? lp_buf_ok(out, diag) : err;
    LP_TRY(add_job(session, path, out, &done, diag));
    if (!done)
        LP_TRY(add_count(session, path, out, &done, diag));
    const LpFabric *fabric = &lp_session_context(session)->fabric;
    if (!done && fabric->ops->slices)
        LP_TRY(lp_pod_value(&fabric->cluster->pod.net, path, out, &done, diag));
    if (done)
        return LP_OK;
    if (strncmp(path, "summary.", 8) == 0)
        return add_from_summary(session, path, out, diag);
    if (whole->len == 0)
        LP_TRY(lp_report_whole(session, LP_REPORT_JSON, whole, diag));
    return add_from_text(whole, path, path, out, diag);
}
