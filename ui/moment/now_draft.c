/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A draft in a sentence: what is chosen, what it comes to against the policy's, or why it cannot
 * be. */
#include <math.h>
#include <string.h>

#include "moment/now_impl.h"
#include "moment/picture/words.h"

/* "s0 s2 s4 s6", "critical_path", "4 before the others". */
static void name_choice(const LpModel *model, LpBuf *out) {
    const LpDraftModel *d = &model->drafted;
    const LpStageRows *rows = d->choices;
    LpStage stage = model->ui->stage;
    int at = lp_model_choice(model);
    if (stage == LP_STAGE_PLACE) {
        lp_words_servers(model, d->server, d->servers, 6, out);
        return;
    }
    if (stage == LP_STAGE_PARTITION) {
        char brief[LP_PARALLEL_TEXT];
        lp_buf_add(out, d->plan.tensor > 0 ? lp_parallel_brief(&d->plan, brief)
                                           : model->ui->hand.draft.word[stage]);
        return;
    }
    if (rows != NULL && at >= 0 && at < (int)rows->count) {
        lp_buf_add(out, rows->row[at].label);
        return;
    }
    const char *words = model->ui->hand.draft.word[stage], *equals = strchr(words, '=');
    lp_buf_add(out, equals != NULL ? equals + 1 : "by hand");
}

/* Too few servers, too many, or the engine's reason. */
static void say_refused(const LpModel *model, const char *name, LpSaid *said) {
    const LpDraftModel *d = &model->drafted;
    uint32_t have = d->servers, need = d->needs;
    bool listed = strncmp(model->ui->hand.draft.word[LP_STAGE_PLACE], "servers=", 8) == 0;
    if (model->ui->stage != LP_STAGE_PLACE || !listed || need == 0 || have == need) {
        lp_said_add(said, LP_FORM_LONG, "%s cannot run so: %s", name, d->price.why);
        lp_said_add(said, LP_FORM_SHORT, "%s", d->price.why);
        return;
    }
    uint32_t apart = have < need ? need - have : have - need;
    const char *more = have < need ? "more" : "less";
    lp_said_add(said, LP_FORM_LONG, "%u of %u servers for %s: %u %s, or another split (1/5).",
                (unsigned)have, (unsigned)need, name, (unsigned)apart, more);
    lp_said_add(said, LP_FORM_SHORT, "%u of %u servers: %u %s", (unsigned)have, (unsigned)need,
                (unsigned)apart, more);
}

static void say_price(const LpModel *model, const char *name, LpSaid *said) {
    const LpDraftModel *d = &model->drafted;
    bool order = model->ui->stage == LP_STAGE_ORDER_OPS || model->ui->stage == LP_STAGE_ORDER_FLOWS;
    const LpPrice *own =
        d->choices != NULL && d->choices->count > 0 ? &d->choices->row[0].price : NULL;
    const LpDecision *decision = &model->decision;
    double split = decision->chosen >= 0 && decision->candidate[decision->chosen].forecast.feasible
                       ? decision->candidate[decision->chosen].forecast.jct
                       : (double)NAN;
    double now = order ? d->price.step_time : d->price.jct;
    double was = d->choices == NULL              ? split
                 : own == NULL || !own->possible ? (double)NAN
                 : order                         ? own->step_time
                                                 : own->jct;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], take[80];
    LpBuf what = {0};
    name_choice(model, &what);
    lp_show_seconds(now, a);
    lp_keymap_text(model->ui->keymap, "{take} takes it.", take, sizeof take);
    if (isnan(was) || fabs(now - was) < 1e-9 * was) {
        lp_said_add(said, LP_FORM_LONG, "%s, %s: %s %s, as before. %s", name, lp_buf_text(&what),
                    order ? "a step takes" : "done in", a, take);
        lp_said_add(said, LP_FORM_SHORT, "%s: %s, as before", lp_buf_text(&what), a);
    } else if (isinf(now)) {
        lp_show_seconds(was, b);
        lp_said_add(said, LP_FORM_LONG, "%s, %s: never done; as the policy has it in %s.", name,
                    lp_buf_text(&what), b);
        lp_said_add(said, LP_FORM_SHORT, "%s: never done", lp_buf_text(&what));
    } else {
        lp_show_seconds(was, b);
        lp_said_add(said, LP_FORM_LONG, "%s, %s: %s %s instead of %s. %s", name, lp_buf_text(&what),
                    order ? "a step takes" : "done in", a, b, take);
        lp_said_add(said, LP_FORM_SHORT, "%s: %s, not %s", lp_buf_text(&what), a, b);
    }
    if (d->price.late)
        lp_said_add(said, LP_FORM_LONG, " Late: it would be turned away.");
    lp_buf_fini(&what);
}

void lp_now_draft(LpModel *model, const char *name) {
    LpSaid *said = &model->now.said;
    LpBuf names = {0};
    LpDraft draft;
    lp_said_clear(said);
    model->now.step = model->now.steps = 0;
    if (model->drafted.price.possible)
        say_price(model, name, said);
    else
        say_refused(model, name, said);
    lp_model_draft(model, &draft);
    lp_draft_names(&draft, &names);
    lp_said_clear(&model->now.next);
    if (names.len > 0)
        lp_said_add(&model->now.next, LP_FORM_LONG, "%s", lp_buf_text(&names));
    lp_buf_fini(&names);
}
