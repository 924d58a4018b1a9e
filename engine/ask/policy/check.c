/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a policy: its names, its contract on mini-scenarios, whether it repeats; what
 * its decisions cost and how it compares. Nothing here depends on how fast the machine is. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ask/policy/play.h"
#include "ask/policy/tools.h"
#include "base/hash.h"
#include "base/mem.h"
#include "host/paths.h"
#include "io/files/file.h"
#include "script/policy/api_table.h"

enum { USES_MAX = 64, AROUND = 2, SOURCE_MAX = 1 << 20, SHOWN = 80, COLUMN = 20 };

/* Policies that came with the program, to compare with. */
static const char *const BUILT_IN[] = {"no_parallelism", "max_parallelism", "acceptable_jct",
                                       "meets_deadline", "fit_first"};

/* Hooks that are not called in every scenario: they are tried in one of their own. */
static const struct {
    const char *hook;
    LpMini mini;
} OWN[] = {{"configure", LP_MINI_OCS},
           {"phase", LP_MINI_TURNS},
           {"failure", LP_MINI_POD},
           {"failure", LP_MINI_FAILING}};

/* What a policy names that is about pods. */
static const char *const OF_PODS[] = {":slices(", ":cube(", ".cubes", ".slice"};

typedef struct Check {
    const char *path;
    char *source;
    size_t len;
    uint32_t params;
    const char *const *param;
    LpBuf *out;
    int problems;
    bool plays[LP_MINI_MOST]; /* scenarios that are played */
    bool pods;                /* it is about pods: what fails elsewhere is no problem */
} Check;

/* ---- saying what is wrong ---- */

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

/* ---- names ---- */

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

/* ---- contract, repetition, cost ---- */

/* The job of a message, "partition(job 5): ", says nothing about the mistake. */
static const char *after_job(const char *text) {
    const char *end = strstr(text, "): ");
    return end != NULL && strstr(text, "(job ") != NULL && strstr(text, "(job ") < end ? end : text;
}

static bool same_failure(const LpPolicyRun *a, const LpPolicyRun *b) {
    return a->failures > 0 && b->failures > 0 && a->failure.line == b->failure.line &&
           strcmp(a->failure.file, b->failure.file) == 0 &&
           strcmp(after_job(a->failure.text), after_job(b->failure.text)) == 0;
}

static void add_times(LpBuf *out, const LpPolicyRun *run, int mini) {
    lp_buf_addf(out, "%llu time%s on the scenario \"%s\"", (unsigned long long)run->failures,
                run->failures == 1 ? "" : "s", lp_mini_name(mini));
}

/* A policy of pods may count on slices. */
static bool may_fail(const Check *c, int mini) {
    return c->pods && mini != LP_MINI_POD;
}

static void tell_elsewhere(const Check *c, int mini, const LpPolicyRun *run) {
    if (run->failures == 0 || !may_fail(c, mini))
        return;
    begin(c, "note");
    lp_buf_addf(c->out, "fails on \"%s\", where there are no slices: %s\n", lp_mini_name(mini),
                run->failure.text);
}

/* A mistake is told once, with every scenario that it shows on. */
static void tell_failures(Check *c, const LpPolicyRun runs[LP_MINI_MOST]) {
    for (int i = 0; i < LP_MINI_MOST; i++) {
        bool told = runs[i].failures == 0 || may_fail(c, i);
        for (int k = 0; k < i; k++)
            told = told || same_failure(&runs[k], &runs[i]);
        if (told)
            continue;
        LpBuf what = {0};
        lp_buf_add(&what, "failed ");
        add_times(&what, &runs[i], i);
        for (int k = i + 1; k < LP_MINI_MOST; k++)
            if (same_failure(&runs[i], &runs[k])) {
                lp_buf_add(&what, ", ");
                add_times(&what, &runs[k], k);
            }
        lp_buf_add(&what, ", first: ");
        problem(c, runs[i].failure.file, runs[i].failure.line, lp_buf_text(&what),
                runs[i].failure.text);
        lp_buf_fini(&what);
    }
}

