/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a stage of a decision as alternatives that can be run to the end. */
#include <math.h>
#include <string.h>

#include "ask/whatif/whatif.h"
#include "base/mem.h"
#include "session/session_impl.h"
#include "sim/world.h"

typedef struct Stage {
    LpSession *s;
    LpDraft draft; /* whose word of this stage is that of a row, by turns */
    LpStage stage;
    LpWhatIfs *out;
    LpDiag *diag;
} Stage;

static bool knows(const LpStageRows *rows, const char *words) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (strcmp(rows->row[i].words, words) == 0)
            return true;
    return false;
}

/* What is told of a forecast, once the circuits of a row are lit. */
static LpForecast told(const LpPrice *price) {
    LpForecast f = price->forecast;
    f.feasible = price->possible;
    if (price->dark > 0 || f.step_time != price->step_time)
        f.exposed = f.communication = (double)NAN; /* known for the circuits as they are */
    f.finish += price->jct - f.jct;
    f.step_time = price->step_time;
    f.jct = price->jct;
    lp_str_copy(f.why, sizeof f.why, price->why);
    return f;
}

static LpErr add(Stage *t, const char *label, const char *note, const char *words, bool policys,
                 const LpPrice *price) {
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    lp_str_copy(t->draft.word[t->stage], LP_DRAFT_WORDS, words);
    lp_draft_text(&t->draft, text);
    LpWhatIf row = {
        .kind = LP_ANSWER_RUN,
        .label = lp_arena_strdup(t->out->arena, label),
        .note = lp_arena_strdup(t->out->arena,
                                t->stage == LP_STAGE_PLACE && words[0] != '\0' ? words : note),
        .words = lp_arena_strdup(t->out->arena, text),
        .chosen = policys && text[0] == '\0',
        .allowed = true,
        .accepted = price->possible && !price->late,
        .forecast = told(price),
        .of_limit = price->of_limit,
        .free_after = lp_world_free_servers(t->s->world)};
    if (row.label == NULL || row.note == NULL || row.words == NULL)
        return lp_fail_memory(t->diag, "the what-if table");
    if (price->possible) {
        row.servers = price->forecast.servers;
        row.server = price->forecast.server;
        row.free_after -= row.servers;
    }
    t->out->row[t->out->count++] = row;
    return LP_OK;
}

static LpErr fill(Stage *t, const LpStageRows *rows) {
    char hand[LP_DRAFT_WORDS];
    LpPrice price;
    if (rows->count == 0 || (rows->count == 1 && !rows->by_hand))
        return LP_OK;
    t->out->row = lp_alloc((size_t)rows->count + 1, sizeof *t->out->row);
    if (t->out->row == NULL)
        return lp_fail_memory(t->diag, "the what-if table");
    lp_str_copy(hand, sizeof hand, t->draft.word[t->stage]);
    for (uint32_t i = 0; i < rows->count; i++) {
        const LpStageRow *row = &rows->row[i];
        LP_TRY(add(t, row->label, row->note, row->words, row->policys, &row->price));
    }
    if (knows(rows, hand))
        return LP_OK;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    lp_str_copy(t->draft.word[t->stage], LP_DRAFT_WORDS, hand);
    LP_TRY(lp_draft_price(t->s, lp_draft_text(&t->draft, text), &price, t->diag));
    return add(t, "by hand", hand, hand, false, &price);
}

LpErr lp_whatif_stage(LpSession *s, const LpDraft *draft, LpStage stage, LpWhatIfs *out,
                      LpDiag *diag) {
    LpWhatIfs table = {.stage = stage,
                       .job = lp_world_due(s->world),
                       .decision = lp_world_tally(s->world)->decisions,
                       .time = lp_world_now(s->world)};
    Stage t = {.s = s, .draft = *draft, .stage = stage, .out = &table, .diag = diag};
    LpStageRows *rows = lp_alloc(1, sizeof *rows);
    table.arena = lp_arena_new(0);
    LpErr err = rows == NULL || table.arena == NULL ? lp_fail_memory(diag, "the what-if table")
                                                    : lp_choices_list(s, draft, stage, rows, diag);
    if (err == LP_OK)
        err = fill(&t, rows);
    lp_free(rows);
    if (err == LP_OK)
        *out = table;
    else
        lp_whatif_fini(&table);
    return err;
}
