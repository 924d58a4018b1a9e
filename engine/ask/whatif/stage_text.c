/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a stage as JSON and for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/whatif/whatif_impl.h"
#include "base/num.h"
#include "sim/facts/identity.h"
#include "sim/world.h"

enum { TEXT = 64 };

/* Where a row leads; NULL: it was not run. */
static const LpWhatIf *end_of(const LpWhatIfs *ends, uint32_t row) {
    return row < ends->count ? &ends->row[row] : NULL;
}

/* ---- facts ---- */

enum { RUNS = 1 };
static unsigned traits_of(const void *record) {
    return ((const LpStageRow *)record)->price.possible ? RUNS : 0;
}

#define WORDS_OF(name, expression)                                                                 \
    static LpFactValue name(const void *record, void *around LP_UNUSED) {                          \
        const LpStageRow *row = record;                                                            \
        return lp_fact_text(expression);                                                           \
    }
WORDS_OF(label, row->label)
WORDS_OF(note, row->note)
WORDS_OF(words, row->words)
WORDS_OF(why, row->price.why)

static LpFactValue servers(const void *record, void *around LP_UNUSED) {
    const LpForecast *f = &((const LpStageRow *)record)->price.forecast;
    return lp_fact_list(f->server, f->servers);
}

#define MEMBER(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpStageRow, name)
static const LpFact of_choice[] = {
    {"choice", LP_WORDS, "what is chosen, in short", LP_TO_JSON, .value = label},
    {"words", LP_WORDS, "of a fork that makes it, beside those of the draft; null: as the policy",
     LP_TO_JSON, .value = words},
    {"note", LP_WORDS, "what it means", LP_TO_JSON, .value = note},
    {"chosen", LP_FLAG, "as the policy has it", MEMBER(policys)},
    {"possible", LP_FLAG, "the job can run so", MEMBER(price.possible)},
    {"late", LP_FLAG, "it would miss its limit, which turns it away", MEMBER(price.late)},
    {"step_time", LP_SECONDS, "time of one training step", MEMBER(price.step_time), .of = RUNS},
    {"jct", LP_SECONDS, "time from now to its end, the others as they are", MEMBER(price.jct),
     .of = RUNS},
    {"of_limit", LP_NUMBER, "JCT as a share of the largest that the job accepts",
     MEMBER(price.of_limit), .of = RUNS},
    {"dark", LP_SECONDS, "time for which circuits are set before its first step",
     MEMBER(price.dark), .of = RUNS},
    {"servers", LP_COUNTS, "servers that it would run on", LP_TO_JSON, .of = RUNS,
     .value = servers},
    {"why_not", LP_WORDS, "why it is not possible, or late", LP_TO_JSON, .value = why},
};
const LpFacts lp_choice_facts = {"choice", of_choice, LP_COUNTOF(of_choice), traits_of};

LpErr lp_choices_json(LpSession *s, LpStage stage, const char *draft, const LpStageRows *choices,
                      const LpWhatIfs *ends, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out};
    const LpWorld *world = lp_session_world(s);
    lp_json_open(&json, NULL, '{');
    lp_session_json_head(s, &json);
    lp_json_put_count(&json, "job", lp_world_due(world));
    lp_json_put_count(&json, "decision", lp_world_tally(world)->decisions);
    lp_json_put_number(&json, "time",
                       lp_scenario_time(lp_session_scenario(s), lp_world_now(world)));
    lp_json_put_text(&json, "stage", lp_stage_name(stage));
    lp_json_put_text(&json, "draft", draft);
    if (choices->none[0] != '\0')
        lp_json_put_text(&json, "no_choice", choices->none);
    else
        lp_json_put_null(&json, "no_choice");
    lp_json_open(&json, "rows", '[');
    for (uint32_t i = 0; i < choices->count; i++) {
        lp_json_break(&json);
        lp_json_open(&json, NULL, '{');
        lp_facts_json(&lp_choice_facts, &choices->row[i], NULL, &json);
        if (ends != NULL)
            lp_whatif_end_json(&json, end_of(ends, i));
        lp_json_close(&json, '}');
    }
    lp_json_close(&json, ']');
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}

/* ---- for people ---- */

static const char *time_text(double seconds, char *buf) {
    return isnan(seconds) ? "-" : lp_quantity_print(seconds, LP_DIM_TIME, buf, TEXT);
}

static void add_line(const LpStageRows *choices, const LpWhatIfs *ends, uint32_t i, LpBuf *out) {
    const LpStageRow *row = &choices->row[i];
    const LpPrice *p = &row->price;
    double own = choices->row[0].price.jct;
    char step[TEXT], jct[TEXT], change[TEXT] = "";
    if (i > 0 && p->jct > 0 && own > 0)
        snprintf(change, sizeof change, "%+.0f %%", 100 * (p->jct / own - 1));
    lp_buf_addf(out, "%s %-22.22s %11s %11s %8s", row->policys ? ">" : " ", row->label,
                time_text(p->step_time, step), time_text(p->jct, jct), change);
    if (ends != NULL)
        lp_whatif_end_text(end_of(ends, i), out);
    lp_buf_add(out, "  ");
    const char *said = p->possible && !p->late ? row->note : p->why;
    lp_str_escape(out, said, strlen(said));
    if (row->words[0] != '\0')
        lp_buf_addf(out, "%s%s", said[0] != '\0' ? "; " : "", row->words);
    lp_buf_add(out, "\n");
}

LpErr lp_choices_text(LpSession *s, LpStage stage, const LpStageRows *choices,
                      const LpWhatIfs *ends, LpBuf *out, LpDiag *diag) {
    const LpWorld *world = lp_session_world(s);
    char at[TEXT];
    lp_buf_addf(out, "decision %" PRIu64 " at %s: %s, stage %d of %d, %s\n",
                lp_world_tally(world)->decisions, time_text(lp_world_now(world), at),
                lp_world_label(world, lp_session_scenario(s), lp_world_due(world)).text,
                (int)stage + 1, (int)LP_STAGE_COUNT, lp_stage_name(stage));
    if (choices->none[0] != '\0') {
        lp_str_escape(out, choices->none, strlen(choices->none));
        lp_buf_add(out, "\n");
    }
    if (choices->count > 0)
        lp_buf_addf(out, "  %-22s %11s %11s %8s%s  what it means; words of a fork\n", "choice",
                    "step time", "JCT", "change", ends != NULL ? LP_WHATIF_ENDS : "");
    for (uint32_t i = 0; i < choices->count; i++)
        add_line(choices, ends, i, out);
    if (ends != NULL && choices->count > 0)
        lp_buf_add(out, LP_WHATIF_ENDS_MEAN);
    return lp_buf_ok(out, diag);
}
