/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes decisions by hand as a Lua policy: a table of choices, and hooks that look into it before
 * they ask the policy in charge. */
#include "ask/draft/as_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "history/timeline.h"
#include "session/moment/moment.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/world.h"

enum { PATH_MOST = 64 };

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

/* ---- what was decided ---- */

/* One decision by hand: the words of its branch, and the answer on record. */
typedef struct Choice {
    LpForkText fork;
    LpAnswer answer;
    uint32_t job;
    double time;
    uint64_t decision;
} Choice;

typedef struct Choices {
    const LpSession *session;
    LpArena *arena;
    LpAnswerRoom *room;
    Choice *item;
    uint32_t count;
} Choices;

/* Which stages the words of a fork choose. */
static void stages_of(const LpForkText *fork, bool chosen[LP_STAGE_COUNT]) {
    static const LpStage of_word[LP_JOB_WORD_COUNT] = {
        [LP_JOB_WORD_WAYS] = LP_STAGE_PARTITION,
        [LP_JOB_WORD_PARTS] = LP_STAGE_PLACE,
        [LP_JOB_WORD_ORDER_OPS] = LP_STAGE_ORDER_OPS,
        [LP_JOB_WORD_ORDER_FLOWS] = LP_STAGE_ORDER_FLOWS,
        [LP_JOB_WORD_CIRCUITS] = LP_STAGE_CIRCUITS,
        [LP_JOB_WORD_PHASE] = LP_STAGE_CIRCUITS};
    const LpAnswer *said = &fork->answer;
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        chosen[i] = false;
    chosen[LP_STAGE_PARTITION] = said->degree > 0 || said->has_plan || said->kind != LP_ANSWER_RUN;
    chosen[LP_STAGE_PLACE] = said->servers > 0;
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++)
        if (fork->word[i] != NULL)
            chosen[of_word[i]] = true;
}

/* Reads the words of a branch; false: no answer began it. */
static bool read_words(const LpBranch *b, LpArena *arena, LpForkText *out) {
    LpDiag ignored;
    return b->parent != LP_NO_INDEX && lp_fork_parse(b->what, arena, out, &ignored) == LP_OK &&
           out->spec.answer != NULL;
}

static LpErr read_answer(Choices *c, const LpBranch *b, Choice *out, LpDiag *diag) {
    size_t next, last = b->marks > 2 ? b->mark[2].record : lp_log_count(b->log);
    for (size_t r = b->mark[0].record; r < last; r++) {
        LpRecordKind kind = lp_log_at(b->log, r)->kind;
        if (kind != LP_RECORD_PARTITION && kind != LP_RECORD_WAIT && kind != LP_RECORD_DECLINE)
            continue;
        LP_TRY(lp_log_read_answer(b->log, r, c->room, &out->answer, &out->job, &next, diag));
        out->time = lp_log_at(b->log, r)->time;
        uint32_t ops = lp_session_forward_ops(c->session, out->job);
        return lp_session_copy_answer(c->arena, ops, &out->answer) == LP_OK
                   ? LP_OK
                   : lp_fail_memory(diag, "decisions by hand");
    }
    return lp_fail(diag, LP_EINVAL, "branch \"%s\" has no record of its decision", b->name);
}

static LpErr list_choices(Choices *c, LpDiag *diag) {
    const LpTimeline *t = c->session->timeline;
    uint32_t path[PATH_MOST], count = 0;
    if (t == NULL)
        return LP_OK;
    for (uint32_t b = t->current; b != LP_NO_INDEX && count < PATH_MOST;
         b = lp_timeline_branch(t, b)->parent)
        path[count++] = b;
    c->item = lp_arena_alloc(c->arena, count, sizeof *c->item);
    if (c->item == NULL)
        return lp_fail_memory(diag, "decisions by hand");
    while (count-- > 0) {
        const LpBranch *b = lp_timeline_branch(t, path[count]);
        Choice *item = &c->item[c->count];
        LpMomentFacts facts;
        if (!read_words(b, c->arena, &item->fork))
            continue;
        item->fork.spec.answer = &item->fork.answer;
        LP_TRY(read_answer(c, b, item, diag));
        item->decision = lp_session_moment_facts(c->session, (LpMoment){b->parent, b->forked_at},
                                                 &facts) == LP_OK
                             ? facts.decisions
                             : 0;
        c->count++;
    }
    return LP_OK;
}

