/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands do that concern running and the screen. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"
#include "ask/draft/as_policy.h"
#include "ask/policy/tools.h"
#include "base/num.h"
#include "host/paths.h"
#include "views/collective/collective_view.h"
#include "views/curves/curves_view.h"
#include "views/learning/learning_view.h"
#include "views/study/study_view.h"
#include "views/whatif/whatif_view.h"
#include "widgets/chart.h"

enum { COUNT_MAX = 1000000 };

/* A count in the first word, 1 without one. */
static LpErr read_count(const LpUiLine *line, long *out, LpDiag *diag) {
    uint64_t count = 1;
    if (line->words > 0 &&
        (lp_num_parse_u64(line->word[0], &count, NULL) != LP_OK || count < 1 || count > COUNT_MAX))
        return lp_fail(diag, LP_EINVAL, "\"%s\" is no count: expected 1 to %d", line->word[0],
                       COUNT_MAX);
    *out = (long)count;
    return LP_OK;
}

/* ---- running ---- */

typedef LpErr Run(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag);

static LpErr run_step(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    long count = 1;
    LP_TRY(read_count(line, &count, diag));
    lp_app_next(app, line->command == LP_UI_COMMAND_NEXT, count);
    return LP_OK;
}

static LpErr run_play(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    if (line->words > 0)
        return lp_app_demo(app, line->rest, now, diag);
    lp_app_play(app, line->command == LP_UI_COMMAND_PLAY, now);
    return LP_OK;
}

/* "0.5", or "0.5x" as it is shown. */
static LpErr run_pace(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    const char *names[LP_UI_SPEEDS + 1] = {NULL};
    char name[LP_UI_SPEEDS][8];
    int speed = app->ui.speed;
    for (int i = 0; i < LP_UI_SPEEDS; i++) {
        names[i] = lp_str_copy(name[i], sizeof name[i], lp_speed_name(i));
        if (!strchr(line->word[0], 'x') && isdigit((unsigned char)name[i][0]))
            name[i][strlen(name[i]) - 1] = '\0';
    }
    LP_TRY(lp_app_read_name("pace", names, line->word[0], &speed, diag));
    lp_app_pace(app, speed, now);
    return LP_OK;
}

static LpErr run_until(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_run_until(app, line->rest, diag);
}

static LpErr run_break(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_break(app, line->rest, diag);
}

static LpErr run_lua(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpHost host = lp_app_host(app, now);
    if (!lp_app_shown(app)->ask)
        return lp_app_query(app, line->rest, diag);
    lp_app_shown(app)->ask(&host, line->rest);
    return LP_OK;
}

static LpErr run_whatif(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    long best = 0;
    if (line->words > 0 && strcmp(line->word[0], "all") != 0)
        LP_TRY(read_count(line, &best, diag));
    if (!lp_app_is_due(app))
        return lp_fail(diag, LP_ESTATE, "no decision is due; next goes to one");
    lp_app_show(app, LP_PANE_WHATIF);
    LpHost host = lp_app_host(app, now);
    return line->words > 0 ? lp_whatif_run(&host, (uint32_t)best, diag) : LP_OK;
}

static LpErr run_seeds(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    long count = LP_UI_SEEDS;
    if (line->words > 0)
        LP_TRY(read_count(line, &count, diag));
    if (count < 1 || count > LP_UI_SEEDS_MOST)
        return lp_fail(diag, LP_EINVAL, "seeds %ld: expected 1 to %d", count, LP_UI_SEEDS_MOST);
    return lp_app_seeds(app, (uint32_t)count, diag);
}

/* A job by its number, LP_NO_INDEX without a word. */
static LpErr read_job(const LpApp *app, const LpUiLine *line, uint64_t *job, LpDiag *diag) {
    uint32_t jobs = lp_world_jobs(lp_session_world(app->session));
    *job = LP_NO_INDEX;
    if (line->words > 0 && (lp_num_parse_u64(line->word[0], job, NULL) != LP_OK || *job >= jobs))
        return lp_fail(diag, LP_EINVAL, "there is no job \"%s\": %u have arrived", line->word[0],
                       (unsigned)jobs);
    return LP_OK;
}

