/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/json/json.h"

static const double DAY = 86400;

/* ---- events ---- */

typedef struct Event {
    const char *node; /* id of the node, NULL: it is `number` */
    double number;
    char digits[32]; /* `number` as text */
    const char *level, *class, *desc;
    double time; /* days */
    int type;    /* index of event_words */
    uint32_t at; /* place in the file */
    LpJsonValue value;
    uint32_t server;
} Event;

static const char *const event_words[] = {"fault_start", "fault_end", NULL};

static LpErr read_text(LpJsonValue object, const char *key, const char **out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, key);
    if (lp_json_kind(value) == LP_JSON_NOTHING)
        return lp_json_fail(object, diag, LP_EINVAL, "\"%s\" is missing: expected a text", key);
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    *out = lp_json_text(value);
    return LP_OK;
}

static LpErr read_type(LpJsonValue object, Event *out, LpDiag *diag) {
    LpJsonValue type = lp_json_member(object, "fault_type");
    if (lp_json_kind(type) == LP_JSON_NOTHING)
        return lp_json_fail(object, diag, LP_EINVAL,
                            "\"fault_type\" is missing: expected an object");
    LP_TRY(lp_json_expect(type, LP_JSON_OBJECT, diag));
    LP_TRY(read_text(type, "Level", &out->level, diag));
    LP_TRY(read_text(type, "Class", &out->class, diag));
    return read_text(type, "Desc", &out->desc, diag);
}

/* A text or a number. */
static LpErr read_node(LpJsonValue object, Event *out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, "node_id");
    if (lp_json_kind(value) != LP_JSON_NUMBER) {
        LP_TRY(read_text(object, "node_id", &out->node, diag));
        return out->node[0] != '\0'
                   ? LP_OK
                   : lp_json_fail(value, diag, LP_EINVAL,
                                  "\"node_id\" is empty: expected the name of a node");
    }
    out->node = NULL;
    out->number = lp_json_number(value);
    snprintf(out->digits, sizeof out->digits, "%.17g", out->number);
    return LP_OK;
}

static const char *node_of(const Event *e) {
    return e->node != NULL ? e->node : e->digits;
}

/* `last` is the time of the event before. */
static LpErr read_event(LpJsonValue value, double last, Event *out, LpDiag *diag) {
    static const LpJsonRange range = {.dim = LP_DIM_NONE};
    static const double MOST = 1e10; /* as a trace of failures may have */
    const char *word;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LP_TRY(read_node(value, out, diag));
    LpJsonValue time = lp_json_member(value, "event_time");
    if (lp_json_kind(time) == LP_JSON_NOTHING)
        return lp_json_fail(value, diag, LP_EINVAL, "\"event_time\" is missing: expected days");
    LP_TRY(lp_json_quantity(time, &range, &out->time, diag));
    if (out->time > MOST)
        return lp_json_fail(time, diag, LP_EINVAL, "event_time is %g: expected at most %g days",
                            out->time, MOST);
    if (out->time < last)
        return lp_json_fail(time, diag, LP_EINVAL,
                            "event_time %g is before that of the event before, %g: expected events "
                            "in order of time",
                            out->time, last);
    LP_TRY(read_text(value, "event_type", &word, diag));
    LP_TRY(lp_json_word(lp_json_member(value, "event_type"), event_words, &out->type, diag));
    out->value = value;
    return read_type(value, out, diag);
}

static LpErr read_events(LpJsonValue root, Event *event, uint32_t *count, LpDiag *diag) {
    double last = 0;
    for (LpJsonValue v = lp_json_first(root); v.item != NULL; v = lp_json_next(v)) {
        Event *e = &event[*count];
        *e = (Event){.at = (*count)++};
        LP_TRY(read_event(v, last, e, diag));
        last = e->time;
    }
    return LP_OK;
}

/* ---- servers ---- */

static int by_node(const void *left, const void *right) {
    const Event *a = *(Event *const *)left, *b = *(Event *const *)right;
    if ((a->node == NULL) != (b->node == NULL)) /* numbers come first */
        return a->node == NULL ? -1 : 1;
    int order = a->node == NULL ? (a->number > b->number) - (a->number < b->number)
                                : strcmp(node_of(a), node_of(b));
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_first(const void *left, const void *right) {
    Event **const *a = left, **const *b = right;
    return ((**a)->at > (**b)->at) - ((**a)->at < (**b)->at);
}

/* Sorts events by node; first[k] is the first one of server k, and each event has its server. */
static uint32_t number_servers(Event *event, uint32_t count, Event **sorted, Event ***first) {
    uint32_t servers = 0;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &event[i];
    qsort(sorted, count, sizeof(Event *), by_node);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || strcmp(node_of(sorted[i - 1]), node_of(sorted[i])) != 0)
            first[servers++] = &sorted[i];
    qsort(first, servers, sizeof(Event **), by_first);
    for (uint32_t s = 0; s < servers; s++)
        for (Event **e = first[s];
             e < sorted + count && strcmp(node_of(*e), node_of(first[s][0])) == 0; e++)
            (*e)->server = s;
    return servers;
}

/* ---- faults ---- */

static bool same_type(const Event *a, const Event *b) {
    return strcmp(a->level, b->level) == 0 && strcmp(a->class, b->class) == 0 &&
           strcmp(a->desc, b->desc) == 0;
}

