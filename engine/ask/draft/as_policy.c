/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes decisions by hand as a Lua policy: a table of choices, and hooks that look into it before
 * they ask the policy in charge. */
#include "ask/draft/as_policy.h"

#include <string.h>

#include "ask/draft/by_hand.h"
#include "ask/draft/lua_table.h"
#include "history/timeline.h"
#include "io/json/json.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/world.h"

static const char *const widths[LP_WIDTH_COUNT] = {
#define X(id, name, sentence) [LP_WIDTH_##id] = name,
    LP_WIDTH_TABLE(X)
#undef X
};

const char *lp_policy_width_name(LpPolicyWidth width) {
    return widths[width];
}

int lp_policy_width_find(const char *name) {
    for (int i = 0; i < LP_WIDTH_COUNT; i++)
        if (strcmp(widths[i], name) == 0)
            return i;
    return -1;
}

/* ---- the script around it ---- */

static const char head[] =
    "-- What was decided by hand, as a policy: these choices, and in all else the policy in\n"
    "-- charge. Written by the explorer.\n";

static const char looking[] =
    "\n"
    "-- The choice for a job, at its moment where one is said; nil: the policy decides.\n"
    "local function choice_for(job, cluster)\n"
    "  for _, c in ipairs(chosen) do\n"
    "    if c.graph and c.graph == job.graph then return c end\n"
    "    if c.job == job.id and c.now == cluster.now then return c end\n"
    "  end\n"
    "end\n"
    "\n"
    "-- The choice for a job that runs.\n"
    "local function choice_of(job)\n"
    "  for _, c in ipairs(chosen) do\n"
    "    if c.job == job.id or (c.graph and c.graph == job.graph) then return c end\n"
    "  end\n"
    "end\n"
    "\n"
    "-- Priorities: what is named goes first, in its order; the rule orders the rest.\n"
    "local function first(wanted, list, name)\n"
    "  if #wanted == 0 then return wanted.rule end\n"
    "  local out = { rule = wanted.rule }\n"
    "  for i, it in ipairs(list) do\n"
    "    out[i] = 0\n"
    "    local whole, part = name(it)\n"
    "    for k, w in ipairs(wanted) do\n"
    "      if w == whole or w == part then out[i] = #wanted - k + 1 end\n"
    "    end\n"
    "  end\n"
    "  return out\n"
    "end\n"
    "\n"
    "-- \"5b\", and \"5b.2\" for its second part.\n"
    "local function op_name(part)\n"
    "  local op = part.op .. (part.backward and \"b\" or \"\")\n"
    "  return op, op .. \".\" .. part.part\n"
    "end\n"
    "\n";

static const char hooks[] =
    "function policy:partition(job, cluster)\n"
    "  local c = choice_for(job, cluster)\n"
    "  if c and c.wait then return \"wait\", \"by hand\" end\n"
    "  if c and c.decline then return nil, \"by hand\" end\n"
    "  if c and c.partition then return c.partition, \"by hand\" end\n"
    "  if base.partition then return base.partition(self, job, cluster) end\n"
    "  local degrees = cluster:degrees(job)\n"
    "  return degrees[#degrees]\n"
    "end\n"
    "\n"
    "function policy:place(job, cluster)\n"
    "  local c = choice_for(job, cluster)\n"
    "  if c and c.wait then return \"wait\", \"by hand\" end\n"
    "  if c and c.decline then return nil, \"by hand\" end\n"
    "  if c and c.place then return c.place, \"by hand\" end\n"
    "  if base.place and not (c and c.engines) then return base.place(self, job, cluster) end\n"
    "  return true\n"
    "end\n"
    "\n"
    "function policy:order_ops(job, cluster)\n"
    "  local c = choice_for(job, cluster)\n"
    "  if c and c.order_ops then return first(c.order_ops, job.parts, op_name), \"by hand\" end\n"
    "  if c and c.engines or not base.order_ops then return nil end\n"
    "  return base.order_ops(self, job, cluster)\n"
    "end\n"
    "\n"
    "function policy:order_flows(job, flows, cluster)\n"
    "  local c = choice_for(job, cluster)\n"
    "  if c and c.order_flows then\n"
    "    -- \"9b-5b\": a flow says of its end whether it is on the way back\n"
    "    return first(c.order_flows, flows, function(flow)\n"
    "      local back = flow.backward and \"b\" or \"\"\n"
    "      return flow.from .. back .. \"-\" .. flow.to .. back\n"
    "    end), \"by hand\"\n"
    "  end\n"
    "  if c and c.engines or not base.order_flows then return nil end\n"
    "  return base.order_flows(self, job, flows, cluster)\n"
    "end\n"
    "\n";

