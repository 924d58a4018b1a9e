/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a study's JSON, which anybody may have changed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/files/file.h"
#include "io/json/json.h"
#include "many/experiment/study.h"

/* Where a mean belongs. */
typedef struct Place {
    const char *agent, *beta, *fabric;
    double interarrival;
} Place;

/* What is gathered before the number of points and agents is known. */
typedef struct Mean {
    uint32_t point, agent;
    LpEstimate value[LP_STUDY_SHOWN];
    double bound;
    LpJsonValue at;
} Mean;

typedef struct Reader {
    LpStudyData *data;
    Place place[LP_STUDY_POINTS];
    Mean *mean;
    uint32_t means;
    bool axis;  /* points are times between arrivals */
    bool mixed; /* points are of several distributions, each of which has agents of its own then */
} Reader;

/* ---- values ---- */

static LpErr need(LpJsonValue object, const char *key, LpJsonKind kind, LpJsonValue *out,
                  LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, key);
    if (lp_json_kind(value) == LP_JSON_NOTHING)
        return lp_json_fail(object, diag, LP_EINVAL, "\"%s\" is missing", key);
    LP_TRY(lp_json_expect(value, kind, diag));
    *out = value;
    return LP_OK;
}

/* null: NAN. */
static LpErr read_number(LpJsonValue object, const char *key, double *out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, key);
    *out = (double)NAN;
    if (lp_json_kind(value) == LP_JSON_NOTHING || lp_json_kind(value) == LP_JSON_NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(value, LP_JSON_NUMBER, diag));
    *out = lp_json_number(value);
    return LP_OK;
}

static LpErr read_estimate(LpJsonValue mean, const char *key, LpEstimate *out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(mean, key), n;
    uint64_t count;
    *out = (LpEstimate){0, (double)NAN, (double)NAN};
    if (lp_json_kind(value) == LP_JSON_NOTHING)
        return LP_OK;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LP_TRY(need(value, "n", LP_JSON_NUMBER, &n, diag));
    LP_TRY(lp_json_u64(n, 0, UINT32_MAX, &count, diag));
    LP_TRY(read_number(value, "mean", &out->mean, diag));
    LP_TRY(read_number(value, "half_width", &out->half, diag));
    out->n = (uint32_t)count;
    return LP_OK;
}

static const char *text_or_empty(LpJsonValue object, const char *key) {
    const char *text = lp_json_text(lp_json_member(object, key));
    return text != NULL ? text : "";
}

/* ---- which point, which agent ---- */

static LpErr find_agent(Reader *r, LpJsonValue name, const char *beta, uint32_t *out,
                        LpDiag *diag) {
    LpStudyData *d = r->data;
    char text[256];
    snprintf(text, sizeof text, r->mixed ? "%.200s, beta %.8s" : "%.200s", lp_json_text(name),
             beta);
    for (*out = 0; *out < d->agents; (*out)++)
        if (strcmp(d->agent[*out], text) == 0)
            return LP_OK;
    if (d->agents == LP_STUDY_AGENTS)
        return lp_json_fail(name, diag, LP_ELIMIT, "more than %d agents", LP_STUDY_AGENTS);
    d->agent[d->agents] = lp_arena_strdup(d->arena, text);
    return d->agent[d->agents++] != NULL ? LP_OK : lp_fail_memory(diag, "a study");
}

static void label(const Reader *r, const Place *place, LpStudyPoint *out) {
    out->interarrival = place->interarrival;
    if (r->axis)
        snprintf(out->label, sizeof out->label, "%.6g s", place->interarrival);
    else
        lp_str_copy(out->label, sizeof out->label, place->beta);
}

static LpErr find_point(Reader *r, LpJsonValue mean, const Place *place, uint32_t *out,
                        LpDiag *diag) {
    LpStudyData *d = r->data;
    for (*out = 0; *out < d->points; (*out)++) {
        const Place *other = &r->place[*out];
        if (other->interarrival == place->interarrival && strcmp(other->beta, place->beta) == 0 &&
            strcmp(other->fabric, place->fabric) == 0)
            return LP_OK;
    }
    if (d->points == LP_STUDY_POINTS)
        return lp_json_fail(mean, diag, LP_ELIMIT, "more than %d points", LP_STUDY_POINTS);
    label(r, place, &d->point[d->points]);
    r->place[d->points++] = *place;
    return LP_OK;
}