static LpErr run_as_policy(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    int width = line->words > 0 ? lp_policy_width_find(line->word[0]) : -1;
    const char *path = line->words > (width >= 0) ? line->word[width >= 0] : NULL;
    return lp_app_as_policy(app, width >= 0 ? width : LP_WIDTH_JOB, path, diag);
}

static LpErr run_story(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    uint64_t job;
    LP_TRY(read_job(app, line, &job, diag));
    LpHost host = lp_app_host(app, now);
    return lp_host_story(&host, (uint32_t)job, diag);
}

static LpErr run_filter(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag LP_UNUSED) {
    LpHost host = lp_app_host(app, now);
    bool filters = lp_app_shown(app)->filter != NULL;
    (filters ? lp_app_shown(app) : lp_app_view(LP_PANE_JOBS))->filter(&host, line->rest);
    if (!filters)
        lp_app_show(app, LP_PANE_JOBS);
    return LP_OK;
}

static LpErr run_frame(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_frame_to(app, line->words > 0 ? line->word[0] : "next", diag);
}

static LpErr run_search(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_search(app, line->rest, diag);
}

static LpErr run_inspect(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    const LpWorld *world = lp_session_world(app->session);
    uint64_t job;
    LP_TRY(read_job(app, line, &job, diag));
    if (line->words > 0 && lp_world_job(world, (uint32_t)job)->placed.placement == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "%s never had servers: no step to show",
                       lp_app_label(app, (uint32_t)job).text);
    LpHost host = lp_app_host(app, now);
    lp_host_open(&host, LP_PANE_STEP, (uint32_t)job);
    return LP_OK;
}

static LpErr run_graph(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    uint64_t job;
    LP_TRY(read_job(app, line, &job, diag));
    if (line->words > 0 && lp_world_job(lp_session_world(app->session), (uint32_t)job)->graph < 0)
        return lp_fail(diag, LP_ESTATE, "%s is rigid: it has no graph",
                       lp_app_label(app, (uint32_t)job).text);
    LpHost host = lp_app_host(app, now);
    lp_host_open(&host, LP_PANE_GRAPH, (uint32_t)job);
    return LP_OK;
}

static LpErr run_tree(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    const LpWorld *world = lp_session_world(app->session);
    uint64_t job;
    LP_TRY(read_job(app, line, &job, diag));
    if (line->words > 0 && lp_world_job(world, (uint32_t)job)->outcome != LP_JOB_WAITING)
        return lp_fail(diag, LP_ESTATE, "%s does not wait now",
                       lp_app_label(app, (uint32_t)job).text);
    LpHost host = lp_app_host(app, now);
    lp_host_open(&host, LP_PANE_TREE, (uint32_t)job);
    return LP_OK;
}

static LpErr run_collective(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpHost host = lp_app_host(app, now);
    return lp_collective_open(&host, line->rest, diag);
}

static LpErr run_learning(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpHost host = lp_app_host(app, now);
    return lp_learning_open(&host, line->word, line->words, diag);
}

static LpErr run_study(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpHost host = lp_app_host(app, now);
    return lp_study_open(&host, line->words > 0 ? line->word[0] : NULL, diag);
}

static LpErr run_explain(LpApp *app, const LpUiLine *line LP_UNUSED, int64_t now LP_UNUSED,
                         LpDiag *diag LP_UNUSED) {
    lp_app_explain(app);
    return LP_OK;
}

/* ---- the screen ---- */

enum { VIEWS_MOST = LP_PANE_COUNT + 3 };

static void list_views(const char *names[VIEWS_MOST], int panes[VIEWS_MOST]) {
    int count = 0;
    names[count] = "main";
    panes[count++] = LP_PANE_COUNT;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        if (lp_app_view((LpPane)pane)->fixed)
            continue;
        names[count] = lp_pane_name((LpPane)pane);
        panes[count++] = pane;
    }
    names[count] = "timeline"; /* the tree of branches; the line below is no view */
    panes[count++] = LP_PANE_BRANCHES;
    names[count] = NULL;
}

static LpErr run_summary(LpApp *app, const LpUiLine *line LP_UNUSED, int64_t now LP_UNUSED,
                         LpDiag *diag LP_UNUSED) {
    lp_app_show(app, LP_PANE_SUMMARY);
    return LP_OK;
}

static LpErr run_view(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    const char *names[VIEWS_MOST];
    int panes[VIEWS_MOST], index;
    list_views(names, panes);
    LP_TRY(lp_app_read_name("view", names, line->word[0], &index, diag));
    lp_app_show(app, (LpPane)panes[index]);
    return LP_OK;
}