static const char reviewing[] =
    "function policy:review(event, cluster)\n"
    "  local c = event.kind == \"start\" and choice_of(event.job)\n"
    "  if c and c.links then return { { \"regroup\", links = c.links } }, \"by hand\" end\n"
    "  if base.review then return base.review(self, event, cluster) end\n"
    "end\n"
    "\n";

static const char configuring[] =
    "function policy:configure(fabric, demand, cluster)\n"
    "  for _, job in ipairs(cluster.running) do\n"
    "    local c = choice_for(job, cluster)\n"
    "    if c and c.matchings then return c.matchings, \"by hand\" end\n"
    "  end\n"
    "  if base.configure then return base.configure(self, fabric, demand, cluster) end\n"
    "end\n"
    "\n";

static const char phasing[] =
    "function policy:phase(job, phase, light)\n"
    "  local c = choice_of(job)\n"
    "  if c and c.phase then\n"
    "    local other = c.phase.orders == \"on-demand\" and \"provisioned\" or \"on-demand\"\n"
    "    return c.phase[phase.number] and other or c.phase.orders, \"by hand\"\n"
    "  end\n"
    "  if base.phase then return base.phase(self, job, phase, light) end\n"
    "end\n"
    "\n";

static bool any_word(const LpHandChoices *c, LpJobWord word) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->item[i].fork.word[word] != NULL)
            return true;
    return false;
}

/* The base's order binds those who wait, but nobody that was decided by hand as it arrived. */
static const char keys[] = "policy.queue = base.queue\n"
                           "if base.queue_key then\n"
                           "  function policy:queue_key(job, cluster)\n"
                           "    local c = choice_for(job, cluster)\n"
                           "    if c and c.job and not c.wait then return -math.huge end\n"
                           "    return base.queue_key(self, job, cluster)\n"
                           "  end\n"
                           "end\n"
                           "return policy\n";

/* Hooks that the table has no say in stay the base's. */
static void add_rest(bool links, bool matchings, bool phase, LpBuf *out) {
    static const char *const always[] = {"order_queue", "failure"};
    lp_buf_add(out, "for _, hook in ipairs { ");
    for (size_t i = 0; i < LP_COUNTOF(always); i++)
        lp_buf_addf(out, "%s\"%s\"", i > 0 ? ", " : "", always[i]);
    lp_buf_addf(out, "%s%s%s } do policy[hook] = base[hook] end\n", links ? "" : ", \"review\"",
                matchings ? "" : ", \"configure\"", phase ? "" : ", \"phase\"");
    lp_buf_add(out, keys);
}

/* The name that a policy requires another one by. */
static void base_name(const LpSession *s, char *out, size_t size) {
    const char *path = lp_session_policy_path(s), *slash = strrchr(path, '/');
    lp_str_copy(out, size, slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL && strcmp(dot, ".lua") == 0)
        *dot = '\0';
}

/* A value of a parameter, JSON, as Lua has it. */
static LpErr add_value(const char *json, LpBuf *out, LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_json_parse("parameter", json, strlen(json), &doc, diag));
    const char *text = lp_json_text(lp_json_root(doc));
    if (text != NULL)
        lp_lua_text(out, text, strlen(text));
    else
        lp_json_print(lp_json_root(doc), out);
    lp_json_free(doc);
    return LP_OK;
}

