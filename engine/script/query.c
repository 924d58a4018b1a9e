/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A query is a policy with one hook; its first result is returned and nothing is done with it. */
#include "script/query.h"

#include <math.h>
#include <string.h>

#include "script/script_impl.h"

enum { DEPTH = 2, ENTRIES = 32 };

struct LpQuery {
    LpPolicy *policy;
};

/* What one call leaves behind; found through the policy while it runs. */
typedef struct Result {
    bool truth;
    bool early; /* asked for a job that has not arrived */
    LpBuf text;
} Result;

/* The text stands on a line of its own: messages name line 1 of "query". */
static const char HEAD[] =
    "local policy = { name = 'query', api = 1 } function policy:review(job, cluster) ";
static const char TAIL[] = "\nend return policy\n";

static LpErr load(const char *text, bool expression, const LpScenario *scenario,
                  const LpScriptServices *services, LpPolicy **out, LpDiag *diag) {
    LpBuf source = {0};
    lp_buf_add(&source, HEAD);
    lp_buf_add(&source, expression ? "return (" : "");
    lp_buf_add(&source, text);
    lp_buf_add(&source, expression ? "\n)" : "");
    lp_buf_add(&source, TAIL);
    LpErr err = lp_buf_ok(&source, diag);
    if (err == LP_OK)
        err = lp_policy_load_text("query", lp_buf_text(&source), source.len, NULL, 0, scenario,
                                  NULL, services, out, diag);
    lp_buf_fini(&source);
    return err;
}

LpErr lp_query_new(const char *text, const LpScenario *scenario, const LpScriptServices *services,
                   LpQuery **out, LpDiag *diag) {
    LpDiag first = {0}, second = {0};
    if (strlen(text) > LP_QUERY_LONGEST)
        return lp_fail(diag, LP_ELIMIT, "a query of more than %d bytes", LP_QUERY_LONGEST);
    if (strspn(text, " \t\n") == strlen(text))
        return lp_fail(diag, LP_EINVAL,
                       "an empty query: expected Lua such as job(3).state == \"blocked\"");
    LpQuery *query = lp_alloc(1, sizeof *query);
    if (query == NULL)
        return lp_fail_memory(diag, "a query");
    LpErr err = load(text, true, scenario, services, &query->policy, &first);
    if (err == LP_ESCRIPT)
        err = load(text, false, scenario, services, &query->policy, &second);
    if (err == LP_OK) {
        *out = query;
        return LP_OK;
    }
    lp_free(query);
    if (diag != NULL) /* what a statement lacks says less than what the expression lacks */
        *diag = first;
    return err;
}

void lp_query_free(LpQuery *query) {
    if (query == NULL)
        return;
    lp_policy_free(query->policy);
    lp_free(query);
}

/* ---- the call ---- */

/* job(id): the view of any job that has arrived. */
static int find_job(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    uint32_t jobs = lp_world_jobs(p->real);
    lua_Integer id = lp_hook_whole(L, 1, "job", 0, (lua_Integer)LP_NO_INDEX - 1);
    if (id >= (lua_Integer)jobs) {
        ((Result *)p->query)->early = true;
        return luaL_error(L, "job %d has not arrived yet", (int)id);
    }
    lp_proxy_push_job(L, (uint32_t)id);
    return 1;
}

static void print_value(lua_State *L, int index, LpBuf *out, int depth);

static void print_value(lua_State *L, int index, LpBuf *out, int depth) {
    luaL_checkstack(L, 6, "a value");
    if (lua_type(L, index) == LUA_TTABLE && depth > 0) {
        int shown = 0;
        lp_buf_add(out, "{");
        for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1), shown++) {
            if (shown == ENTRIES) {
                lp_buf_add(out, ", ...");
                lua_pop(L, 2);
                break;
            }
            lp_buf_add(out, shown > 0 ? ", " : " ");
            if (lua_type(L, -2) != LUA_TNUMBER) {
                print_value(L, lua_absindex(L, -2), out, 0);
                lp_buf_add(out, " = ");
            }
            print_value(L, lua_absindex(L, -1), out, depth - 1);
        }
        lp_buf_add(out, shown > 0 ? " }" : "}");
        return;
    }
    size_t len;
    const char *text = luaL_tolstring(L, index, &len);
    lp_buf_add_bytes(out, text, len < LP_QUERY_LONGEST ? len : LP_QUERY_LONGEST);
    lua_pop(L, 1);
}

static int ask_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    Result *result = p->query;
    lp_hook_begin(L, p, LP_HOOK_review, "a query");
    lua_pushcfunction(L, find_job);
    lp_proxy_push_cluster(L);
    int first = lp_hook_finish(L, p, 2);
    result->truth = lua_toboolean(L, first);
    print_value(L, first, &result->text, DEPTH);
    return 0;
}

LpErr lp_query_ask(LpQuery *query, const LpContext *context, const LpWorld *world, bool *truth,
                   LpBuf *text, LpDiag *diag) {
    Result result = {0};
    LpRng rng = *lp_world_rng(world);
    bool failed = false;
    query->policy->query = &result;
    query->policy->job = LP_NO_INDEX;
    LpErr err = lp_policy_run(query->policy, context, world, &rng, ask_body, &failed, diag);
    query->policy->query = NULL;
    if (err == LP_OK && failed)
        err = result.early ? LP_ERANGE : LP_ESCRIPT;
    if (err == LP_ERANGE && diag != NULL)
        diag->code = LP_ERANGE;
    if (err == LP_OK && truth != NULL)
        *truth = result.truth;
    const char *printed = lp_policy_take_output(query->policy);
    if (err == LP_OK && text != NULL) {
        lp_buf_add(text, printed);
        lp_buf_add_bytes(text, lp_buf_text(&result.text), result.text.len);
    }
    lp_buf_fini(&result.text);
    return err;
}
