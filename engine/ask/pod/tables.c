/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ask/pod/tables.h"

#include <math.h>
#include <string.h>

#include "base/json_out.h"
#include "base/num.h"
#include "model/pod/checkpoint.h"
#include "model/pod/slice.h"

enum { LIST = 16, CLASSES = 64, WORD = 64 };

/* ---- reading ---- */

static LpErr fail_word(const char *option, const char *word, const char *expected, LpDiag *diag) {
    char shown[WORD];
    return lp_fail(diag, LP_EINVAL, "%s: %s: expected %s", option,
                   lp_str_show(shown, sizeof shown, word), expected);
}

/* The next word of a list with commas between; false at its end. */
static bool next_word(const char **text, char word[WORD]) {
    if (*text == NULL)
        return false;
    size_t len = strcspn(*text, ",");
    lp_str_copy(word, len + 1 < WORD ? len + 1 : WORD, *text);
    *text = (*text)[len] == ',' ? *text + len + 1 : NULL;
    return true;
}

static LpErr read_number(const char *option, const char *word, LpDimension dimension, double *out,
                         LpDiag *diag) {
    LpDiag inner;
    if (lp_quantity_parse(word, dimension, out, &inner) != LP_OK)
        return lp_fail(diag, LP_EINVAL, "%s: %s", option, inner.text);
    return LP_OK;
}

static LpErr read_whole(const char *option, const char *word, uint32_t *out, LpDiag *diag) {
    uint64_t value;
    if (lp_num_parse_u64(word, &value, NULL) != LP_OK || value < 1 || value > LP_POD_CUBES_MAX)
        return fail_word(option, word, "a whole number from 1 to 4096", diag);
    *out = (uint32_t)value;
    return LP_OK;
}

static LpErr read_wholes(const char *option, const char *text, uint32_t item[LIST], size_t *count,
                         LpDiag *diag) {
    char word[WORD];
    for (*count = 0; next_word(&text, word); ++*count) {
        if (*count == LIST)
            return lp_fail(diag, LP_ELIMIT, "%s: expected at most %d numbers", option, LIST);
        LP_TRY(read_whole(option, word, &item[*count], diag));
    }
    return LP_OK;
}

static LpErr read_shares(const char *option, const char *text, double item[LIST], size_t *count,
                         LpDiag *diag) {
    char word[WORD];
    for (*count = 0; next_word(&text, word); ++*count) {
        if (*count == LIST)
            return lp_fail(diag, LP_ELIMIT, "%s: expected at most %d numbers", option, LIST);
        /* ".99" is as usual as "0.99", but no number of JSON */
        char full[WORD + 1] = "0";
        lp_str_copy(word[0] == '.' ? full + 1 : full, WORD, word);
        LP_TRY(read_number(option, full, LP_DIM_NONE, &item[*count], diag));
        if (!(item[*count] >= 0 && item[*count] <= 1))
            return fail_word(option, word, "a number from 0 to 1", diag);
    }
    return LP_OK;
}

static const char *usual(const char *text, const char *otherwise) {
    return text != NULL ? text : otherwise;
}

static void open_rows(LpJsonOut *out, LpBuf *text, const char *key) {
    *out = (LpJsonOut){.out = text};
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "lightpath", 1);
    if (key != NULL)
        lp_json_open(out, key, '[');
}

static void put_row(LpJsonOut *out, const LpJsonNumber *row, size_t count) {
    lp_json_open(out, NULL, '{');
    lp_json_put_numbers(out, row, count);
    lp_json_close(out, '}');
}

static void close_rows(LpJsonOut *out) {
    lp_json_close(out, ']');
    lp_json_end(out);
}

/* ---- capacity ---- */

typedef struct Supplies {
    uint32_t of[LIST];
    double up[LIST];
    size_t sizes, ups;
    LpPodSupply supply;
} Supplies;