/* Every answer refused: the policy decides nothing there. */
static void tell_refusals(Check *c, int mini, const LpPolicyRun *run) {
    char text[LP_DIAG_TEXT + 160];
    if (run->refused == 0)
        return;
    if (run->refused == run->summary.arrived && !c->pods) {
        snprintf(text, sizeof text,
                 "all %llu answers were refused on the scenario \"%s\", first for job %u: %s",
                 (unsigned long long)run->refused, lp_mini_name(mini), (unsigned)run->refused_job,
                 run->refusal);
        problem(c, NULL, 0, text, "");
        return;
    }
    begin(c, "note");
    lp_buf_addf(c->out, "%llu answer%s refused on \"%s\", first for job %u: %s\n",
                (unsigned long long)run->refused, run->refused == 1 ? "" : "s", lp_mini_name(mini),
                (unsigned)run->refused_job, run->refusal);
}

static void tell_actions(const Check *c, int mini, const LpPolicyRun *run) {
    if (run->actions_refused == 0)
        return;
    begin(c, "note");
    lp_buf_addf(c->out, "%llu action%s refused on \"%s\", first: %s\n",
                (unsigned long long)run->actions_refused, run->actions_refused == 1 ? "" : "s",
                lp_mini_name(mini), run->action.text);
}

/* Each scenario twice: plainly, and with variables that last from call to call. Where these differ
 * a third run tells whether it is that, or chance. Objects as keys of a table can make a
 * difference, too, since their addresses last as well: then no variable has changed. */
static LpErr play_twice(const Check *c, int mini, LpPolicyRun *run, bool *differs, bool *forgets,
                        LpDiag *diag) {
    LpPolicyRun again;
    LP_TRY(lp_policy_play(c->path, c->params, c->param, mini, false, run, diag));
    LP_TRY(lp_policy_play(c->path, c->params, c->param, mini, true, &again, diag));
    if (again.hash == run->hash)
        return LP_OK;
    *forgets = *forgets || again.changed;
    LP_TRY(lp_policy_play(c->path, c->params, c->param, mini, false, &again, diag));
    *differs = *differs || again.hash != run->hash;
    return LP_OK;
}

static LpErr check_runs(Check *c, LpPolicyRun runs[LP_MINI_MOST], LpDiag *diag) {
    int before = c->problems;
    bool differs = false, forgets = false;
    char hex[LP_HASH_HEX + 1];
    LpBuf hashes = {0};
    LpErr err = LP_OK;
    for (int i = 0; i < LP_MINI_MOST && err == LP_OK; i++) {
        if (!c->plays[i])
            continue;
        err = play_twice(c, i, &runs[i], &differs, &forgets, diag);
        lp_buf_addf(&hashes, " %s", lp_hash_hex(runs[i].hash, hex));
    }
    tell_failures(c, runs);
    for (int i = 0; i < LP_MINI_MOST; i++) {
        tell_elsewhere(c, i, &runs[i]);
        tell_refusals(c, i, &runs[i]);
        tell_actions(c, i, &runs[i]);
    }
    begin(c, "contract");
    lp_buf_add(c->out, c->problems == before ? "ok\n" : "broken\n");
    if (differs)
        problem(c, NULL, 0, "two runs of the same scenario differ", "");
    else if (forgets)
        problem(c, NULL, 0, "a hook changes something outside of self.mem, which is forgotten",
                ": every decision finds the file's variables as they were after loading. Keep in "
                "self.mem what must last");
    begin(c, "repeats");
    lp_buf_addf(c->out, "%s%s\n", differs || forgets ? "no: " : "ok:", lp_buf_text(&hashes));
    lp_buf_fini(&hashes);
    return err;
}

