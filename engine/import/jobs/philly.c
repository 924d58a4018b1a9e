/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Microsoft's Philly, 2017 (msr-fiddle/philly-traces, cluster_job_log): a list in JSON of over
 * 100 MB. A job may have been tried several times, on other servers each time. */
#include <string.h>

#include "base/mem.h"
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"
#include "import/rows/json_list.h"

static const double HOUR = 3600;

/* What the attempts of a job come to. */
typedef struct Attempts {
    int64_t first_start, last_end;
    bool started, ended; /* are those two known? */
    double held;         /* s in all attempts */
    size_t count, untimed;
    size_t gpus, machines; /* of the first attempt */
    bool vary;             /* others had another number of GPUs */
} Attempts;

static LpErr member(LpJsonValue object, const char *key, LpJsonValue *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(object, LP_JSON_OBJECT, diag));
    *out = lp_json_member(object, key);
    if (lp_json_kind(*out) == LP_JSON_NOTHING)
        return lp_json_fail(object, diag, LP_EPARSE, "no key \"%s\"", key);
    return LP_OK;
}

static LpErr list_of(LpJsonValue object, const char *key, LpJsonValue *out, LpDiag *diag) {
    LP_TRY(member(object, key, out, diag));
    return lp_json_expect(*out, LP_JSON_LIST, diag);
}

