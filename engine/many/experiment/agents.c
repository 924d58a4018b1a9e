/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agents of a study: rules by name, policies by file, networks by the policy that plays them.
 */
#include <string.h>

#include "many/experiment/experiment_impl.h"
#include "many/study/compare.h"
#include "session/player/weights_file.h"

/* Agents that a study takes by default. */
static const char *const DEFAULTS[LP_STUDY_COUNT] = {
    "max min random no sip-ml k1 k2 k4 k8 k16 meets-deadline least-fragmenting prefer4 prefer8",
    "max min k2 k4 k8 k16 meets-deadline", "max min", "k1 k4 max"};

static const LpAgent *find_agent(const char *name, size_t len) {
    size_t count;
    const LpAgent *agent = lp_agents(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(agent[i].name) == len && strncmp(agent[i].name, name, len) == 0)
            return &agent[i];
    return NULL;
}

LpErr lp_experiment_rule(const LpAgent *agent, LpArena *arena, LpVariant *out, LpDiag *diag) {
    LpBuf text = {0};
    lp_buf_addf(&text, "%s%s%s", agent->policy, agent->param != NULL ? ":" : "",
                agent->param != NULL ? agent->param : "");
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_variant_parse(lp_buf_text(&text), arena, out, diag);
    lp_buf_fini(&text);
    out->label = agent->name;
    return err;
}

/* A network is played by the policy that ships. */
static LpErr read_network(const char *file, LpArena *arena, LpVariant *out, LpDiag *diag) {
    LpBuf text = {0};
    lp_buf_addf(&text, "weights=%s", file);
    const char **param = lp_arena_alloc(arena, 1, sizeof *param);
    const char *kept = text.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    if (param == NULL || kept == NULL)
        return lp_fail_memory(diag, "the agents");
    *param = kept;
    *out =
        (LpVariant){.label = file, .policy = lp_weights_script(file), .params = 1, .param = param};
    return LP_OK;
}

static LpErr fail_agent(const char *text, LpDiag *diag) {
    LpBuf names = {0};
    size_t count;
    char shown[80];
    const LpAgent *agent = lp_agents(&count);
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&names, "%s, ", agent[i].name);
    LpErr err =
        lp_fail(diag, LP_EINVAL,
                "there is no agent \"%s\"; expected all, %sa policy's FILE.lua, or a "
                "network's FILE.json",
                lp_str_show(shown, sizeof shown, text), names.failed ? "" : lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

/* A name of the table, a policy's file, or a network's. */
static LpErr read_agent(const char *text, size_t len, LpArena *arena, LpVariant *out,
                        LpDiag *diag) {
    const LpAgent *known = find_agent(text, len);
    if (known != NULL)
        return lp_experiment_rule(known, arena, out, diag);
    char *copy = lp_arena_strndup(arena, text, len);
    if (copy == NULL)
        return lp_fail_memory(diag, "the agents");
    if (strstr(copy, ".lua:") == NULL && len > 5 && strcmp(copy + len - 5, ".json") == 0)
        return read_network(copy, arena, out, diag);
    if (strstr(copy, ".lua") == NULL)
        return fail_agent(copy, diag);
    return lp_variant_parse(copy, arena, out, diag);
}

static LpErr add_agent(LpExperiment *e, const char *text, size_t len, size_t *cap, LpDiag *diag) {
    LpVariant agent;
    LP_TRY(read_agent(text, len, e->arena, &agent, diag));
    for (uint32_t i = 0; i < e->agents; i++)
        if (strcmp(e->agent[i].label, agent.label) == 0)
            return lp_fail(diag, LP_EINVAL, "the agent %s is there twice", agent.label);
    if (e->agents == *cap)
        return lp_fail(diag, LP_ELIMIT, "more than %zu agents", *cap);
    e->agent[e->agents++] = agent;
    return LP_OK;
}

/* Names may come in one text, with spaces or commas between; files with parameters stand alone. */
static LpErr add_agents(LpExperiment *e, const char *text, size_t *cap, LpDiag *diag) {
    size_t count;
    const LpAgent *known = lp_agents(&count);
    if (strcmp(text, "all") == 0) {
        for (size_t i = 0; i < count; i++)
            LP_TRY(add_agent(e, known[i].name, strlen(known[i].name), cap, diag));
        return LP_OK;
    }
    if (strchr(text, ':') != NULL)
        return add_agent(e, text, strlen(text), cap, diag);
    while (*text != '\0') {
        size_t len = strcspn(text, " ,");
        if (len > 0)
            LP_TRY(add_agent(e, text, len, cap, diag));
        text += len + (text[len] != '\0');
    }
    return LP_OK;
}

enum { AGENTS_MAX = 256 };

LpErr lp_experiment_choose_agents(const LpExperimentSpec *spec, LpExperiment *e, LpDiag *diag) {
    size_t cap = AGENTS_MAX;
    e->agent = lp_arena_alloc(e->arena, cap, sizeof *e->agent);
    if (e->agent == NULL)
        return lp_fail_memory(diag, "the agents");
    if (spec->agents == 0)
        LP_TRY(add_agents(e, DEFAULTS[spec->study], &cap, diag));
    for (uint32_t i = 0; i < spec->agents; i++)
        LP_TRY(add_agents(e, spec->agent[i], &cap, diag));
    if (e->agents == 0 && !spec->tune)
        return lp_fail(diag, LP_EINVAL, "no agent is named");
    if (spec->tune && e->agents == cap)
        return lp_fail(diag, LP_ELIMIT, "more than %zu agents", cap);
    if (spec->tune) /* until the search: any rule */
        e->agent[e->agents++] = (LpVariant){.label = "tuned", .policy = "meets_deadline.lua"};
    return LP_OK;
}
