/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a policy: its names, its contract on mini-scenarios, whether it repeats; what
 * its decisions cost and how it compares. Nothing here depends on how fast the machine is. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/mem.h"
#include "io/file.h"
#include "run/paths.h"
#include "run/policy_mini.h"
#include "run/policy_tools.h"
#include "run/session_impl.h"
#include "script/api_table.h"

enum { USES_MAX = 64, AROUND = 2, SOURCE_MAX = 1 << 20, SHOWN = 80, COLUMN = 20 };

/* Policies that came with the program, to compare with. */
static const char *const BUILT_IN[] = {"no_parallelism", "max_parallelism", "acceptable_jct",
                                       "meets_deadline", "fit_first"};

/* Hooks that have nothing to decide on the fabrics there are. */
static const struct {
    const char *hook, *why;
} IDLE[] = {{"allocate", "these fabrics leave no choice of light paths"},
            {"configure", "these fabrics have no switches"}};

typedef struct Check {
    const char *path;
    char *source;
    size_t len;
    uint32_t params;
    const char *const *param;
    LpBuf *out;
    int problems;
} Check;

/* One run of one policy. */
typedef struct Run {
    uint64_t hash, decisions, units, most_units, predictions, most_predictions, failures, refused;
    LpDiag failure, action; /* the first of each */
    uint64_t actions_refused;
    char last[LP_DIAG_TEXT]; /* message after the last step */
    char refusal[LP_DIAG_TEXT];
    uint32_t refused_job;
    LpSummary summary;
} Run;

/* ---- saying what is wrong ------------------------------------------------------------------- */

static void add_source_line(LpBuf *out, const char *text, size_t len, int number, bool here) {
    lp_buf_addf(out, "    %s %4d | ", here ? ">" : " ", number);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\t')
            lp_buf_add(out, "    ");
        else
            lp_str_escape(out, text + i, 1);
    lp_buf_add(out, "\n");
}

/* The line and two around it. */
static void add_excerpt(LpBuf *out, const char *source, int line) {
    const char *at = source;
    for (int number = 1; line > 0 && at != NULL && number <= line + AROUND; number++) {
        const char *end = strchr(at, '\n');
        size_t len = end != NULL ? (size_t)(end - at) : strlen(at);
        bool last = end == NULL || end[1] == '\0';
        if (number >= line - AROUND)
            add_source_line(out, at, len, number, number == line);
        at = last ? NULL : end + 1;
    }
}

/* file NULL: the policy's own; else maybe one that it requires. */
static void problem(Check *c, const char *file, int line, const char *what, const char *text) {
    char shown[LP_DIAG_FILE], place[32] = "", *other = NULL;
    size_t len;
    LpDiag ignored;
    bool own = file == NULL || file[0] == '\0' || strcmp(file, c->path) == 0;
    if (line > 0)
        snprintf(place, sizeof place, ":%d", line);
    lp_buf_addf(c->out, "%s%s: %s%s\n", lp_str_show(shown, sizeof shown, own ? c->path : file),
                place, what, text);
    if (own)
        add_excerpt(c->out, c->source, line);
    else if (lp_file_read(file, SOURCE_MAX, &other, &len, &ignored) == LP_OK)
        add_excerpt(c->out, other, line);
    lp_free(other);
    c->problems++;
}

