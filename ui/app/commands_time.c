/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the time machine. */
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"
#include "ask/inspect/figures.h"
#include "base/num.h"
#include "base/word.h"
#include "host/paths.h"
#include "session/moment/job_words.h"
#include "session/words/read_plan.h"
#include "sim/condition.h"
#include "sim/facts/worst.h"
#include "sim/world.h"

enum { BACK_MOST = 1000000 };

static LpErr run_back(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    uint64_t count = 1;
    if (line->words > 0 &&
        (lp_num_parse_u64(line->word[0], &count, NULL) != LP_OK || count < 1 || count > BACK_MOST))
        return lp_fail(diag, LP_EINVAL, "\"%s\" is no count: expected 1 to %d", line->word[0],
                       BACK_MOST);
    for (uint64_t i = 0; i < count && !app->ui.message[0]; i++)
        lp_app_back(app, true);
    return LP_OK;
}

/* "policy FILE k=v ..." and "param k=v ..." are forks in other words. */
static LpErr run_policy(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    bool file = line->command == LP_UI_COMMAND_POLICY;
    LpBuf text = {0};
    for (int i = 0; i < line->words; i++) {
        lp_buf_add(&text, file && i == 0 ? "policy=" : " param=");
        lp_word_add(&text, line->word[i]);
    }
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_app_fork(app, lp_buf_text(&text), diag);
    lp_buf_fini(&text);
    return err;
}

static LpErr run_seek(LpApp *app, const char *text, LpDiag *diag) {
    LpAt at;
    LP_TRY(lp_at_parse(text, &at, diag));
    return at.kind == LP_SEEK_WORST ? lp_app_look(app, text, false, diag)
                                    : lp_app_seek(app, text, diag);
}

static LpErr run_worst(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    char text[32] = "worst", shown[LP_DIAG_TEXT / 2];
    int word = line->words > 0 ? lp_worst_find_word(line->word[0]) : LP_WORST_REMAINING;
    if (word < 0)
        return lp_fail(diag, LP_EINVAL, "\"%s\": expected remaining, queue or longest",
                       lp_str_show(shown, sizeof shown, line->word[0]));
    snprintf(text, sizeof text, "worst %s", lp_worst_word((LpWorstWord)word));
    return lp_app_look(app, text, false, diag);
}

static LpErr run_rename(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    bool both = line->words == 2;
    return lp_app_rename(app, both ? line->word[0] : NULL, line->word[both], diag);
}

static LpErr run_blame(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    uint64_t job = LP_NO_INDEX;
    if (line->words > 0 &&
        (lp_num_parse_u64(line->word[0], &job, NULL) != LP_OK || job >= LP_NO_INDEX))
        return lp_fail(diag, LP_EINVAL, "\"%s\" is no job: expected its number, from 0",
                       line->word[0]);
    return lp_app_blame(app, (uint32_t)job, diag);
}

LpErr lp_app_run_time(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    if (!lp_app_has_time(app))
        return lp_fail(diag, LP_ESTATE, "this session keeps no time line");
    switch (line->command) {
    case LP_UI_COMMAND_SEEK:
        return run_seek(app, line->rest, diag);
    case LP_UI_COMMAND_WORST:
        return run_worst(app, line, diag);
    case LP_UI_COMMAND_BACK:
        return run_back(app, line, diag);
    case LP_UI_COMMAND_UNDO:
    case LP_UI_COMMAND_REDO:
        lp_app_undo(app, line->command == LP_UI_COMMAND_REDO);
        return LP_OK;
    case LP_UI_COMMAND_FORK:
        return lp_app_fork(app, line->rest, diag);
    case LP_UI_COMMAND_POLICY:
    case LP_UI_COMMAND_PARAM:
        return run_policy(app, line, diag);
    case LP_UI_COMMAND_CHANGE:
        return lp_app_change(app, line->rest, diag);
    case LP_UI_COMMAND_BRANCH:
        return lp_app_switch(app, line->rest, diag);
    case LP_UI_COMMAND_BRANCHES:
        lp_app_show(app, LP_PANE_BRANCHES);
        return LP_OK;
    case LP_UI_COMMAND_RENAME:
        return run_rename(app, line, diag);
    case LP_UI_COMMAND_BLAME:
        return run_blame(app, line, diag);
    case LP_UI_COMMAND_YANK:
        return lp_app_yank_line(app, line, diag);
    case LP_UI_COMMAND_WRITE:
        return lp_app_write(app, line->words > 0 ? line->word[0] : NULL, diag);
    case LP_UI_COMMAND_GHOST:
        return lp_app_ghost(app, diag);
    case LP_UI_COMMAND_BOOKMARK:
        lp_app_bookmark(app);
        return LP_OK;
    case LP_UI_COMMAND_DELETE:
        return lp_app_delete(app, line->rest, diag);
    default:
        return lp_app_compare(app, *line->rest ? line->rest : NULL, diag);
    }
}