/* Files from before have jobs not served under the name of blocked ones. */
static LpErr check_names(LpJsonValue mean, LpDiag *diag) {
    if (lp_json_kind(lp_json_member(mean, "blocking_rate")) == LP_JSON_NOTHING ||
        lp_json_kind(lp_json_member(mean, "unserved_rate")) != LP_JSON_NOTHING)
        return LP_OK;
    return lp_json_fail(mean, diag, LP_EINVAL,
                        "a blocking_rate without unserved_rate: an older version wrote this, and "
                        "counted unfinished jobs as blocked; make it again");
}

static LpErr read_mean(Reader *r, LpJsonValue value, Mean *mean, LpDiag *diag) {
    LpJsonValue agent, time;
    Place place;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LP_TRY(need(value, "agent", LP_JSON_TEXT, &agent, diag));
    LP_TRY(need(value, "interarrival", LP_JSON_NUMBER, &time, diag));
    place = (Place){lp_json_text(agent), text_or_empty(value, "beta"),
                    text_or_empty(value, "fabric"), lp_json_number(time)};
    if (!(place.interarrival > 0) || place.interarrival > 1e15)
        return lp_json_fail(time, diag, LP_ERANGE,
                            "expected a time between arrivals above 0 and up to 1e15 s");
    LP_TRY(find_agent(r, agent, place.beta, &mean->agent, diag));
    if (r->axis)
        place.beta = "";
    LP_TRY(find_point(r, value, &place, &mean->point, diag));
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++)
        LP_TRY(read_estimate(value, lp_study_metric_key((LpStudyMetric)m), &mean->value[m], diag));
    LP_TRY(check_names(value, diag));
    LpEstimate *gap = &mean->value[LP_STUDY_GAP];
    *gap = (LpEstimate){mean->value[LP_STUDY_METRIC_BLOCKING].n, (double)NAN, (double)NAN};
    LP_TRY(read_number(value, lp_study_metric_key(LP_STUDY_GAP), &gap->mean, diag));
    LP_TRY(read_number(value, "bound", &mean->bound, diag));
    mean->at = value;
    return LP_OK;
}

/* ---- in order ---- */

/* Ranks of the points: by time where that is the axis, else as they came. */
static void sort_points(Reader *r, uint32_t rank[LP_STUDY_POINTS]) {
    LpStudyData *d = r->data;
    LpStudyPoint sorted[LP_STUDY_POINTS];
    for (uint32_t i = 0; i < d->points; i++) {
        rank[i] = 0;
        for (uint32_t k = 0; k < d->points; k++) {
            double a = d->point[k].interarrival, b = d->point[i].interarrival;
            rank[i] += (r->axis && a < b) || ((!r->axis || a == b) && k < i);
        }
    }
    for (uint32_t i = 0; i < d->points; i++)
        sorted[rank[i]] = d->point[i];
    memcpy(d->point, sorted, d->points * sizeof *sorted);
}

static LpErr place_means(Reader *r, LpDiag *diag) {
    LpStudyData *d = r->data;
    uint32_t rank[LP_STUDY_POINTS];
    size_t cells = (size_t)LP_STUDY_SHOWN * d->points * d->agents;
    bool *taken = lp_arena_alloc(d->arena, (size_t)d->points * d->agents, sizeof *taken);
    d->value = lp_arena_alloc(d->arena, cells, sizeof *d->value);
    if (d->value == NULL || taken == NULL)
        return lp_fail_memory(diag, "a study");
    for (size_t i = 0; i < cells; i++)
        d->value[i] = (LpEstimate){0, (double)NAN, (double)NAN};
    for (uint32_t p = 0; p < d->points; p++)
        d->bound[p] = (double)NAN;
    sort_points(r, rank);
    for (uint32_t i = 0; i < r->means; i++) {
        const Mean *mean = &r->mean[i];
        uint32_t p = rank[mean->point], cell = p * d->agents + mean->agent;
        if (taken[cell])
            return lp_json_fail(mean->at, diag, LP_EINVAL, "a second mean of %s at %s",
                                d->agent[mean->agent], d->point[p].label);
        taken[cell] = true;
        d->bound[p] = fmin(d->bound[p], mean->bound);
        d->bounded = d->bounded || !isnan(mean->bound);
        for (uint32_t m = 0; m < LP_STUDY_SHOWN; m++)
            d->value[m * d->points * d->agents + cell] = mean->value[m];
        uint32_t n = mean->value[LP_STUDY_METRIC_BLOCKING].n;
        d->seeds = n > d->seeds ? n : d->seeds;
    }
    return LP_OK;
}