static void begin(const Check *c, const char *title) {
    lp_buf_addf(c->out, "  %-11s ", title);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What the sandbox says to a script that does nothing but use this name; "" when it is fine. */
static LpErr probe(const LpGlobalUse *use, const LpScenario *scenario, char text[LP_DIAG_TEXT],
                   LpDiag *diag) {
    LpPolicy *policy = NULL;
    LpBuf source = {0};
    LpDiag inner = {.code = LP_OK};
    lp_buf_addf(&source, use->assigned ? "%s = nil\n" : "local _ = %s\n", use->name);
    lp_buf_add(&source, "return { name = 'x', api = 1, partition = function() end }\n");
    LpErr err = lp_buf_ok(&source, diag);
    if (err == LP_OK) {
        const char *script = lp_buf_text(&source);
        err = lp_mini_policy_text(script, source.len, scenario, &policy, &inner);
        lp_str_copy(text, LP_DIAG_TEXT, err == LP_OK ? "" : inner.text);
        if (err == LP_ENOMEM)
            *diag = inner;
    }
    lp_policy_free(policy);
    lp_buf_fini(&source);
    return err == LP_ENOMEM ? err : LP_OK;
}

static LpErr check_names(Check *c, const LpScenario *scenario, LpDiag *diag) {
    LpGlobalUse use[USES_MAX];
    int before = c->problems;
    size_t count = lp_globals_find(c->source, c->len, use, USES_MAX);
    for (size_t i = 0; i < count && i < USES_MAX; i++) {
        char text[LP_DIAG_TEXT];
        LP_TRY(probe(&use[i], scenario, text, diag));
        if (text[0] != '\0')
            problem(c, NULL, use[i].line, "", text);
    }
    begin(c, "names");
    lp_buf_add(c->out, c->problems == before ? "ok\n" : "unknown names\n");
    return LP_OK;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static void add_use(Run *run, const LpPolicy *policy) {
    LpPolicyUse use = lp_policy_use(policy);
    run->decisions++;
    run->units += use.instructions;
    run->predictions += use.predictions;
    if (use.instructions > run->most_units)
        run->most_units = use.instructions;
    if (use.predictions > run->most_predictions)
        run->most_predictions = use.predictions;
}

/* What the cluster refuses is no failure of the script. */
static void add_failure(Run *run, const LpDiag *diag) {
    bool refused = diag->code == LP_EREFUSED;
    uint64_t before = refused ? run->actions_refused++ : run->failures++;
    if (before == 0)
        *(refused ? &run->action : &run->failure) = *diag;
}

/* An error stays until the next decision: it counts once. */
static void add_failure_of(Run *run, const LpSession *session, bool decided) {
    const LpDiag *error = lp_session_policy_error(session);
    if (error != NULL && (decided || strcmp(error->text, run->last) != 0))
        add_failure(run, error);
    lp_str_copy(run->last, sizeof run->last, error != NULL ? error->text : "");
}

static void find_refusal(Run *run, const LpSession *session) {
    const LpWorld *world = lp_session_world(session);
    run->refused = lp_world_tally(world)->blocked_by[LP_CAUSE_REFUSED];
    for (uint32_t i = lp_world_jobs(world); run->refused > 0 && i-- > 0;)
        if (lp_world_job(world, i)->cause == LP_CAUSE_REFUSED) {
            run->refused_job = i;
            lp_str_copy(run->refusal, sizeof run->refusal, lp_session_why(session, i).reason);
        }
}

static LpErr play(LpSession *session, Run *run, LpDiag *diag) {
    LpEvent event;
    while (!lp_world_over(session->world)) {
        bool due = lp_world_due(session->world) != LP_NO_INDEX;
        LpErr err = lp_session_step(session, &event, diag);
        if (err == LP_EBUDGET) {
            add_failure(run, diag); /* stopped for its time: nobody waits for the rest */
            lp_world_finish(session->world, session->context);
        } else if (err != LP_OK) {
            return err;
        }
        if (due)
            add_use(run, session->policy);
        add_failure_of(run, session, due);
    }
    find_refusal(run, session);
    run->hash = lp_session_hash(session);
    return lp_metrics_summary(session->world, session->context, &run->summary, diag);
}

static LpErr run_one(const char *path, uint32_t params, const char *const *param, int mini,
                     Run *run, LpDiag *diag) {
    LpScenario *scenario;
    LpSession *session;
    LpSessionSpec spec = {.policy = path, .params = params, .param = param};
    *run = (Run){0};
    LP_TRY(lp_mini_open(mini, 0, &scenario, diag));
    LP_TRY(lp_session_open_with(scenario, &spec, &session, diag));
    LpErr err = play(session, run, diag);
    lp_session_close(session);
    return err;
}

/* ---- contract, repetition, cost ------------------------------------------------------------- */

static void tell_contract(Check *c, int mini, const Run *run) {
    if (run->failures > 0) {
        char what[SHOWN];
        snprintf(what, sizeof what, "failed %llu time%s on the scenario \"%s\", first: ",
                 (unsigned long long)run->failures, run->failures == 1 ? "" : "s",
                 lp_mini_name(mini));
        problem(c, run->failure.file, run->failure.line, what, run->failure.text);
    }
    if (run->refused > 0) {
        begin(c, "note");
        lp_buf_addf(c->out, "%llu answer%s refused on \"%s\", first for job %u: %s\n",
                    (unsigned long long)run->refused, run->refused == 1 ? "" : "s",
                    lp_mini_name(mini), (unsigned)run->refused_job, run->refusal);
    }
}

static void tell_actions(const Check *c, int mini, const Run *run) {
    if (run->actions_refused == 0)
        return;
    begin(c, "note");
    lp_buf_addf(c->out, "%llu action%s refused on \"%s\", first: %s\n",
                (unsigned long long)run->actions_refused, run->actions_refused == 1 ? "" : "s",
                lp_mini_name(mini), run->action.text);
}

static LpErr check_runs(Check *c, Run runs[LP_MINI_COUNT], LpDiag *diag) {
    int before = c->problems, differing = 0;
    char hex[LP_HASH_HEX + 1];
    LpBuf hashes = {0};
    LpErr err = LP_OK;
    for (int i = 0; i < LP_MINI_COUNT && err == LP_OK; i++) {
        Run again;
        err = run_one(c->path, c->params, c->param, i, &runs[i], diag);
        if (err == LP_OK)
            err = run_one(c->path, c->params, c->param, i, &again, diag);
        if (err != LP_OK)
            break;
        tell_contract(c, i, &runs[i]);
        tell_actions(c, i, &runs[i]);
        differing += again.hash != runs[i].hash;
        lp_buf_addf(&hashes, " %s", lp_hash_hex(runs[i].hash, hex));
    }
    begin(c, "contract");
    lp_buf_add(c->out, c->problems == before ? "ok\n" : "broken\n");
    if (differing > 0)
        problem(c, NULL, 0, "two runs of the same scenario differ",
                ": something outlives a decision");
    begin(c, "repeats");
    lp_buf_addf(c->out, "%s%s\n", differing > 0 ? "no: " : "ok:", lp_buf_text(&hashes));
    lp_buf_fini(&hashes);
    return err;
}

static void tell_cost(const Check *c, const Run runs[LP_MINI_COUNT]) {
    Run sum = {0};
    for (int i = 0; i < LP_MINI_COUNT; i++) {
        sum.decisions += runs[i].decisions;
        sum.units += runs[i].units;
        sum.predictions += runs[i].predictions;
        if (runs[i].most_units > sum.most_units)
            sum.most_units = runs[i].most_units;
        if (runs[i].most_predictions > sum.most_predictions)
            sum.most_predictions = runs[i].most_predictions;
    }
    double each = sum.decisions > 0 ? (double)sum.decisions : 1;
    begin(c, "cost");
    lp_buf_addf(c->out,
                "%llu decisions; each %.0f units (most %llu of %d), %.1f predictions (most "
                "%llu)\n",
                (unsigned long long)sum.decisions, (double)sum.units / each,
                (unsigned long long)sum.most_units, LP_POLICY_INSTRUCTIONS,
                (double)sum.predictions / each, (unsigned long long)sum.most_predictions);
}

/* ---- hooks ---------------------------------------------------------------------------------- */

static const char *why_idle(const LpApiRow *row) {
    for (size_t i = 0; i < LP_COUNTOF(IDLE); i++)
        if (strcmp(IDLE[i].hook, row->name) == 0)
            return IDLE[i].why;
    return NULL;
}

static void tell_hooks(const Check *c, const LpPolicy *policy) {
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    begin(c, "hooks");
    for (size_t i = 0, shown = 0; i < count; i++)
        if (strcmp(rows[i].group, "hook") == 0 && lp_policy_has_hook(policy, rows[i].name))
            lp_buf_addf(c->out, "%s%s", shown++ > 0 ? ", " : "", rows[i].name);
    lp_buf_add(c->out, "\n");
    for (size_t i = 0; i < count; i++) {
        const char *why = why_idle(&rows[i]);
        if (strcmp(rows[i].group, "hook") != 0 || why == NULL ||
            !lp_policy_has_hook(policy, rows[i].name))
            continue;
        begin(c, "note");
        lp_buf_addf(c->out, "%s is never called here: %s\n", rows[i].name, why);
    }
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* Seconds, or "-" where there are none. */
static void add_number(LpBuf *out, double value, const char *unit) {
    char text[32] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.4g%s", value, unit);
    lp_buf_addf(out, "  %10s", text);
}

static void add_row(LpBuf *out, const char *scenario, const char *policy, const LpSummary *s) {
    char shown[COLUMN + 1];
    lp_buf_addf(out, "  %-11s %-20s", scenario, lp_str_show(shown, sizeof shown, policy));
    add_number(out, s->blocking_rate * 100, " %");
    add_number(out, s->mean_jct, " s");
    add_number(out, s->mean_wait, " s");
    lp_buf_add(out, "\n");
}

static bool find_built_in(const char *name, char path[LP_PATH_TEXT]) {
    LpPaths paths;
    struct stat about;
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++) {
        int len = snprintf(path, LP_PATH_TEXT, "%s/scripts/%s.lua", *dir, name);
        if (len > 0 && len < LP_PATH_TEXT && stat(path, &about) == 0)
            return true;
    }
    return false;
}

static LpErr compare(const Check *c, const char *name, const Run runs[LP_MINI_COUNT],
                     LpDiag *diag) {
    lp_buf_addf(c->out, "\n  %-11s %-20s  %10s  %10s  %10s\n", "scenario", "policy", "blocked",
                "mean JCT", "mean wait");
    for (int i = 0; i < LP_MINI_COUNT; i++) {
        add_row(c->out, lp_mini_name(i), name, &runs[i].summary);
        for (size_t k = 0; k < LP_COUNTOF(BUILT_IN); k++) {
            char path[LP_PATH_TEXT];
            Run run;
            if (!find_built_in(BUILT_IN[k], path))
                continue;
            LP_TRY(run_one(path, 0, NULL, i, &run, diag));
            add_row(c->out, "", BUILT_IN[k], &run.summary);
        }
    }
    return LP_OK;
}

/* ---- one file ------------------------------------------------------------------------------- */

static LpErr check_loaded(Check *c, const LpPolicy *policy, LpDiag *diag) {
    Run runs[LP_MINI_COUNT] = {{0}};
    tell_hooks(c, policy);
    LP_TRY(check_runs(c, runs, diag));
    tell_cost(c, runs);
    return compare(c, lp_policy_name(policy), runs, diag);
}

static LpErr check_source(Check *c, LpDiag *diag) {
    LpScenario *scenario;
    LpPolicy *policy = NULL;
    LpDiag inner = {.code = LP_OK};
    LP_TRY(lp_mini_open(0, 0, &scenario, diag));
    LpErr err = lp_mini_policy(c->path, scenario, c->params, c->param, &policy, &inner);
    bool loaded = err == LP_OK;
    if (!loaded) {
        problem(c, inner.file, inner.line, "does not load: ", inner.text);
        *diag = inner;
        err = err == LP_ENOMEM ? err : LP_OK;
    }
    if (err == LP_OK)
        err = check_names(c, scenario, diag);
    if (err == LP_OK && loaded)
        err = check_loaded(c, policy, diag);
    lp_policy_free(policy);
    lp_scenario_free(scenario);
    return err;
}

/* A bare name may mean a policy of the program. */
static const char *file_of(const char *path, char room[LP_PATH_TEXT]) {
    struct stat about;
    char name[SHOWN];
    size_t len = strlen(path), end = sizeof ".lua" - 1;
    if (stat(path, &about) == 0 || strchr(path, '/') != NULL || len >= sizeof name)
        return path;
    bool ends = len > end && strcmp(path + len - end, ".lua") == 0;
    lp_str_copy(name, ends ? len - end + 1 : sizeof name, path);
    return find_built_in(name, room) ? room : path;
}

LpErr lp_policy_tool_check(const char *path, uint32_t params, const char *const *param, LpBuf *out,
                           bool *passed, LpDiag *diag) {
    char shown[LP_DIAG_FILE], room[LP_PATH_TEXT];
    path = file_of(path, room);
    Check c = {.path = path, .params = params, .param = param, .out = out};
    if (strcmp(path, "-") == 0)
        return lp_fail(diag, LP_EINVAL, "a policy is a file: expected its name instead of -");
    LP_TRY(lp_file_read(path, SOURCE_MAX, &c.source, &c.len, diag));
    lp_buf_addf(out, "%s\n", lp_str_show(shown, sizeof shown, path));
    LpErr err = check_source(&c, diag);
    lp_free(c.source);
    if (err != LP_OK)
        return err;
    if (c.problems == 0)
        lp_buf_addf(out, "%s: ok\n", shown);
    else
        lp_buf_addf(out, "%s: %d problem%s\n", shown, c.problems, c.problems == 1 ? "" : "s");
    *passed = c.problems == 0;
    return lp_buf_ok(out, diag);
}