static void tell_cost(const Check *c, const LpPolicyRun runs[LP_MINI_MOST]) {
    LpPolicyRun sum = {0};
    for (int i = 0; i < LP_MINI_MOST; i++) {
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

/* ---- hooks ---- */

static void choose_minis(Check *c, const LpPolicy *policy) {
    for (size_t i = 0; i < LP_COUNTOF(OF_PODS); i++)
        c->pods = c->pods || strstr(c->source, OF_PODS[i]) != NULL;
    for (int i = 0; i < LP_MINI_MOST; i++)
        c->plays[i] = i < LP_MINI_COUNT || (i == LP_MINI_POD && c->pods);
    for (size_t i = 0; i < LP_COUNTOF(OWN); i++)
        if (lp_policy_has_hook(policy, OWN[i].hook))
            c->plays[OWN[i].mini] = true;
}

static void tell_hooks(Check *c, const LpPolicy *policy) {
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    begin(c, "hooks");
    for (size_t i = 0, shown = 0; i < count; i++)
        if (strcmp(rows[i].group, "hook") == 0 && lp_policy_has_hook(policy, rows[i].name))
            lp_buf_addf(c->out, "%s%s", shown++ > 0 ? ", " : "", rows[i].name);
    lp_buf_add(c->out, "\n");
    choose_minis(c, policy);
    if (!lp_policy_has_hook(policy, "configure"))
        return;
    begin(c, "note");
    lp_buf_add(c->out,
               "configure is never called on ramp and ideal, which have no switch to set\n");
}

/* ---- comparison ---- */

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

/* ---- one file ---- */

static LpErr check_loaded(Check *c, const LpPolicy *policy, LpDiag *diag) {
    LpPolicyRun runs[LP_MINI_MOST] = {{0}};
    tell_hooks(c, policy);
    LP_TRY(check_runs(c, runs, diag));
    tell_cost(c, runs);
    if (c->problems > 0) {
        lp_buf_add(c->out, "  comparison  when the problems are solved\n");
        return LP_OK;
    }
    const char *name = lp_policy_name(policy);
    lp_buf_addf(c->out, "\n  %-11s %-20s  %10s  %10s  %10s\n", "scenario", "policy", "blocked",
                "mean JCT", "mean wait");
    for (int i = 0; i < LP_MINI_MOST; i++) {
        if (!c->plays[i] || runs[i].failures > 0)
            continue;
        add_row(c->out, lp_mini_name(i), name, &runs[i].summary);
        for (size_t k = 0; k < LP_COUNTOF(BUILT_IN); k++) {
            char path[LP_PATH_TEXT];
            LpPolicyRun run;
            if (!find_built_in(BUILT_IN[k], path))
                continue;
            LP_TRY(lp_policy_play(path, 0, NULL, i, false, &run, diag));
            add_row(c->out, "", BUILT_IN[k], &run.summary);
        }
    }
    return LP_OK;
}

/* In a text that is none there are no names: does it load when it does not get to run? */
static bool is_lua(const Check *c, const LpScenario *scenario) {
    LpPolicy *policy = NULL;
    LpDiag ignored;
    LpBuf text = {0};
    lp_buf_add(&text, "do return { name = 'x', api = 1, partition = function() end } end ");
    lp_buf_add_bytes(&text, c->source, c->len);
    LpErr err = lp_buf_ok(&text, &ignored);
    if (err == LP_OK)
        err = lp_mini_policy_text(lp_buf_text(&text), text.len, scenario, &policy, &ignored);
    lp_policy_free(policy);
    lp_buf_fini(&text);
    return err == LP_OK;
}

static LpErr check_source(Check *c, LpDiag *diag) {
    LpScenario *scenario;
    LpPolicy *policy = NULL;
    LpDiag inner = {.code = LP_OK};
    LP_TRY(lp_mini_open(0, 0, &scenario, diag));
    LpErr err = lp_mini_policy(c->path, scenario, c->params, c->param, &policy, &inner);
    bool loaded = err == LP_OK;
    bool lua = true;
    if (err == LP_EINVAL) {
        lp_buf_addf(c->out, "%s\n", inner.text); /* a parameter: it names the file */
        c->problems++;
    } else if (!loaded) {
        problem(c, inner.file, inner.line, "does not load: ", inner.text);
        lua = is_lua(c, scenario);
    }
    *diag = inner;
    err = err == LP_ENOMEM ? err : LP_OK;
    if (err == LP_OK && lua)
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