static bool has_several_betas(LpJsonValue means) {
    const char *first = text_or_empty(lp_json_first(means), "beta");
    for (LpJsonValue v = lp_json_first(means); lp_json_kind(v) != LP_JSON_NOTHING;
         v = lp_json_next(v))
        if (strcmp(text_or_empty(v, "beta"), first) != 0)
            return true;
    return false;
}

static LpErr read_study(LpJsonValue root, LpStudyData *d, LpDiag *diag) {
    LpJsonValue study, means;
    char shown[80];
    LP_TRY(lp_json_expect(root, LP_JSON_OBJECT, diag));
    if (lp_json_kind(lp_json_member(root, "study")) == LP_JSON_NOTHING)
        return lp_json_fail(root, diag, LP_EINVAL,
                            "no study: expected what lightpath experiment pac-ml --json printed");
    LP_TRY(need(root, "study", LP_JSON_TEXT, &study, diag));
    int found = lp_study_find(lp_json_text(study));
    if (found < 0)
        return lp_json_fail(study, diag, LP_EINVAL, "there is no study \"%s\"",
                            lp_str_show(shown, sizeof shown, lp_json_text(study)));
    d->study = (LpStudy)found;
    const char *profiles = lp_json_text(lp_json_member(root, "profiles"));
    if (profiles != NULL && (d->profiles = lp_arena_strdup(d->arena, profiles)) == NULL)
        return lp_fail_memory(diag, "a study");
    LP_TRY(need(root, "means", LP_JSON_LIST, &means, diag));
    size_t count = lp_json_count(means);
    if (count == 0 || count > (size_t)LP_STUDY_POINTS * LP_STUDY_AGENTS)
        return lp_json_fail(means, diag, LP_ELIMIT, "expected 1 to %d means",
                            LP_STUDY_POINTS * LP_STUDY_AGENTS);
    Reader reader = {.data = d,
                     .mean = lp_arena_alloc(d->arena, count, sizeof *reader.mean),
                     .axis = d->study == LP_STUDY_LOAD || d->study == LP_STUDY_METRIC};
    reader.mixed = reader.axis && has_several_betas(means);
    if (reader.mean == NULL)
        return lp_fail_memory(diag, "a study");
    for (LpJsonValue v = lp_json_first(means); lp_json_kind(v) != LP_JSON_NOTHING;
         v = lp_json_next(v))
        LP_TRY(read_mean(&reader, v, &reader.mean[reader.means++], diag));
    return place_means(&reader, diag);
}

/* ---- whole texts ---- */

LpErr lp_study_parse(const char *name, const char *text, size_t len, LpStudyData *out,
                     LpDiag *diag) {
    LpStudyData data = {.arena = lp_arena_new(0)};
    LpJson *doc = NULL;
    if (data.arena == NULL)
        return lp_fail_memory(diag, "a study");
    LpErr err = lp_json_parse(name, text, len, &doc, diag);
    if (err == LP_OK)
        err = read_study(lp_json_root(doc), &data, diag);
    lp_json_free(doc);
    if (err == LP_OK)
        *out = data;
    else
        lp_study_fini(&data);
    return err;
}

LpErr lp_study_load(const char *path, LpStudyData *out, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_file_read(path, 0, &text, &len, diag));
    LpErr err = lp_study_parse(path, text, len, out, diag);
    lp_free(text);
    return err;
}

LpErr lp_study_of(const LpExperiment *experiment, LpStudyData *out, LpDiag *diag) {
    LpBuf text = {0};
    LpErr err = lp_experiment_json(experiment, &text, diag);
    if (err == LP_OK)
        err = lp_study_parse("the study", lp_buf_text(&text), text.len, out, diag);
    lp_buf_fini(&text);
    return err;
}