static LpErr run_theme(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_set_theme(app, line->word[0], diag);
}

static LpErr run_mouse(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    static const char *const names[] = {"on", "off", NULL};
    int index = app->ui.mouse == LP_MOUSE_ON;
    if (line->words > 0)
        LP_TRY(lp_app_read_name("state", names, line->word[0], &index, diag));
    lp_app_take_mouse(app, index == 0);
    return LP_OK;
}

static LpErr run_set(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    for (int i = 0; i < line->words; i++)
        LP_TRY(lp_app_set(app, line->word[i], diag));
    return LP_OK;
}

/* The screen as it is without the command line. */
static LpErr run_save(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    LP_TRY(lp_app_draw(app, diag));
    LP_TRY(lp_ui_save_screen(app, line->word[0], diag));
    app->dirty = true;
    lp_app_say(app, false, "the screen is in %s", line->word[0]);
    return LP_OK;
}

static LpErr run_help(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_help(app, *line->rest ? line->rest : NULL, diag);
}

static LpErr run_open(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_open_other(app, line->rest, diag);
}

static LpErr run_quit(LpApp *app, const LpUiLine *line LP_UNUSED, int64_t now LP_UNUSED,
                      LpDiag *diag LP_UNUSED) {
    app->quit = true;
    return LP_OK;
}

static LpErr run_regroup(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    return lp_app_regroup(app, line, diag);
}

static Run *const runs[LP_UI_COMMAND_COUNT] = {
    [LP_UI_COMMAND_STEP] = run_step,
    [LP_UI_COMMAND_NEXT] = run_step,
    [LP_UI_COMMAND_PLAY] = run_play,
    [LP_UI_COMMAND_PAUSE] = run_play,
    [LP_UI_COMMAND_PACE] = run_pace,
    [LP_UI_COMMAND_ABOUT] = lp_app_run_about,
    [LP_UI_COMMAND_VIEW] = run_view,
    [LP_UI_COMMAND_SUMMARY] = run_summary,
    [LP_UI_COMMAND_THEME] = run_theme,
    [LP_UI_COMMAND_SET] = run_set,
    [LP_UI_COMMAND_HELP] = run_help,
    [LP_UI_COMMAND_SAVE_SCREEN] = run_save,
    [LP_UI_COMMAND_RUN_UNTIL] = run_until,
    [LP_UI_COMMAND_BREAK] = run_break,
    [LP_UI_COMMAND_LUA] = run_lua,
    [LP_UI_COMMAND_OPEN] = run_open,
    [LP_UI_COMMAND_TOUR] = lp_app_run_tour,
    [LP_UI_COMMAND_QUIT] = run_quit,
    [LP_UI_COMMAND_SEEDS] = run_seeds,
    [LP_UI_COMMAND_WHATIF] = run_whatif,
    [LP_UI_COMMAND_EXPLAIN] = run_explain,
    [LP_UI_COMMAND_INSPECT] = run_inspect,
    [LP_UI_COMMAND_STORY] = run_story,
    [LP_UI_COMMAND_GRAPH] = run_graph,
    [LP_UI_COMMAND_FILTER] = run_filter,
    [LP_UI_COMMAND_AS_POLICY] = run_as_policy,
    [LP_UI_COMMAND_REGROUP] = run_regroup,
    [LP_UI_COMMAND_SEARCH] = run_search,
    [LP_UI_COMMAND_FRAME] = run_frame,
    [LP_UI_COMMAND_LESSON] = lp_app_run_lesson,
    [LP_UI_COMMAND_MARK] = lp_app_run_mark,
    [LP_UI_COMMAND_PRESENT] = lp_app_run_present,
    [LP_UI_COMMAND_DO] = lp_app_run_do,
    [LP_UI_COMMAND_RECORD] = lp_app_run_record,
    [LP_UI_COMMAND_MOUSE] = run_mouse,
    [LP_UI_COMMAND_STUDY] = run_study,
    [LP_UI_COMMAND_LEARNING] = run_learning,
    [LP_UI_COMMAND_TREE] = run_tree,
    [LP_UI_COMMAND_COLLECTIVE] = run_collective,
};