static LpErr read_supplies(const LpPodAsk *ask, Supplies *s, LpDiag *diag) {
    double share[LIST];
    size_t shares;
    LP_TRY(read_whole("--cubes", usual(ask->cubes, "64"), &s->supply.cubes, diag));
    LP_TRY(read_whole("--hosts", usual(ask->hosts, "16"), &s->supply.hosts, diag));
    LP_TRY(read_wholes("--of", usual(ask->of, "16,32,48,64"), s->of, &s->sizes, diag));
    LP_TRY(read_shares("--available", usual(ask->available, "0.99,0.995,0.999"), s->up, &s->ups,
                       diag));
    LP_TRY(read_shares("--share", usual(ask->share, "0.97"), share, &shares, diag));
    if (shares != 1)
        return lp_fail(diag, LP_EINVAL, "--share: expected one number from 0 to 1");
    s->supply.share = share[0];
    for (size_t i = 0; i < s->sizes; i++)
        if (s->of[i] > s->supply.cubes)
            return lp_fail(diag, LP_EINVAL, "--of: %u cubes: expected at most the pod's %u",
                           s->of[i], s->supply.cubes);
    return LP_OK;
}

#define OFFER(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpPodOffer, name)
static const LpFact of_capacity[] = {
    {"available", LP_NUMBER, "share of the time that a host works", OFFER(supply.up)},
    {"slice_cubes", LP_NUMBER, "cubes of a slice", OFFER(supply.of)},
    {"switched", LP_NUMBER, "share of the pod that slices can use on average, on switched wiring",
     OFFER(switched.mean)},
    {"static", LP_NUMBER, "the same on static wiring", OFFER(fixed.mean)},
    {"promised_switched", LP_NUMBER,
     "share that they can use for the share of the time that is promised, on switched wiring",
     OFFER(switched.promised)},
    {"promised_static", LP_NUMBER, "the same on static wiring", OFFER(fixed.promised)},
};
const LpFacts lp_capacity_facts = {"capacity", of_capacity, LP_COUNTOF(of_capacity), NULL};

static void add_capacity(LpJsonOut *json, LpBuf *text, const LpPodOffer *o) {
    if (text != NULL) {
        lp_buf_addf(text, "%9.6g  %10u  %8.4f  %8.4f  %8.4f  %8.4f\n", o->supply.up, o->supply.of,
                    o->switched.mean, o->fixed.mean, o->switched.promised, o->fixed.promised);
        return;
    }
    lp_json_open(json, NULL, '{');
    lp_facts_json(&lp_capacity_facts, o, NULL, json);
    lp_json_close(json, '}');
}

static LpErr add_capacities(const Supplies *s, LpJsonOut *json, LpBuf *text, LpDiag *diag) {
    LpPodOffer offer = {.supply = s->supply};
    for (size_t u = 0; u < s->ups; u++)
        for (size_t i = 0; i < s->sizes; i++) {
            offer.supply.up = s->up[u];
            offer.supply.of = s->of[i];
            LP_TRY(lp_pod_capacity(&offer.supply, &offer.switched, &offer.fixed, diag));
            add_capacity(json, text, &offer);
        }
    return LP_OK;
}

LpErr lp_pods_capacity(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) {
    Supplies s = {0};
    LpJsonOut writer;
    LP_TRY(read_supplies(ask, &s, diag));
    if (!json) {
        lp_buf_addf(
            out,
            "Share of a pod of %u cubes of %u hosts that slices can use, on average and for "
            "%.4g %% of the time\n",
            s.supply.cubes, s.supply.hosts, 100 * s.supply.share);
        lp_buf_add(out, "host's     cubes of       mean      mean  promised  promised\n"
                        "share up    a slice   switched    static  switched    static\n");
        return add_capacities(&s, NULL, out, diag);
    }
    open_rows(&writer, out, "rows");
    LP_TRY(add_capacities(&s, &writer, NULL, diag));
    close_rows(&writer);
    return LP_OK;
}

/* ---- blocking ---- */

