/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The now bar at the moment at which waiting is worst. */
#include <stdio.h>
#include <string.h>

#include "sim/facts/identity.h"
#include "views/tree/tree_view_impl.h"

/* Looks at all that was played of the branch. */
static LpErr find_worst(LpTreeFacts *f, const LpModel *model, bool *over, LpDiag *diag) {
    const LpWorld *tip = lp_session_tip_world(model->session, model->time.moment.branch);
    LpStamp stamp = lp_world_stamp(tip);
    *over = lp_world_over(tip);
    if (lp_stamp_same(stamp, f->worst_of))
        return LP_OK;
    LP_TRY(lp_worst_of(tip, model->context, &f->worst, diag));
    f->worst_of = stamp;
    return LP_OK;
}

static const LpTreeWaiter *longest(const LpTreeFacts *f) {
    const LpTreeWaiter *most = &f->waiter[0];
    for (uint32_t i = 1; i < f->waiters; i++)
        if (f->waiter[i].waited > most->waited)
            most = &f->waiter[i];
    return most;
}

/* A sum over jobs: "61 h", since days of several jobs are none of anybody's. */
static const char *print_sum(double seconds, char out[LP_SHOW_TEXT]) {
    if (!(seconds >= 10 * 3600.0))
        return lp_show_span(seconds, out);
    snprintf(out, LP_SHOW_TEXT, "%.0f h", seconds / 3600);
    return out;
}

static void say_here(const LpModel *model, const LpTreeFacts *f, bool over, LpSaid *said) {
    const LpWorst *w = &f->worst;
    const LpTreeWaiter *most = longest(f);
    char jobs[LP_MANY_TEXT], more[LP_SHOW_TEXT], waited[LP_SHOW_TEXT];
    LpLabel label = lp_world_label(model->world, model->scenario, most->job->id);
    const char *s = w->remaining.waiting == 1 ? "s" : "";
    lp_str_many(jobs, w->remaining.waiting, "job");
    print_sum(w->remaining.seconds, more);
    lp_show_span(most->waited, waited);
    lp_said_add(said, LP_FORM_LONG,
                "Here %s wait%s and will wait %s more in all: no other moment of this run%s has "
                "more. Longest so far: %s, %s",
                jobs, s, more, over ? "" : ", as far as it was played,", label.text, waited);
    lp_said_add(said, LP_FORM_MIDDLE, "%s wait%s here, %s more in all. Longest: %s, %s", jobs, s,
                more, label.text, waited);
    lp_said_add(said, LP_FORM_SHORT, "%s wait%s here, %s more in all", jobs, s, more);
}

static void say_others(const LpModel *model, const LpTreeFacts *f, LpSaid *next) {
    const LpWorst *w = &f->worst;
    char queue[LP_WORDS_TIME], at[LP_WORDS_TIME], wait[LP_SHOW_TEXT], count[LP_SHOW_TEXT];
    LpLabel label = lp_world_label(model->world, model->scenario, w->longest.job);
    if (w->longest.job >= lp_world_jobs(model->world)) /* it comes later */
        label.text[0] = '\0';
    lp_said_add(next, LP_FORM_LONG,
                ":worst queue goes to %s (%s waiting), :worst longest to %s (%s%s%s)",
                lp_words_at(model, w->queue.time, queue), lp_show_count(w->queue.waiting, count),
                lp_words_at(model, w->longest.time, at), label.text,
                label.text[0] != '\0' ? ", " : "", lp_show_span(w->longest.seconds, wait));
}

LpErr lp_tree_say_worst(LpModel *model, LpDiag *diag) {
    LpTreeFacts *f = lp_tree_facts(model);
    LpNow *now = &model->now;
    bool over;
    bool asked = now->verb != NULL && strcmp(now->verb, "ASK") == 0;
    if (!model->time.known || f->waiters == 0 || model->ui->playing || asked)
        return LP_OK;
    LP_TRY(find_worst(f, model, &over, diag));
    const LpWorst *w = &f->worst;
    if (!w->any || w->remaining.time != lp_world_now(model->world) ||
        w->remaining.waiting != f->waiters)
        return LP_OK;
    now->verb = "WORST";
    now->step = now->steps = 0;
    lp_said_clear(&now->said);
    lp_said_clear(&now->next);
    say_here(model, f, over, &now->said);
    say_others(model, f, &now->next);
    for (int i = 0; i < LP_FORMS; i++) {
        LP_TRY(lp_buf_ok(&now->said.form[i], diag));
        LP_TRY(lp_buf_ok(&now->next.form[i], diag));
    }
    return LP_OK;
}