/* Pairs the events of one server, which begin at `e`: each start gets its end's time in `end`. */
static LpErr pair(Event **e, Event **last, double *end, LpDiag *diag) {
    Event **begin = e;
    for (; e < last && (*e)->server == (*begin)->server; e++) {
        Event **start = begin;
        if ((*e)->type == 0) {
            end[(*e)->at] = -1;
            continue;
        }
        while (start < e &&
               ((*start)->type != 0 || end[(*start)->at] >= 0 || !same_type(*start, *e)))
            start++;
        if (start == e)
            return lp_json_fail((*e)->value, diag, LP_EINVAL,
                                "a fault of %.64s ends that has not begun: expected a fault_start "
                                "of its node and type before it",
                                node_of(*e));
        end[(*start)->at] = (*e)->time;
    }
    return LP_OK;
}

static void collect(const Event *event, uint32_t count, const double *end, LpServerFaults *out) {
    double until = count > 0 ? event[count - 1].time : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (event[i].type != 0)
            continue;
        bool open = end[i] < 0;
        double to = open ? until : end[i];
        out->open += open;
        out->fault[out->faults++] = (LpServerFault){
            .time = event[i].time * DAY, .end = to * DAY, .server = event[i].server};
    }
    out->until = until * DAY;
}

static LpErr make(LpJsonValue root, Event *event, Event **sorted, Event ***first, double *end,
                  LpServerFaults *out, LpDiag *diag) {
    uint32_t count = 0;
    LP_TRY(read_events(root, event, &count, diag));
    out->servers = number_servers(event, count, sorted, first);
    for (uint32_t s = 0; s < out->servers; s++)
        LP_TRY(pair(first[s], sorted + count, end, diag));
    collect(event, count, end, out);
    return LP_OK;
}

static LpErr make_all(LpJsonValue root, LpServerFaults *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(root, LP_JSON_LIST, diag));
    size_t count = lp_json_count(root) + 1;
    if (count == 1)
        return lp_json_fail(root, diag, LP_EINVAL, "the list is empty: expected events");
    LpServerFaults faults = {.fault = lp_alloc(count, sizeof *faults.fault)};
    Event *event = lp_alloc(count, sizeof *event);
    Event **sorted = lp_alloc(count, sizeof *sorted), ***first = lp_alloc(count, sizeof *first);
    double *end = lp_alloc(count, sizeof *end);
    LpErr err = faults.fault && event && sorted && first && end
                    ? make(root, event, sorted, first, end, &faults, diag)
                    : lp_fail_memory(diag, "a trace of faults");
    lp_free(event);
    lp_free(sorted);
    lp_free(first);
    lp_free(end);
    if (err != LP_OK) {
        lp_free(faults.fault);
        return err;
    }
    *out = faults;
    return LP_OK;
}

LpErr lp_faults_stepfun(const char *file, const char *text, size_t len, LpServerFaults *out,
                        LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_json_parse(file, text, len, &doc, diag));
    LpErr err = make_all(lp_json_root(doc), out, diag);
    lp_json_free(doc);
    return err;
}

/* ---- figures ---- */

typedef struct Edge {
    double time;
    int step; /* -1: comes back, which is first at one instant */
    uint32_t server;
} Edge;

static int by_time(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* State of one server: its open faults, and whether it is down if the end of one of them ends all.
 */
typedef struct Open {
    uint32_t faults;
    bool down;
} Open;

static void go_over(const Edge *edge, uint32_t edges, Open *open, double until,
                    LpFaultFigures *out) {
    uint32_t down = 0, simple = 0;
    double last = 0, area = 0, simple_area = 0;
    for (uint32_t i = 0; i < edges; i++) {
        const Edge *e = &edge[i];
        Open *at = &open[e->server];
        bool starts = e->step > 0;
        area += down * (e->time - last);
        simple_area += simple * (e->time - last);
        last = e->time;
        if (starts)
            down += at->faults++ == 0;
        else
            down -= --at->faults == 0;
        simple = simple + starts - at->down;
        at->down = starts;
        out->most_down = down > out->most_down ? down : out->most_down;
    }
    out->mean_down = until > 0 ? area / until : 0;
    out->mean_simple = until > 0 ? simple_area / until : 0;
}

static void repairs(double *duration, uint32_t count, LpFaultFigures *out) {
    double sum = 0;
    if (count == 0)
        return;
    qsort(duration, count, sizeof *duration, by_value);
    for (uint32_t i = 0; i < count; i++)
        sum += duration[i];
    out->mean = sum / count;
    out->median = (duration[(count - 1) / 2] + duration[count / 2]) / 2;
}

LpErr lp_faults_figures(const LpServerFaults *f, LpFaultFigures *out, LpDiag *diag) {
    LpFaultFigures figures = {0};
    Edge *edge = lp_alloc(2 * (size_t)f->faults + 1, sizeof *edge);
    Open *open = lp_alloc((size_t)f->servers + 1, sizeof *open);
    uint32_t edges = 0, count = 0;
    double *duration = lp_alloc((size_t)f->faults + 1, sizeof *duration);
    LpErr err = edge && open && duration ? LP_OK : lp_fail_memory(diag, "figures of faults");
    for (uint32_t i = 0; i < f->faults && err == LP_OK; i++) {
        const LpServerFault *of = &f->fault[i];
        duration[count++] = of->end - of->time;
        if (!(of->end > of->time)) /* it was never down */
            continue;
        edge[edges++] = (Edge){of->time, 1, of->server};
        edge[edges++] = (Edge){of->end, -1, of->server};
    }
    if (err == LP_OK) {
        qsort(edge, edges, sizeof *edge, by_time);
        go_over(edge, edges, open, f->until, &figures);
        repairs(duration, count, &figures);
        *out = figures;
    }
    lp_free(edge);
    lp_free(open);
    lp_free(duration);
    return err;
}