/* NULL: the trace has null, or the word None, or nothing in quotes. */
static LpErr text_of(LpJsonValue object, const char *key, const char **out, LpDiag *diag) {
    LpJsonValue value;
    LP_TRY(member(object, key, &value, diag));
    *out = NULL;
    if (lp_json_kind(value) == LP_JSON_NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const char *text = lp_json_text(value);
    *out = text[0] != '\0' && strcmp(text, "None") != 0 ? text : NULL;
    return LP_OK;
}

static LpErr time_of(LpJsonValue object, const char *key, int64_t *ns, bool *known, LpDiag *diag) {
    char shown[64];
    const char *text;
    LP_TRY(text_of(object, key, &text, diag));
    *known = text != NULL;
    if (text == NULL || lp_when_parse(text, ns, NULL))
        return LP_OK;
    return lp_json_fail(lp_json_member(object, key), diag, LP_EPARSE,
                        "%s is \"%s\", which is no time such as 2017-10-07 01:11:39", key,
                        lp_str_show(shown, sizeof shown, text));
}

static LpErr count_gpus(LpJsonValue attempt, size_t *gpus, size_t *machines, LpDiag *diag) {
    LpJsonValue detail, list;
    LP_TRY(list_of(attempt, "detail", &detail, diag));
    *gpus = *machines = 0;
    for (LpJsonValue machine = lp_json_first(detail); lp_json_kind(machine) != LP_JSON_NOTHING;
         machine = lp_json_next(machine)) {
        LP_TRY(list_of(machine, "gpus", &list, diag));
        *gpus += lp_json_count(list);
        (*machines)++;
    }
    return LP_OK;
}

static LpErr read_attempt(LpJsonValue attempt, Attempts *all, LpDiag *diag) {
    int64_t start, end;
    bool started, ended;
    size_t gpus, machines;
    LP_TRY(time_of(attempt, "start_time", &start, &started, diag));
    LP_TRY(time_of(attempt, "end_time", &end, &ended, diag));
    LP_TRY(count_gpus(attempt, &gpus, &machines, diag));
    if (all->count == 0) {
        all->started = started;
        all->first_start = started ? start : 0;
        all->gpus = gpus;
        all->machines = machines;
    }
    all->ended = ended;
    all->last_end = ended ? end : 0;
    all->vary = all->vary || gpus != all->gpus;
    if (started && ended)
        all->held += lp_ns_between(start, end);
    else
        all->untimed++;
    all->count++;
    return LP_OK;
}

static const char *state_of(const char *status) {
    static const char *const states[][2] = {
        {"Pass", "completed"}, {"Killed", "cancelled"}, {"Failed", "failed"}};
    for (size_t i = 0; status != NULL && i < LP_COUNTOF(states); i++)
        if (strcmp(status, states[i][0]) == 0)
            return states[i][1];
    return status;
}

static LpLeft left_out(const Attempts *all) {
    return all->count == 0  ? LP_LEFT_NO_ATTEMPT
           : !all->started  ? LP_LEFT_NO_START
           : !all->ended    ? LP_LEFT_NO_END
           : all->gpus == 0 ? LP_LEFT_NO_GPUS
                            : LP_LEFT_COUNT;
}

/* `span`: GPU seconds from first starts to last ends, to which this job's are added. */
static LpErr read_job(LpReading *reading, LpJsonValue entry, double *span, LpDiag *diag) {
    const char *status;
    LpJsonValue attempts;
    LpTraceJob job = {0};
    Attempts all = {0};
    bool submitted;
    LP_TRY(text_of(entry, "status", &status, diag));
    LP_TRY(text_of(entry, "vc", &job.group, diag));
    LP_TRY(text_of(entry, "jobid", &job.id, diag));
    LP_TRY(text_of(entry, "user", &job.user, diag));
    LP_TRY(time_of(entry, "submitted_time", &job.submit_ns, &submitted, diag));
    LP_TRY(list_of(entry, "attempts", &attempts, diag));
    for (LpJsonValue attempt = lp_json_first(attempts); lp_json_kind(attempt) != LP_JSON_NOTHING;
         attempt = lp_json_next(attempt))
        LP_TRY(read_attempt(attempt, &all, diag));
    LpLeft left = left_out(&all);
    if (left == LP_LEFT_COUNT && !submitted)
        return lp_json_fail(lp_json_member(entry, "submitted_time"), diag, LP_EPARSE,
                            "submitted_time is none, but the job ran: expected a time");
    if (left == LP_LEFT_COUNT) {
        lp_rows_note(reading->rows, "gpus_vary_between_attempts", all.vary);
        lp_rows_note(reading->rows, "attempts_without_times", all.untimed);
        if (all.held <= 0)
            left = LP_LEFT_ZERO_DURATION;
    }
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    lp_rows_note(reading->rows, "jobs_of_several_attempts", all.count > 1);
    *span += (double)all.gpus * lp_ns_between(all.first_start, all.last_end);
    job.state = state_of(status);
    job.duration = all.held;
    job.nodes = (uint32_t)all.machines; /* an entry is far shorter than 2^32 */
    job.gpus = (double)all.gpus;
    job.servers = reading->options->unit == LP_UNIT_NODE ? job.nodes : (uint32_t)all.gpus;
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_jobs(LpReading *reading, LpJsonList *list, double *span, LpDiag *diag) {
    LpJsonValue entry;
    bool more;
    for (;;) {
        LP_TRY(lp_json_list_next(list, &entry, &more, diag));
        if (!more)
            return LP_OK;
        LpErr err = read_job(reading, entry, span, diag);
        if (err == LP_EPARSE || err == LP_EINVAL) {
            lp_json_list_place(list, diag);
            err = lp_rows_bad(reading->rows, reading->options->lenient, diag);
        }
        LP_TRY(err);
    }
}

static LpErr read_philly(LpReading *reading, LpDiag *diag) {
    LpJsonList *list;
    double span = 0;
    if (reading->options->unit == LP_UNIT_CPU)
        return lp_fail(diag, LP_EINVAL,
                       "--unit cpu: the trace says nothing of processors, expected gpu or node");
    lp_rows_dated(reading->rows);
    lp_rows_assume(reading->rows, LP_ASSUME_LOCAL);
    lp_rows_assume(reading->rows, "a job of several attempts runs through: for the sum of their "
                                  "times, on the GPUs of the first");
    LP_TRY(lp_json_list_open(reading->file[0], lp_import_limit(reading->options), "jobs", &list,
                             diag));
    LpErr err = read_jobs(reading, list, &span, diag);
    lp_json_list_close(list);
    LP_TRY(err);
    return lp_rows_figure(reading->rows, "gpu_hours_first_start_to_last_end", span / HOUR, diag);
}

static bool is_philly(const LpHead *head) {
    return lp_head_begins(head, "[") && lp_head_has(head, "\"attempts\"");
}

const LpFormat lp_format_philly = {.name = "philly",
                                   .what = "jobs of Microsoft, 2017: cluster_job_log of Philly",
                                   .makes = LP_MAKES_JOBS,
                                   .least = 1,
                                   .most = 1,
                                   .is = is_philly,
                                   .read = read_philly};