static LpErr open_choices(const LpSession *s, Choices *out, LpDiag *diag) {
    *out = (Choices){.session = s, .arena = lp_arena_new(0), .room = lp_answer_room_new()};
    if (out->arena == NULL || out->room == NULL)
        return lp_fail_memory(diag, "decisions by hand");
    return list_choices(out, diag);
}

static void close_choices(Choices *c) {
    lp_answer_room_free(c->room);
    lp_arena_free(c->arena);
}

LpErr lp_by_hand(const LpSession *s, LpByHand *out, LpDiag *diag) {
    Choices c;
    LpErr err = open_choices(s, &c, diag);
    *out = (LpByHand){0};
    for (uint32_t i = 0; err == LP_OK && i < c.count; i++) {
        bool chosen[LP_STAGE_COUNT];
        stages_of(&c.item[i].fork, chosen);
        out->decisions++;
        for (int k = 0; k < LP_STAGE_COUNT; k++)
            out->of[k] += chosen[k];
    }
    close_choices(&c);
    return err;
}

void lp_by_hand_json(const LpByHand *hand, LpJsonOut *out) {
    static const char *const keys[LP_STAGE_COUNT] = {"split", "place", "order_ops", "circuits",
                                                     "order_flows"};
    lp_json_open(out, "by_hand", '{');
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        lp_json_put_count(out, keys[i], hand->of[i]);
    lp_json_close(out, '}');
}

/* ---- the table of choices ---- */

static const LpGraph *graph_of(const Choices *c, const Choice *item) {
    int32_t g = lp_world_job(c->session->world, item->job)->graph;
    return g >= 0 ? c->session->scenario->graph[g] : NULL;
}

static void add_ids(const uint32_t *id, uint32_t count, LpBuf *out) {
    lp_buf_add(out, "{ ");
    for (uint32_t i = 0; i < count; i++)
        lp_buf_addf(out, "%s%u", i > 0 ? ", " : "", id[i]);
    lp_buf_add(out, " }");
}

static void add_plan(const LpParallel *plan, LpBuf *out) {
    char text[LP_PARALLEL_TEXT];
    lp_buf_add(out, "    partition = { ");
    for (const char *at = lp_parallel_words(plan, text); *at != '\0';) {
        size_t word = strcspn(at, " "), key = strcspn(at, "=");
        const char *value = at + key + 1;
        size_t len = word - key - 1;
        bool bare = len > 0 && (strspn(value, "0123456789") >= len ||
                                strncmp(value, "true", 4) == 0 || strncmp(value, "false", 5) == 0);
        lp_buf_addf(out, "%.*s = %s%.*s%s", (int)key, at, bare ? "" : "\"", (int)len, value,
                    bare ? "" : "\"");
        at += word;
        at += strspn(at, " ");
        lp_buf_add(out, *at != '\0' ? ", " : "");
    }
    lp_buf_add(out, " },\n");
}

static void add_partition(const Choices *c, const Choice *item, LpBuf *out) {
    const LpGraph *graph = graph_of(c, item);
    const LpAnswer *a = &item->answer;
    if (a->has_plan) {
        add_plan(&a->parallel, out);
    } else if (a->ways != NULL && graph != NULL) {
        lp_buf_add(out, "    partition = { ");
        for (uint32_t i = 0; i < graph->ops; i++)
            lp_buf_addf(out, "%s[%u] = %u", i > 0 ? ", " : "", graph->op[i].number, a->ways[i]);
        lp_buf_add(out, " },\n");
    } else if (graph != NULL) {
        lp_buf_addf(out, "    partition = %u,\n", a->degree);
    }
}

static void add_place(const Choices *c, const Choice *item, LpBuf *out) {
    const LpGraph *graph = graph_of(c, item);
    const LpAnswer *a = &item->answer;
    if (a->part_begin == NULL) {
        lp_buf_add(out, "    place = { servers = ");
        add_ids(a->server, a->servers, out);
        lp_buf_add(out, " },\n");
        return;
    }
    lp_buf_add(out, "    place = { parts = { ");
    for (uint32_t i = 0; graph != NULL && i < graph->ops; i++) {
        lp_buf_addf(out, "%s[%u] = ", i > 0 ? ", " : "", graph->op[i].number);
        add_ids(&a->part_server[a->part_begin[i]], a->part_begin[i + 1] - a->part_begin[i], out);
    }
    lp_buf_add(out, " } },\n");
}

