/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict: what 2 comes to beside 1, so far, in one sentence with the warning that matters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/compare/compare_view_impl.h"

/* What the sentence is made of. */
typedef struct Verdict {
    LpModel *model;
    LpNow *now;
    LpCompareSides sides;
    uint64_t arrived, lost[2], done[2], busy[2];
} Verdict;

enum { EVEN = 5 /* percent: less than this is no difference in time */ };

static bool is_sooner(const Verdict *v, int by) {
    double factor = by > 0 ? v->sides.sooner : 1.0 / v->sides.sooner;
    return factor > 1.0 + EVEN / 100.0;
}

/* Nothing that was decided differs, nor what is held now. */
static bool is_same(const Verdict *v) {
    return !v->model->time.other.pair.differ && v->lost[0] == v->lost[1] &&
           v->busy[0] == v->busy[1];
}

/* Two policies are compared, or one with other parameters: one run of one seed says little. */
static bool is_of_policies(const Verdict *v) {
    return v->sides.side[0].home != v->sides.side[1].home;
}

/* The mark and its word. Jobs that are lost count before time. */
static void mark(Verdict *v) {
    LpNow *now = v->now;
    int64_t more = (int64_t)(v->lost[1] - v->lost[0]);
    const char *word = more > 0 ? "2 LOSES MORE" : more < 0 ? "2 LOSES LESS" : NULL;
    bool good = more < 0;
    if (!word && is_sooner(v, 1))
        word = "2 IS SOONER", good = true;
    else if (!word && is_sooner(v, -1))
        word = "2 IS LATER";
    else if (!word && !v->sides.both && v->done[0] != v->done[1])
        word = v->done[1] > v->done[0] ? "2 IS AHEAD" : "2 IS BEHIND",
        good = v->done[1] > v->done[0];
    if (word && is_of_policies(v)) { /* what is said are facts; they are no verdict */
        now->mark = LP_NOW_EVEN;
        now->mark_text = "ONE SEED";
        return;
    }
    now->mark = word ? good ? LP_NOW_GOOD : LP_NOW_BAD : LP_NOW_EVEN;
    now->mark_text = word ? word : is_same(v) ? "NO DIFFERENCE" : "EVEN SO FAR";
}

/* "2.9 times sooner" */
static const char *factor_text(const Verdict *v, char text[64]) {
    double factor = v->sides.sooner;
    if (is_sooner(v, 1))
        snprintf(text, 64, "%.*f times sooner", factor < 9.95 ? 1 : 0, factor);
    else if (is_sooner(v, -1))
        snprintf(text, 64, "%.*f times later", factor > 1.0 / 9.95 ? 1 : 0, 1.0 / factor);
    else
        return "as soon";
    return text;
}

static void say_lost(Verdict *v) {
    LpSaid *said = &v->now->said;
    int most = v->lost[1] > v->lost[0];
    unsigned long long more = v->lost[most], all = v->arrived;
    char less[40] = "none";
    if (v->lost[!most] > 0)
        snprintf(less, sizeof less, "only %llu", (unsigned long long)v->lost[!most]);
    if (v->lost[0] == v->lost[1] && more == 0) {
        for (int i = 0; i < LP_FORMS; i++)
            lp_said_add(said, (LpForm)i,
                        i < LP_FORM_SHORT ? "Both turned nobody away. " : "none lost; ");
        return;
    }
    if (v->lost[0] == v->lost[1]) {
        lp_said_add(said, LP_FORM_LONG, "Both have turned away %llu of %llu job%s%s. ", more, all,
                    lp_str_s(all), v->sides.side[0].only ? ", not the same ones" : "");
        lp_said_add(said, LP_FORM_MIDDLE, "Both turned away %llu of %llu job%s. ", more, all,
                    lp_str_s(all));
        lp_said_add(said, LP_FORM_SHORT, "both lost %llu of %llu; ", more, all);
        return;
    }
    lp_said_add(said, LP_FORM_LONG, "%d has turned away %llu of %llu job%s, %d %s. ", most + 1,
                more, all, lp_str_s(all), !most + 1, less);
    lp_said_add(said, LP_FORM_MIDDLE, "%d turned away %llu of %llu, %d %s. ", most + 1, more, all,
                !most + 1, less);
    lp_said_add(said, LP_FORM_SHORT, "%d lost %llu of %llu, %d %s; ", most + 1, more, all,
                !most + 1, less);
}