LpErr lp_app_run(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    if (!runs[line->command])
        return lp_app_run_time(app, line, diag);
    return runs[line->command](app, line, now, diag);
}

LpErr lp_app_command(LpApp *app, const char *text, int64_t now, LpDiag *diag) {
    LpUiLine line;
    app->ui.message[0] = '\0';
    app->ui.message_bad = false;
    if (!app->demo.on)
        app->ui.told[0] = '\0';
    app->dirty = true;
    lp_app_record_played(app);
    lp_app_poll(app);
    LP_TRY(lp_ui_command_read(text, &line, diag));
    LpErr err = lp_app_run(app, &line, now, diag);
    bool itself = line.command == LP_UI_COMMAND_RECORD ||
                  (line.command == LP_UI_COMMAND_PLAY && line.words > 0); /* its lines are */
    if (err == LP_OK && line.command == LP_UI_COMMAND_SEEK) {
        char seek[sizeof line.text[0] + 8]; /* a moment alone would be keys in a script */
        snprintf(seek, sizeof seek, "seek %s", line.rest);
        lp_app_record_line(app, seek);
    } else if (err == LP_OK && !itself) {
        lp_app_record_line(app, text + strspn(text, " \t:"));
    }
    lp_app_saved(app, now);
    return err;
}

/* ---- completion ---- */

static void add_commands(LpBuf *out) {
    char name[32];
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++)
        lp_buf_addf(out, "%s\n", lp_ui_command_name((LpUiCommand)i, name));
}

static void add_views(LpBuf *out) {
    const char *names[VIEWS_MOST];
    int panes[VIEWS_MOST];
    list_views(names, panes);
    for (int i = 0; names[i]; i++)
        lp_buf_addf(out, "%s\n", names[i]);
}

static void add_mouse(LpBuf *out) {
    lp_buf_add(out, "on\noff\n");
}

static void add_yanks(LpBuf *out) {
    lp_buf_add(out, "moment\npane\n");
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        lp_buf_addf(out, "%s\n", lp_pane_name((LpPane)pane));
}

static void add_speeds(LpBuf *out) {
    for (int i = 0; i < LP_UI_SPEEDS; i++)
        lp_buf_addf(out, "%s\n", lp_speed_name(i));
}

static void add_frames(LpBuf *out) {
    lp_buf_add(out, "next\nback\nlast\noff\n");
}

static void add_conditions(LpBuf *out) {
    for (int i = 0; i < LP_EVENT_COUNT; i++)
        lp_buf_addf(out, "event %s\n", lp_event_name((LpEventKind)i));
    for (int i = LP_CAUSE_NONE + 1; i < LP_CAUSE_COUNT; i++)
        lp_buf_addf(out, "cause %s\n", lp_cause_code((LpCause)i));
    lp_buf_add(out, "job \n");
}

void lp_app_words(const LpApp *app, LpUiWords kind, LpBuf *out) {
    static void (*const adds[LP_UI_WORDS_COUNT])(LpBuf * out) = {
        [LP_UI_WORDS_COMMAND] = add_commands,
        [LP_UI_WORDS_VIEW] = add_views,
        [LP_UI_WORDS_SPEED] = add_speeds,
        [LP_UI_WORDS_YANK] = add_yanks,
        [LP_UI_WORDS_THEME] = lp_app_words_themes,
        [LP_UI_WORDS_SETTING] = lp_app_words_settings,
        [LP_UI_WORDS_CONDITION] = add_conditions,
        [LP_UI_WORDS_FRAME] = add_frames,
        [LP_UI_WORDS_LESSON] = lp_app_words_lesson,
        [LP_UI_WORDS_MARK] = lp_app_words_mark,
        [LP_UI_WORDS_PRESENT] = lp_app_words_present,
        [LP_UI_WORDS_ACTION] = lp_app_words_action,
        [LP_UI_WORDS_SCENARIO] = lp_app_words_scenario,
        [LP_UI_WORDS_MOUSE] = add_mouse,
        [LP_UI_WORDS_DEMO] = lp_app_words_demo,
    };
    if (kind == LP_UI_WORDS_TOPIC) {
        add_commands(out);
        lp_app_words_topic(out);
        lp_policy_tool_topics(out);
    } else if (adds[kind]) {
        adds[kind](out);
    } else {
        lp_app_words_time(app, kind, out);
    }
}