/* Its parameters are the base's, with the values that it has here. */
static LpErr add_params(const LpPolicyHome *home, LpBuf *out, LpDiag *diag) {
    if (home->params == 0)
        return LP_OK;
    lp_buf_add(out, "-- As the policy in charge was given them.\n"
                    "local params = {}\n"
                    "for name, declared in pairs(base.params or {}) do\n"
                    "  params[name] = {}\n"
                    "  for key, value in pairs(declared) do params[name][key] = value end\n"
                    "end\n");
    for (uint32_t i = 0; i < home->params; i++) {
        lp_buf_add(out, "params[");
        lp_lua_text(out, home->param[i].name, strlen(home->param[i].name));
        lp_buf_add(out, "].default = ");
        LP_TRY(add_value(home->param[i].json, out, diag));
        lp_buf_add(out, "\n");
    }
    lp_buf_add(out, "\n");
    return LP_OK;
}

static LpErr write_script(const LpHandChoices *c, LpPolicyWidth width, const char *name, LpBuf *out,
                          LpDiag *diag) {
    char base[256];
    const LpTimeline *t = c->session->timeline;
    const LpPolicyHome *home = &c->session->home[lp_timeline_branch(t, t->current)->policy];
    base_name(c->session, base, sizeof base);
    bool circuits = any_word(c, LP_JOB_WORD_CIRCUITS), phase = any_word(c, LP_JOB_WORD_PHASE);
    bool links = circuits && c->session->scenario->cluster.ocs.aggregators > 0;
    lp_buf_add(out, head);
    if (base[0] != '\0') {
        lp_buf_add(out, "local base = require(");
        lp_lua_text(out, base, strlen(base));
        lp_buf_add(out, ")\n");
    } else {
        lp_buf_add(out, "local base = {} -- the engine's own rules\n");
    }
    LP_TRY(add_params(home, out, diag));
    lp_buf_add(out, "local policy = { name = ");
    lp_lua_text(out, name, strlen(name));
    lp_buf_addf(out,
                ", api = 1, doc = \"%u decision%s by hand\", params = %s }\n\nlocal chosen = {\n",
                c->count, lp_str_s(c->count), home->params > 0 ? "params" : "base.params");
    for (uint32_t i = 0; i < c->count; i++)
        lp_lua_choice(c, &c->item[i], width == LP_WIDTH_GRAPH, out);
    lp_buf_add(out, "}\n");
    lp_buf_add(out, looking);
    lp_buf_add(out, hooks);
    lp_buf_add(out, links ? reviewing : "");
    lp_buf_add(out, circuits && !links ? configuring : "");
    lp_buf_add(out, phase ? phasing : "");
    add_rest(links, circuits && !links, phase, out);
    return lp_buf_ok(out, diag);
}

LpErr lp_as_policy(const LpSession *s, LpPolicyWidth width, const char *name, LpBuf *out,
                   LpDiag *diag) {
    LpHandChoices c;
    LpErr err = lp_hand_choices_open(s, &c, diag);
    if (err == LP_OK && c.count == 0)
        err = lp_fail(diag, LP_ESTATE, "nothing was decided by hand on the way here");
    if (err == LP_OK)
        err = write_script(&c, width, name, out, diag);
    lp_hand_choices_close(&c);
    return err;
}

/* ---- does it do the same? ---- */

LpErr lp_as_policy_check(const LpSession *s, const char *file, bool *same, LpDiag *diag) {
    LpSessionSpec spec = {.policy = file};
    LpSession *run;
    LpErr err = lp_session_variant(s, &spec, &run, diag);
    if (err != LP_OK)
        return err;
    const LpTally *goal = lp_world_tally(s->world);
    LpEvent event;
    while (err == LP_OK && !lp_world_over(run->world) &&
           (lp_world_tally(run->world)->events < goal->events || lp_world_over(s->world)))
        err = lp_session_step(run, &event, diag);
    *same = err == LP_OK && lp_world_hash(run->world) == lp_world_hash(s->world);
    lp_session_close(run);
    return err;
}