/* "srpt:4,5b" as { rule = "srpt", "4", "5b" }: what goes first, in this order. */
static void add_order(const char *key, const char *words, LpBuf *out) {
    size_t rule = strcspn(words, ":");
    lp_buf_addf(out, "    %s = { rule = \"%.*s\"", key, (int)rule, words);
    for (const char *at = words[rule] == ':' ? words + rule + 1 : ""; *at != '\0';) {
        size_t len = strcspn(at, ",");
        lp_buf_addf(out, ", \"%.*s\"", (int)len, at);
        at += len + (at[len] == ',');
    }
    lp_buf_add(out, " },\n");
}

/* "1:0,3:0" */
static void add_links(const char *words, LpBuf *out) {
    lp_buf_add(out, "    links = { ");
    for (const char *at = words; *at != '\0';) {
        size_t len = strcspn(at, ","), colon = strcspn(at, ":");
        lp_buf_addf(out, "{ server = %.*s, aggregator = %.*s }", (int)colon, at,
                    (int)(len - colon - 1), at + colon + 1);
        at += len + (at[len] == ',');
        lp_buf_add(out, *at != '\0' ? ", " : "");
    }
    lp_buf_add(out, " },\n");
}

/* "0-1,1-0@20ms/0-2,2-0"; scripts count ports from 1. */
static void add_matchings(const char *words, LpBuf *out) {
    lp_buf_add(out, "    matchings = { ");
    for (const char *at = words; *at != '\0';) {
        size_t len = strcspn(at, "/"), pairs = strcspn(at, "@/");
        char hold[32] = "1";
        double seconds = 1;
        if (pairs < len && len - pairs <= sizeof hold)
            lp_str_copy(hold, len - pairs, at + pairs + 1);
        if (pairs < len && lp_quantity_parse(hold, LP_DIM_TIME, &seconds, NULL) != LP_OK)
            seconds = 1;
        lp_buf_add(out, "{ match = { ");
        for (const char *p = at; p < at + pairs;) {
            size_t one = strcspn(p, ",@/"), dash = strcspn(p, "-");
            unsigned long from = strtoul(p, NULL, 10), to = strtoul(p + dash + 1, NULL, 10);
            lp_buf_addf(out, "%s[%lu] = %lu", p > at ? ", " : "", from + 1, to + 1);
            p += one + (p[one] == ',');
        }
        lp_buf_addf(out, " }, hold = %.17g }", seconds);
        at += len + (at[len] == '/');
        lp_buf_add(out, *at != '\0' ? ", " : "");
    }
    lp_buf_add(out, " },\n");
}

static void add_phase(const char *words, LpBuf *out) {
    size_t rule = strcspn(words, ":");
    lp_buf_addf(out, "    phase = { orders = \"%.*s\"", (int)rule, words);
    for (const char *at = words[rule] == ':' ? words + rule + 1 : ""; *at != '\0';) {
        size_t len = strcspn(at, ",");
        lp_buf_addf(out, ", [%.*s] = true", (int)len, at);
        at += len + (at[len] == ',');
    }
    lp_buf_add(out, " },\n");
}

static void add_choice(const Choices *c, const Choice *item, LpPolicyWidth width, LpBuf *out) {
    bool chosen[LP_STAGE_COUNT];
    const LpForkText *fork = &item->fork;
    const LpGraph *graph = graph_of(c, item);
    char number[LP_NUM_TEXT];
    stages_of(fork, chosen);
    bool whole = fork->spec.words == NULL || fork->answer.degree > 0 || fork->answer.has_plan;
    lp_buf_addf(out, "  { -- decision %llu, job %u\n    ", (unsigned long long)item->decision,
                item->job);
    if (width == LP_WIDTH_GRAPH && graph != NULL)
        lp_buf_addf(out, "graph = \"%s\",\n", graph->id);
    else
        lp_buf_addf(out, "job = %u, now = %s,\n", item->job, lp_num_print(item->time, number));
    if (item->answer.kind != LP_ANSWER_RUN) {
        lp_buf_addf(out, "    %s = true,\n",
                    item->answer.kind == LP_ANSWER_WAIT ? "wait" : "decline");
    } else {
        bool parts = fork->word[LP_JOB_WORD_PARTS] != NULL;
        if (chosen[LP_STAGE_PARTITION] || parts || fork->spec.words == NULL)
            add_partition(c, item, out);
        if (chosen[LP_STAGE_PLACE])
            add_place(c, item, out);
        lp_buf_add(out, whole ? "    engines = true, -- what is not said here is not the policy's\n"
                              : "");
        if (fork->word[LP_JOB_WORD_ORDER_OPS] != NULL)
            add_order("order_ops", fork->word[LP_JOB_WORD_ORDER_OPS], out);
        if (fork->word[LP_JOB_WORD_ORDER_FLOWS] != NULL)
            add_order("order_flows", fork->word[LP_JOB_WORD_ORDER_FLOWS], out);
        const char *circuits = fork->word[LP_JOB_WORD_CIRCUITS];
        if (circuits != NULL)
            (strchr(circuits, ':') != NULL ? add_links : add_matchings)(circuits, out);
        if (fork->word[LP_JOB_WORD_PHASE] != NULL)
            add_phase(fork->word[LP_JOB_WORD_PHASE], out);
    }
    lp_buf_add(out, "  },\n");
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

static bool any_word(const Choices *c, LpJobWord word) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->item[i].fork.word[word] != NULL)
            return true;
    return false;
}

