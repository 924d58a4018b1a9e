/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a lesson with other settings, and facts of them. */
#include "many/study/study_lesson.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/paths.h"
#include "io/files/file.h"
#include "many/study/lesson_impl.h"
#include "model/lesson/lesson.h"
#include "session/breakpoint.h"
#include "session/moment/moment.h"
#include "session/player/weights_file.h"

static const LpLessonSetup nothing = {0};

void lp_lesson_run_fini(LpLessonRun *run) {
    lp_session_close(run->session);
    lp_buf_fini(&run->result);
    run->session = NULL;
    run->result = (LpBuf){0};
    run->done = run->moved = false;
}

bool lp_lesson_run_reaches(const LpLessonRun *run, const char *at) {
    const char *here = run->done ? "end" : run->at;
    if (!run->done && !run->moved)
        return true;
    return here == at || (here != NULL && at != NULL && strcmp(here, at) == 0);
}

/* ---- files ---- */

void lp_lesson_policy_path(const char *scenario, const char *policy, LpBuf *out) {
    static const char *const places[] = {"", "solutions/"};
    const char *slash = strrchr(scenario, '/');
    int folder = slash != NULL ? (int)(slash - scenario) + 1 : 0;
    for (size_t i = 0; policy[0] != '/' && i < LP_COUNTOF(places); i++) {
        if (i > 0 && strchr(policy, '/') != NULL)
            break;
        lp_buf_clear(out);
        lp_buf_addf(out, "%.*s%s%s", folder, scenario, places[i], policy);
        if (!out->failed && access(lp_buf_text(out), F_OK) == 0)
            return;
    }
    lp_buf_clear(out);
    lp_buf_add(out, policy);
}

LpErr lp_lesson_open(const LpSessionSpec *spec, LpSession **session, LpDiag *diag) {
    size_t len = spec->policy != NULL ? strlen(spec->policy) : 0;
    LpSessionSpec network = *spec;
    LpBuf weights = {0};
    if (len <= 5 || strcmp(spec->policy + len - 5, ".json") != 0)
        return lp_session_open(spec, session, diag);
    lp_buf_addf(&weights, "weights=%s", spec->policy);
    const char *const params[] = {lp_buf_text(&weights)};
    network.policy = lp_weights_script(spec->policy);
    network.params = 1;
    network.param = params;
    LpErr err = lp_buf_ok(&weights, diag);
    if (err == LP_OK)
        err = lp_session_open(&network, session, diag);
    lp_buf_fini(&weights);
    return err;
}

/* ---- runs ---- */