/* Requests of the published sample for whole cubes of 4 x 4 x 4, by size, ascending. */
static LpErr usual_classes(LpPodClass *classes, size_t *count, uint32_t cubes, LpDiag *diag) {
    size_t rows;
    const LpPodAsked *mix = lp_pod_mix(&rows);
    LpPod pod;
    lp_pod_defaults(&pod, 64);
    *count = 0;
    for (uint32_t size = 1; size <= cubes; size++) {
        LpPodClass c = {.cubes = size};
        for (size_t i = 0; i < rows; i++) {
            LpSlice slice;
            LP_TRY(lp_slice_read(mix[i].slice, &pod, &slice, diag));
            c.weight += slice.cubes == size ? mix[i].percent : 0;
        }
        if (c.weight > 0 && *count < CLASSES)
            classes[(*count)++] = c;
    }
    return LP_OK;
}

static LpErr read_classes(const char *text, LpPodClass *classes, size_t *count, LpDiag *diag) {
    char word[WORD];
    for (*count = 0; next_word(&text, word); ++*count) {
        if (*count == CLASSES)
            return lp_fail(diag, LP_ELIMIT, "--classes: expected at most %d", CLASSES);
        LpPodClass *class = &classes[*count];
        char *colon = strchr(word, ':');
        *class = (LpPodClass){.weight = 1};
        if (colon != NULL) {
            *colon = '\0';
            LP_TRY(read_number("--classes", colon + 1, LP_DIM_NONE, &class->weight, diag));
            if (!(class->weight >= 0))
                return fail_word("--classes", colon + 1, "a weight of 0 or more", diag);
        }
        LP_TRY(read_whole("--classes", word, &class->cubes, diag));
    }
    return LP_OK;
}

static void write_blocking(const LpPodClass *classes, size_t count, double load,
                           const LpPodLoss *loss, LpBuf *out) {
    const LpJsonNumber head[] = {{"load", load},
                                 {"mean_cubes", loss->mean},
                                 {"arrivals", loss->arrivals},
                                 {"carried", loss->carried},
                                 {"blocked", loss->blocked}};
    LpJsonOut json;
    open_rows(&json, out, NULL);
    lp_json_put_numbers(&json, head, LP_COUNTOF(head));
    lp_json_open(&json, "blocking_by_class", '[');
    for (size_t i = 0; i < count; i++) {
        const LpJsonNumber row[] = {{"cubes", classes[i].cubes},
                                    {"weight", classes[i].weight},
                                    {"blocked", classes[i].blocked}};
        put_row(&json, row, LP_COUNTOF(row));
    }
    close_rows(&json);
}

LpErr lp_pods_blocking(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) {
    LpPodClass classes[CLASSES];
    LpPodLoss loss;
    size_t count;
    uint32_t cubes;
    double load;
    LP_TRY(read_whole("--cubes", usual(ask->cubes, "64"), &cubes, diag));
    LP_TRY(read_number("--load", usual(ask->load, "0.7"), LP_DIM_NONE, &load, diag));
    if (ask->classes != NULL)
        LP_TRY(read_classes(ask->classes, classes, &count, diag));
    else
        LP_TRY(usual_classes(classes, &count, 64, diag));
    LP_TRY(lp_pod_loss(cubes, load, classes, count, &loss, diag));
    if (json) {
        write_blocking(classes, count, load, &loss, out);
        return LP_OK;
    }
    lp_buf_addf(out,
                "%u cubes, load %.4g: %.4f arrivals per mean duration, of %.3f cubes on average\n"
                "carried %.4f, blocked %.4f of all\n\ncubes   weight  blocked\n",
                cubes, load, loss.arrivals, loss.mean, loss.carried, loss.blocked);
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(out, "%5u  %7.4g  %7.4f\n", classes[i].cubes, classes[i].weight,
                    classes[i].blocked);
    return LP_OK;
}

/* ---- checkpoints ---- */

static LpErr read_interval(const char *word, const LpPodCheckpoint *c, double *out, LpDiag *diag) {
    if (strcmp(word, "young") == 0)
        *out = lp_checkpoint_young(c);
    else if (strcmp(word, "daly") == 0)
        *out = lp_checkpoint_daly(c);
    else
        LP_TRY(read_number("--interval", word, LP_DIM_TIME, out, diag));
    return *out > 0 ? LP_OK : fail_word("--interval", word, "a time above 0", diag);
}