/* Hooks that the table has no say in stay the base's. */
static void add_rest(bool links, bool matchings, bool phase, LpBuf *out) {
    static const char *const always[] = {"order_queue", "failure"};
    lp_buf_add(out, "for _, hook in ipairs { ");
    for (size_t i = 0; i < LP_COUNTOF(always); i++)
        lp_buf_addf(out, "%s\"%s\"", i > 0 ? ", " : "", always[i]);
    lp_buf_addf(out, "%s%s%s } do policy[hook] = base[hook] end\n", links ? "" : ", \"review\"",
                matchings ? "" : ", \"configure\"", phase ? "" : ", \"phase\"");
    lp_buf_add(out, "return policy\n");
}

/* The name that a policy requires another one by. */
static void base_name(const LpSession *s, char *out, size_t size) {
    const char *path = lp_session_policy_path(s), *slash = strrchr(path, '/');
    lp_str_copy(out, size, slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL && strcmp(dot, ".lua") == 0)
        *dot = '\0';
}

/* Its parameters are the base's, with the values that it has here. */
static bool add_params(const LpSession *s, LpBuf *out) {
    const LpTimeline *t = s->timeline;
    const LpPolicyHome *home = &s->home[lp_timeline_branch(t, t->current)->policy];
    if (home->params == 0)
        return false;
    lp_buf_add(out, "-- As the policy in charge was given them.\n"
                    "local params = {}\n"
                    "for name, declared in pairs(base.params or {}) do\n"
                    "  params[name] = {}\n"
                    "  for key, value in pairs(declared) do params[name][key] = value end\n"
                    "end\n");
    for (uint32_t i = 0; i < home->params; i++)
        lp_buf_addf(out, "params[\"%s\"].default = %s\n", home->param[i].name, home->param[i].json);
    lp_buf_add(out, "\n");
    return true;
}

static void write_script(const Choices *c, LpPolicyWidth width, const char *name, LpBuf *out) {
    char base[256];
    base_name(c->session, base, sizeof base);
    bool circuits = any_word(c, LP_JOB_WORD_CIRCUITS), phase = any_word(c, LP_JOB_WORD_PHASE);
    bool links = circuits && c->session->scenario->cluster.ocs.aggregators > 0;
    lp_buf_add(out, head);
    if (base[0] != '\0')
        lp_buf_addf(out, "local base = require(\"%s\")\n", base);
    else
        lp_buf_add(out, "local base = {} -- the engine's own rules\n");
    bool given = add_params(c->session, out);
    lp_buf_addf(out,
                "local policy = { name = \"%s\", api = 1, doc = \"%u decision%s by hand\", "
                "params = %s }\n\nlocal chosen = {\n",
                name, c->count, lp_str_s(c->count), given ? "params" : "base.params");
    for (uint32_t i = 0; i < c->count; i++)
        add_choice(c, &c->item[i], width, out);
    lp_buf_add(out, "}\n");
    lp_buf_add(out, looking);
    lp_buf_add(out, hooks);
    lp_buf_add(out, links ? reviewing : "");
    lp_buf_add(out, circuits && !links ? configuring : "");
    lp_buf_add(out, phase ? phasing : "");
    add_rest(links, circuits && !links, phase, out);
}

LpErr lp_as_policy(const LpSession *s, LpPolicyWidth width, const char *name, LpBuf *out,
                   LpDiag *diag) {
    Choices c;
    LpErr err = open_choices(s, &c, diag);
    if (err == LP_OK && c.count == 0)
        err = lp_fail(diag, LP_ESTATE, "nothing was decided by hand on the way here");
    if (err == LP_OK) {
        write_script(&c, width, name, out);
        err = lp_buf_ok(out, diag);
    }
    close_choices(&c);
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