/* Compares JCTs, of the jobs alone that both branches have done. */
static void say_time(Verdict *v) {
    LpSaid *said = &v->now->said;
    unsigned long long both = v->sides.both;
    char buf[64], jobs[LP_MANY_TEXT];
    if (both == 0) {
        lp_said_add(said, LP_FORM_LONG,
                    "1 has done %llu, 2 %llu; no job is done in both yet: times say nothing.",
                    (unsigned long long)v->done[0], (unsigned long long)v->done[1]);
        lp_said_add(said, LP_FORM_MIDDLE, "1 has done %llu, 2 %llu; none in both yet.",
                    (unsigned long long)v->done[0], (unsigned long long)v->done[1]);
        lp_said_add(said, LP_FORM_SHORT, "done: 1 %llu, 2 %llu", (unsigned long long)v->done[0],
                    (unsigned long long)v->done[1]);
        return;
    }
    const char *text = factor_text(v, buf);
    lp_said_add(said, LP_FORM_LONG, "What 2 does run ends %s (%s done in both).", text,
                lp_str_many(jobs, both, "job"));
    lp_said_add(said, LP_FORM_MIDDLE, "What 2 runs ends %s (%llu in both).", text, both);
    lp_said_add(said, LP_FORM_SHORT, "%s", text);
}

/* What each does with the job in focus; else what the means are of. */
static void say_next(Verdict *v) {
    LpSaid *next = &v->now->next;
    const LpModel *model = v->model;
    uint32_t job = model->decision.due ? model->decision.job : LP_NO_INDEX;
    LpBuf fate[2] = {{0}, {0}};
    lp_said_clear(next);
    if (is_of_policies(v) && job == LP_NO_INDEX) {
        char text[2][80];
        lp_keymap_text(model->ui->keymap, "one seed may be luck: {sort} runs both with five more",
                       text[0], sizeof text[0]);
        lp_keymap_text(model->ui->keymap, "may be luck: {sort} runs five seeds", text[1],
                       sizeof text[1]);
        lp_said_add(next, LP_FORM_LONG, "%s", text[0]);
        lp_said_add(next, LP_FORM_SHORT, "%s", text[1]);
        return;
    }
    if (job == LP_NO_INDEX) {
        lp_said_add(
            next, LP_FORM_LONG,
            "both go on together; mean JCT compares the jobs that both have done, no others");
        lp_said_add(next, LP_FORM_SHORT, "both go on together");
        return;
    }
    char name[LP_WORDS_JOB], limit[LP_SHOW_TEXT];
    const LpJob *it = lp_world_job(model->world, job);
    for (int i = 0; i < 2; i++)
        lp_compare_fate(&v->sides.side[i], model, job, LP_FATE_SAID, &fate[i]);
    lp_words_job(model, it, name);
    if (isfinite(it->asked.max_jct))
        lp_said_add(next, LP_FORM_LONG, "%s (%s), limit %s: in 1 it %s; in 2 it %s", name,
                    lp_words_graph(model, it), lp_show_seconds(it->asked.max_jct, limit),
                    lp_buf_text(&fate[0]), lp_buf_text(&fate[1]));
    lp_said_add(next, LP_FORM_MIDDLE, "in 1 %s %s; in 2 it %s", name, lp_buf_text(&fate[0]),
                lp_buf_text(&fate[1]));
    lp_buf_fini(&fate[0]);
    lp_buf_fini(&fate[1]);
}

LpErr lp_compare_say(LpModel *model, LpDiag *diag) {
    Verdict v = {.model = model, .now = &model->now};
    char held[LP_MANY_TEXT];
    if (!lp_compare_sides(model, &v.sides))
        return LP_OK;
    for (int i = 0; i < 2; i++) {
        const LpTally *tally = lp_world_tally(v.sides.side[i].model->world);
        v.lost[i] = tally->blocked;
        v.done[i] = tally->completed;
        v.busy[i] = tally->busy_servers;
    }
    v.arrived = lp_world_tally(model->world)->arrived;
    v.now->verb = "COMPARE";
    v.now->step = v.now->steps = 0;
    lp_said_clear(&v.now->said);
    mark(&v);
    if (!model->time.other.pair.differ && v.lost[0] == v.lost[1]) {
        lp_said_add(&v.now->said, LP_FORM_LONG, "So far %s%llu job%s the same fate in both.",
                    v.arrived == 1 ? "the " : "all ", (unsigned long long)v.arrived,
                    v.arrived == 1 ? " has" : "s have");
        if (!is_same(&v))
            lp_said_add(&v.now->said, LP_FORM_LONG, " 1 holds %s, 2 holds %llu.",
                        lp_str_many(held, v.busy[0], "server"), (unsigned long long)v.busy[1]);
        lp_said_add(&v.now->said, LP_FORM_SHORT,
                    is_same(&v) ? "So far both are the same." : "So far all fates are the same.");
    } else {
        say_lost(&v);
        say_time(&v);
    }
    say_next(&v);
    for (int i = 0; i < LP_FORMS; i++) {
        LP_TRY(lp_buf_ok(&v.now->said.form[i], diag));
        LP_TRY(lp_buf_ok(&v.now->next.form[i], diag));
    }
    return LP_OK;
}