/* ---- completion ---- */

/* Graphs are few, and named: an extra job is completed to its end. */
static void add_conditions(const LpApp *app, LpBuf *out) {
    const LpScenario *scenario = lp_session_scenario(app->session);
    for (int i = 0; i < LP_CONDITION_COUNT; i++)
        if (i != LP_CONDITION_EXTRA_JOB)
            lp_buf_addf(out, "%s=\n", lp_condition_name((LpConditionKind)i));
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        lp_buf_addf(out, "%s=", lp_condition_name(LP_CONDITION_EXTRA_JOB));
        lp_word_add(out, scenario->graph[g]->id);
        lp_buf_add(out, "\n");
    }
}

/* "ways=" and so on, while a job is due that is cut into ops; "cubes=", "origin=" of a slice. */
static void add_job_words(const LpApp *app, LpBuf *out) {
    const LpWorld *world = lp_session_world(app->session);
    uint32_t due = lp_world_due(world);
    if (due == LP_NO_INDEX)
        return;
    const LpJob *job = lp_world_job(world, due);
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++) {
        bool slice = i == LP_JOB_WORD_CUBES || i == LP_JOB_WORD_ORIGIN;
        if (slice ? job->slice.row > 0 : job->graph >= 0)
            lp_buf_addf(out, "%s=\n", lp_job_word_name((LpJobWord)i));
    }
}

/* "tensor=" and so on, where the job that is due is split by plans. */
static void add_plan_words(const LpApp *app, LpBuf *out) {
    uint32_t due = lp_world_due(lp_session_world(app->session));
    if (due == LP_NO_INDEX || !lp_job_has_plans(app->session, due))
        return;
    for (size_t i = 0; i < LP_PARALLEL_NUMBERS; i++)
        if (i != LP_PARALLEL_AT_batch)
            lp_buf_addf(out, "%s=\n", lp_parallel_key(i));
}

void lp_app_words_time(const LpApp *app, LpUiWords kind, LpBuf *out) {
    bool branches = kind == LP_UI_WORDS_BRANCH || kind == LP_UI_WORDS_COMPARE;
    uint32_t count = branches ? lp_session_branches(app->session) : 0;
    if (kind == LP_UI_WORDS_POLICY)
        (void)!lp_paths_list_policies(out, NULL);
    if (kind == LP_UI_WORDS_COMPARE) {
        /* "policy=edf.lua" and so on. */
        LpBuf names = {0};
        (void)!lp_paths_list_policies(&names, NULL);
        for (const char *line = lp_buf_text(&names); *line;) {
            size_t len = strcspn(line, "\n");
            lp_buf_addf(out, "policy=%.*s\n", (int)len, line);
            line += len + (line[len] == '\n');
        }
        lp_buf_fini(&names);
    }
    if (kind == LP_UI_WORDS_FORK) {
        add_plan_words(app, out);
        add_job_words(app, out);
        lp_buf_add(out, "degree=\nservers=\nwait\ndecline\npolicy=\nparam=\nname=\n");
    }
    if (kind == LP_UI_WORDS_FORK || kind == LP_UI_WORDS_CHANGE)
        add_conditions(app, out);
    for (uint32_t i = 0; i < count; i++) {
        LpBranchInfo info;
        if (lp_session_branch(app->session, i, &info) == LP_OK && !info.deleted)
            lp_buf_addf(out, "%s\n", info.name);
    }
}
