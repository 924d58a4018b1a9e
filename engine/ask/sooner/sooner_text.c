/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would have been sooner, in sentences and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ask/sooner/sooner.h"
#include "base/num.h"
#include "base/str.h"
#include "session/session_impl.h"

enum { LABEL = 12 }; /* columns in front of a line of a story */

/* A time in the queue that differs by less is the same; step times that differ by less, too. */
#define SAME_TIME 1e-9
#define RATIO_SHOWN 0.005

static void add_span(LpBuf *out, double seconds) {
    char text[LP_SPAN_TEXT];
    lp_buf_add(out, lp_span_print(fabs(seconds), text));
}

/* How many times longer it holds its servers. */
static double ratio_of(const LpSooner *s, const LpSoonerRun *run) {
    return run->held / s->base.held;
}

static bool ran(const LpSoonerRun *run) {
    return run->sets > 0 && run->not == NULL;
}

static void add_change(const LpSooner *s, LpSoonerKnob knob, LpBuf *out) {
    char level[LP_TREE_NAME];
    switch (knob) {
    case LP_SOONER_FIRST:
        lp_buf_addf(out, "before the %" PRIu32 " that waited when it came", s->before);
        break;
    case LP_SOONER_ANYWHERE:
        lp_buf_addf(out, "without its %s%s%s",
                    s->level != NULL ? lp_str_show(level, sizeof level, s->level) : "",
                    s->level != NULL && s->segments ? " and its " : "",
                    s->segments ? "segments" : "");
        break;
    case LP_SOONER_NODE:
        lp_buf_addf(out, "one more %s of %" PRIu32, lp_str_show(level, sizeof level, s->node_level),
                    s->node);
        break;
    case LP_SOONER_SERVERS:
        lp_buf_addf(out, "%" PRIu32 " server%s more", s->servers, lp_str_s(s->servers));
        break;
    default:
        lp_buf_addf(out, "without %s", s->without);
    }
}

/* "2 h 10 min sooner" */
static void add_start(const LpSooner *s, LpSoonerKnob knob, LpBuf *out) {
    const LpSoonerRun *run = &s->run[knob];
    double gain = lp_sooner_gain(s, knob);
    if (isnan(run->start)) {
        lp_buf_add(out, isnan(s->base.start) ? "no difference" : "it never starts");
    } else if (isnan(s->base.start)) {
        lp_buf_add(out, "it starts");
    } else if (fabs(gain) <= SAME_TIME * fmax(1, fabs(s->base.start))) {
        lp_buf_add(out, "no difference");
    } else {
        add_span(out, gain);
        lp_buf_add(out, gain > 0 ? " sooner" : " later");
    }
}

/* ", 1.30 times slower: done 1 h 21 min sooner" */
static void add_pace(const LpSooner *s, LpSoonerKnob knob, LpBuf *out) {
    const LpSoonerRun *run = &s->run[knob];
    double ratio = ratio_of(s, run), gain = s->base.end - run->end;
    if (isnan(ratio) || fabs(ratio - 1) < RATIO_SHOWN)
        return;
    lp_buf_addf(out, ", %.2f times %s: done ", ratio > 1 ? ratio : 1 / ratio,
                ratio > 1 ? "slower" : "faster");
    add_span(out, gain);
    lp_buf_add(out, gain >= 0 ? " sooner" : " later");
}

static void tell(const LpSooner *s, const char *label, LpSoonerKnob knob, LpBuf *out) {
    lp_buf_addf(out, "%-*s", LABEL, label);
    add_change(s, knob, out);
    lp_buf_add(out, ": ");
    if (s->run[knob].not != NULL) {
        lp_buf_addf(out, "not known, %s", s->run[knob].not );
    } else {
        add_start(s, knob, out);
        add_pace(s, knob, out);
    }
    lp_buf_add(out, "\n");
}

/* The sooner it starts the more it helps; what cannot be told helps least. */
static double rank_of(const LpSooner *s, LpSoonerKnob knob) {
    const LpSoonerRun *run = &s->run[knob];
    return run->not == NULL && !isnan(run->start) ? -run->start : -(double)INFINITY;
}

void lp_sooner_text(const LpSooner *s, const LpSession *session, LpBuf *out) {
    LpSoonerKnob order[LP_SOONER_COUNT];
    uint32_t count = 0;
    (void)session;
    if (!s->asked)
        return;
    if (s->not != NULL) {
        lp_buf_addf(out, "%-*snot known: %s\n", LABEL, "sooner", s->not );
        return;
    }
    for (int k = 0; k < LP_SOONER_COUNT; k++) {
        uint32_t at = count;
        if (s->run[k].sets == 0)
            continue;
        for (; at > 0 && rank_of(s, order[at - 1]) < rank_of(s, (LpSoonerKnob)k); at--)
            order[at] = order[at - 1];
        order[at] = (LpSoonerKnob)k;
        count++;
    }
    if (count > 0)
        lp_buf_addf(out, "%-*sthe run once more, with one thing changed:\n", LABEL, "sooner");
    for (uint32_t i = 0; i < count; i++)
        tell(s, "", order[i], out);
}

static void put_time(const LpSession *session, const char *key, double time, LpJsonOut *out) {
    lp_json_put_number(out, key, lp_scenario_time(session->scenario, time));
}

void lp_sooner_json(const LpSooner *s, const LpSession *session, LpJsonOut *out) {
    static const char *const names[] = {
#define X(id, name) name,
        LP_SOONER_TABLE(X)
#undef X
    };
    if (!s->asked)
        return;
    if (s->not == NULL) {
        lp_json_open(out, "sooner", '{');
        put_time(session, "start", s->base.start, out);
        put_time(session, "end", s->base.end, out);
        lp_json_open(out, "runs", '{');
        for (int k = 0; k < LP_SOONER_COUNT; k++) {
            const LpSoonerRun *run = &s->run[k];
            if (!ran(run))
                continue;
            lp_json_open(out, names[k], '{');
            put_time(session, "start", run->start, out);
            put_time(session, "end", run->end, out);
            lp_json_put_number(out, "sooner", lp_sooner_gain(s, (LpSoonerKnob)k));
            lp_json_put_number(out, "ratio", ratio_of(s, run));
            lp_json_put_count(out, "job", run->job);
            lp_json_put_texts(out, "set", run->set, run->sets);
            lp_json_close(out, '}');
        }
        lp_json_close(out, '}');
        lp_json_close(out, '}');
    } else {
        lp_json_put_null(out, "sooner");
    }
    lp_json_put_text(out, "no_sooner", s->not );
}
