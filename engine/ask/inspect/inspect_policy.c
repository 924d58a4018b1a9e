/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy as those see it who want to know why it decides as it does. */
#include "ask/inspect/inspect_policy.h"

#include <string.h>

#include "io/json/json.h"
#include "session/failure.h"
#include "session/session_impl.h"

/* Traceback of the call that failed here; a policy that is asked again forgets its own. */
static const char *traceback(const LpSession *s) {
    const LpFailure *here = lp_session_failure_here(s);
    return here != NULL ? here->traceback : lp_policy_traceback(s->loaded.policy);
}

LpPolicySummary lp_session_policy_summary(const LpSession *s) {
    if (s->loaded.policy == NULL)
        return (LpPolicySummary){.name = lp_session_policy_name(s),
                                 .doc = "the engine's own rule: the largest degree that fits",
                                 .path = "",
                                 .traceback = ""};
    LpPolicyUse use = lp_policy_use(s->loaded.policy);
    return (LpPolicySummary){.name = lp_policy_name(s->loaded.policy),
                             .doc = lp_policy_doc(s->loaded.policy),
                             .path = lp_policy_path(s->loaded.policy),
                             .source = lp_policy_source(s->loaded.policy),
                             .traceback = traceback(s),
                             .instructions = use.instructions,
                             .budget = LP_POLICY_INSTRUCTIONS,
                             .predictions = use.predictions,
                             .memory = use.memory,
                             .params = lp_policy_params(s->loaded.policy)};
}

LpPolicyParamValue lp_session_policy_param(const LpSession *s, uint32_t index) {
    LpPolicyParamInfo info = lp_policy_param(s->loaded.policy, index);
    LpPolicyParamValue param = {.name = info.name, .doc = info.doc};
    lp_str_copy(param.value, sizeof param.value, info.value);
    return param;
}

/* A number or text as text in the arena; NULL: out of memory. */
static const char *cell_of(LpArena *arena, LpJsonValue value) {
    size_t len;
    const char *text = lp_json_text(value);
    if (text != NULL)
        return lp_arena_strdup(arena, text);
    text = lp_json_digits(value, &len);
    return text != NULL ? lp_arena_strndup(arena, text, len) : lp_arena_strdup(arena, "-");
}

static bool read_list(LpArena *arena, LpJsonValue list, const char **out, uint32_t room) {
    uint32_t count = 0;
    for (LpJsonValue at = lp_json_first(list); count < room; at = lp_json_next(at)) {
        bool have = lp_json_kind(at) != LP_JSON_NOTHING;
        out[count] = have ? cell_of(arena, at) : "";
        if (out[count++] == NULL)
            return false;
        if (!have)
            break;
    }
    while (count < room)
        out[count++] = "";
    return true;
}

static LpErr read_table(LpJsonValue root, LpArena *arena, LpExplained *out, LpDiag *diag) {
    LpJsonValue columns = lp_json_member(root, "columns"), rows = lp_json_member(root, "rows");
    LpJsonValue chosen = lp_json_member(root, "chosen");
    LpExplained table = {.columns = (uint32_t)lp_json_count(columns),
                         .rows = (uint32_t)lp_json_count(rows),
                         .chosen = -1};
    table.column = lp_arena_alloc(arena, table.columns + 1, sizeof *table.column);
    table.cell = lp_arena_alloc(arena, (size_t)table.columns * table.rows + 1, sizeof *table.cell);
    if (table.column == NULL || table.cell == NULL ||
        !read_list(arena, columns, table.column, table.columns))
        return lp_fail_memory(diag, "what a policy explained");
    LpJsonValue row = lp_json_first(rows);
    for (uint32_t i = 0; i < table.rows; i++, row = lp_json_next(row))
        if (!read_list(arena, row, table.cell + (size_t)i * table.columns, table.columns))
            return lp_fail_memory(diag, "what a policy explained");
    if (lp_json_kind(chosen) == LP_JSON_NUMBER)
        table.chosen = (int32_t)lp_json_number(chosen);
    *out = table;
    return LP_OK;
}

LpErr lp_session_explained_table(const LpSession *s, uint32_t job, LpArena *arena, LpExplained *out,
                                 LpDiag *diag) {
    const LpPending *p = &s->pending;
    bool due = p->known && p->job == job && lp_world_due(s->world) == job;
    const char *json = due ? p->explain : lp_session_explain(s, job);
    LpJson *doc;
    *out = (LpExplained){.chosen = -1};
    if (json == NULL)
        return LP_OK;
    LP_TRY(lp_json_parse("explain", json, strlen(json), &doc, diag));
    LpErr err = read_table(lp_json_root(doc), arena, out, diag);
    lp_json_free(doc);
    return err;
}