/* A column; "never": too long for any number. */
static void add_seconds(LpBuf *out, int width, int digits, double seconds) {
    bool plain = seconds == 0 || (seconds > 1e-3 && seconds < 1e12);
    if (isinf(seconds))
        lp_buf_addf(out, "%*s", width, "never");
    else
        lp_buf_addf(out, plain ? "%*.*f" : "%*.*g", width, plain ? digits : 6, seconds);
}

static LpErr read_checkpoint(const LpPodAsk *ask, LpPodCheckpoint *c, LpDiag *diag) {
    LP_TRY(read_number("--work", usual(ask->work, "86400 s"), LP_DIM_TIME, &c->work, diag));
    LP_TRY(read_number("--cost", usual(ask->cost, "60 s"), LP_DIM_TIME, &c->cost, diag));
    LP_TRY(read_number("--restart", usual(ask->restart, "120 s"), LP_DIM_TIME, &c->restart, diag));
    LP_TRY(read_number("--mean", usual(ask->mean, "7200 s"), LP_DIM_TIME, &c->mean, diag));
    return lp_checkpoint_check(c, diag);
}

static void add_row(LpBuf *out, const char *word, double interval, double calm, double time) {
    lp_buf_addf(out, "%-10s ", word);
    add_seconds(out, 11, 4, interval);
    lp_buf_add(out, " ");
    add_seconds(out, 12, 1, calm);
    lp_buf_add(out, " ");
    add_seconds(out, 13, 1, time);
    lp_buf_add(out, "\n");
}

LpErr lp_pods_checkpoints(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) {
    LpPodCheckpoint c;
    double interval[LIST];
    char word[LIST][WORD];
    const char *text = usual(ask->interval, "young,daly");
    size_t count = 0;
    LpJsonOut writer;
    LP_TRY(read_checkpoint(ask, &c, diag));
    for (; count < LIST && next_word(&text, word[count]); count++)
        LP_TRY(read_interval(word[count], &c, &interval[count], diag));
    if (text != NULL)
        return lp_fail(diag, LP_ELIMIT, "--interval: expected at most %d", LIST);
    if (json)
        open_rows(&writer, out, "rows");
    else
        lp_buf_add(out, "interval       seconds  undisturbed      expected\n");
    for (size_t i = 0; i < count; i++) {
        double calm = lp_checkpoint_undisturbed(&c, interval[i]);
        double time = lp_checkpoint_time(&c, interval[i]);
        const LpJsonNumber row[] = {
            {"interval", interval[i]}, {"undisturbed", calm}, {"expected_time", time}};
        if (json)
            put_row(&writer, row, LP_COUNTOF(row));
        else
            add_row(out, word[i], interval[i], calm, time);
    }
    if (json)
        close_rows(&writer);
    return LP_OK;
}

/* ---- what is asked for ---- */

LpErr lp_pods_mix(const LpPodAsk *ask LP_UNUSED, bool json, LpBuf *out, LpDiag *diag LP_UNUSED) {
    size_t count;
    const LpPodAsked *mix = lp_pod_mix(&count);
    LpJsonOut writer;
    if (json)
        open_rows(&writer, out, "rows");
    else
        lp_buf_add(out, "slice            percent   (Jouppi et al. 2023, Table 2; the rows sum to "
                        "97.5, the rest is not listed)\n");
    for (size_t i = 0; i < count; i++) {
        if (!json) {
            lp_buf_addf(out, "%-16s %7.1f\n", mix[i].slice, mix[i].percent);
            continue;
        }
        lp_json_open(&writer, NULL, '{');
        lp_json_put_text(&writer, "slice", mix[i].slice);
        lp_json_put_number(&writer, "percent", mix[i].percent);
        lp_json_close(&writer, '}');
    }
    if (json)
        close_rows(&writer);
    return LP_OK;
}