static bool same_texts(uint32_t counts, const char *const *texts, uint32_t other,
                       const char *const *others) {
    if (counts != other)
        return false;
    for (uint32_t i = 0; i < counts; i++)
        if (strcmp(texts[i], others[i]) != 0)
            return false;
    return true;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_setup(const LpLessonSetup *a, const LpLessonSetup *b) {
    a = a != NULL ? a : &nothing;
    b = b != NULL ? b : &nothing;
    return a == b || (a->has_seed == b->has_seed && (!a->has_seed || a->seed == b->seed) &&
                      same_text(a->policy, b->policy) && same_text(a->scenario, b->scenario) &&
                      same_texts(a->params, a->param, b->params, b->param) &&
                      same_texts(a->sets, a->set, b->sets, b->set));
}

bool lp_lesson_run_same(const LpLessonRun *run, const LpLessonSetup *base,
                        const LpLessonSetup *own) {
    return run->session != NULL && same_setup(run->base, base) && same_setup(&run->own, own);
}

/* The scenario that the settings name, else the lesson's. */
static void scenario_path(const char *lesson, const char *name, char *path, size_t size) {
    LpBuf beside = {0};
    if (name != NULL && lp_paths_scenario(name, path, size))
        return;
    if (name != NULL)
        lp_lesson_policy_path(lesson, name, &beside);
    lp_str_copy(path, size, name != NULL ? lp_buf_text(&beside) : lesson);
    lp_buf_fini(&beside);
}

static LpErr open_setup(const LpLessonRun *run, const LpLessonSetup *base, const LpLessonSetup *own,
                        LpSession **out, LpDiag *diag) {
    const char *name = own->scenario != NULL ? own->scenario : base->scenario;
    const char *policy = own->policy != NULL ? own->policy : base->policy;
    const LpLessonSetup *params = own->policy != NULL || own->params > 0 ? own : base;
    const LpLessonSetup *seed = own->has_seed ? own : base;
    const char *set[2 * 256];
    char path[LP_PATH_TEXT];
    LpBuf found = {0};
    uint32_t sets = 0;
    for (uint32_t i = 0; i < base->sets && sets < LP_COUNTOF(set); i++)
        set[sets++] = base->set[i];
    for (uint32_t i = 0; i < own->sets && sets < LP_COUNTOF(set); i++)
        set[sets++] = own->set[i];
    scenario_path(run->scenario, name, path, sizeof path);
    if (policy != NULL)
        lp_lesson_policy_path(run->scenario, policy, &found);
    LpSessionSpec spec = {.scenario = path,
                          .sets = sets,
                          .set = set,
                          .policy = policy != NULL ? lp_buf_text(&found) : NULL,
                          .params = params->params,
                          .param = params->param,
                          .has_seed = seed->has_seed,
                          .seed = seed->seed};
    LpErr err = lp_buf_ok(&found, diag);
    if (err == LP_OK)
        err = lp_lesson_open(&spec, out, diag);
    lp_buf_fini(&found);
    return err;
}

LpErr lp_lesson_run_open(LpLessonRun *run, const LpLessonSetup *base, const LpLessonSetup *own,
                         LpDiag *diag) {
    LpSession *session;
    if (lp_lesson_run_same(run, base, own))
        return LP_OK;
    LP_TRY(open_setup(run, base != NULL ? base : &nothing, own != NULL ? own : &nothing, &session,
                      diag));
    lp_session_close(run->session);
    lp_buf_clear(&run->result);
    run->session = session;
    run->done = run->moved = false;
    run->base = base;
    run->own = own != NULL ? *own : nothing;
    return LP_OK;
}

/* ---- values ---- */

LpErr lp_lesson_go_to(LpSession *session, const char *at, LpDiag *diag) {
    LpAt moment;
    bool stopped;
    if (at != NULL && strcmp(at, "end") == 0)
        return lp_session_run(session, NULL, NULL, &stopped, diag);
    LP_TRY(lp_at_parse(at != NULL ? at : "d0", &moment, diag));
    return lp_session_go(session, &moment, diag);
}

LpErr lp_lesson_lua(const LpSession *session, const char *text, LpBuf *out, LpDiag *diag) {
    LP_TRY(lp_session_query(session, text, out, diag));
    while (out->len > 0 && out->text[out->len - 1] == '\n')
        out->text[--out->len] = '\0';
    return LP_OK;
}

bool lp_lesson_is_true(const char *text) {
    return text[0] != '\0' && strcmp(text, "false") != 0 && strcmp(text, "nil") != 0;
}

static LpErr work_out(const LpLessonFact *fact, const LpLessonSetup *base, const LpLessonSetup *own,
                      LpLessonRun *run, LpBuf *out, LpDiag *diag) {
    if (fact->source == LP_LESSON_LUA && !lp_lesson_run_reaches(run, fact->at))
        lp_lesson_run_fini(run); /* a session without a time line goes only forward */
    LP_TRY(lp_lesson_run_open(run, base, own, diag));
    if (fact->source == LP_LESSON_LUA) {
        if (!run->moved && !run->done)
            LP_TRY(lp_lesson_go_to(run->session, fact->at, diag));
        run->moved = true;
        run->at = fact->at;
        return lp_lesson_lua(run->session, fact->text, out, diag);
    }
    bool stopped;
    if (!run->done)
        LP_TRY(lp_session_run(run->session, NULL, NULL, &stopped, diag));
    run->done = true;
    return lp_lesson_result(run->session, &run->result, fact->text, out, diag);
}

LpErr lp_lesson_fact_value(const LpLessonFact *fact, const LpSession *here,
                           const LpLessonSetup *base, LpLessonRun *run, LpBuf *out, LpDiag *diag) {
    LpLessonSetup own = {.sets = fact->sets, .set = fact->set};
    LpLessonAsk ask = {base, &own, fact->source, fact->text, fact->at};
    if (fact->source == LP_LESSON_LUA && fact->sets == 0 && fact->at == NULL)
        return lp_lesson_lua(here, fact->text, out, diag);
    const char *value = run->known != NULL ? lp_lesson_known(run->known, &ask) : NULL;
    if (value != NULL) {
        lp_buf_add(out, value);
        return lp_buf_ok(out, diag);
    }
    LP_TRY(work_out(fact, base, &own, run, out, diag));
    return run->known != NULL ? lp_lesson_keep(run->known, &ask, lp_buf_text(out), diag) : LP_OK;
}

/* ---- known solutions, on paper ---- */

enum { SOURCE_MOST = 1 << 16 /* bytes */ };

/* The text of a policy of the lesson's own; nothing of a network, or of what is known elsewhere. */
static LpErr add_source(const LpLessonSolution *s, const char *scenario, LpBuf *out, LpDiag *diag) {
    LpBuf path = {0};
    char *text = NULL, cause[LP_DIAG_FILE + LP_DIAG_TEXT];
    size_t len = 0, name = s->file != NULL ? strlen(s->file) : 0;
    LpDiag why;
    if (name < 4 || strcmp(s->file + name - 4, ".lua") != 0)
        return LP_OK;
    lp_lesson_policy_path(scenario, s->file, &path);
    LpErr err = lp_buf_ok(&path, &why);
    if (err == LP_OK)
        err = lp_file_read(lp_buf_text(&path), SOURCE_MOST, &text, &len, &why);
    if (err == LP_OK) {
        lp_buf_add(out, "\n```lua\n");
        lp_str_escape_lines(out, text, len);
        lp_buf_add(out, "```\n\n");
    } else
        lp_fail_at(diag, err, scenario, s->line, s->col, "%s",
                   lp_diag_format(&why, cause, sizeof cause));
    lp_free(text);
    lp_buf_fini(&path);
    return err;
}

/* "- `l2-limit.lua`, 10 of 10 points" */
static void add_solution(const LpLessonSolution *s, uint32_t points, LpBuf *out) {
    const char *name = s->file != NULL ? s->file : s->policy;
    lp_buf_add(out, "- ");
    lp_lesson_plain(out, name);
    for (uint32_t i = 0; i < s->params; i++) {
        lp_buf_add(out, " ");
        lp_lesson_plain(out, s->param[i]);
    }
    if (s->has_points)
        lp_buf_addf(out, ", %u of %u point%s", (unsigned)s->points, (unsigned)points,
                    lp_str_s(points));
    if (s->says != NULL) {
        lp_buf_add(out, ": ");
        lp_lesson_plain(out, s->says);
    }
    lp_buf_add(out, "\n");
}

LpErr lp_lesson_solutions(const LpLessonExercise *exercise, const char *scenario, LpBuf *out,
                          LpDiag *diag) {
    lp_buf_add(out, "## Solutions that pass\n\n");
    for (uint32_t i = 0; i < exercise->passes; i++) {
        add_solution(&exercise->passing[i], exercise->points, out);
        LP_TRY(add_source(&exercise->passing[i], scenario, out, diag));
    }
    lp_buf_add(out, "\n## Usual mistakes\n\n");
    for (uint32_t i = 0; i < exercise->fails; i++)
        add_solution(&exercise->failing[i], exercise->points, out);
    lp_buf_add(out, "\n");
    return lp_buf_ok(out, diag);
}
