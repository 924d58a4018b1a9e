/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads forks: "degree=8", "tensor=8 pipeline=2", "policy=edf.lua bandwidth=2". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "base/word.h"
#include "session/moment/job_words.h"
#include "session/moment/moment.h"
#include "session/moment/plan_words.h"
#include "session/session_impl.h"
#include "session/words/read_plan.h"
#include "sim/place/slice.h"
#include "sim/world.h"

enum { SHOWN = 80, LONGEST = 4096, EXTRA_STEPS = 50 };

typedef struct Reader {
    LpForkText *out;
    LpArena *arena;
    const char **param;
    uint32_t params;
    char *plan; /* its words, with blanks between them; room for all of the text */
    char *said; /* likewise all words about the job */
    bool answers, conditions;
    LpDiag *diag;
} Reader;

static LpErr fail_value(const Reader *r, const char *key, const char *value, const char *expected) {
    char shown[SHOWN];
    return lp_fail(r->diag, LP_EINVAL, "fork: %s=\"%s\": expected %s", key,
                   lp_str_show(shown, sizeof shown, value), expected);
}

static LpErr set_kind(Reader *r, LpAnswerKind kind, const char *word) {
    if (r->answers && (kind != LP_ANSWER_RUN || r->out->answer.kind != LP_ANSWER_RUN))
        return lp_fail(r->diag, LP_EINVAL, "fork: \"%s\" beside another answer for the job", word);
    r->answers = true;
    r->out->answer.kind = kind;
    return LP_OK;
}

static LpErr read_degree(Reader *r, const char *value) {
    uint64_t degree;
    if (lp_num_parse_u64(value, &degree, NULL) != LP_OK || degree < 1 || degree > UINT32_MAX)
        return fail_value(r, "degree", value, "a whole number from 1");
    r->out->answer.degree = (uint32_t)degree;
    return set_kind(r, LP_ANSWER_RUN, "degree");
}

/* "6", or "6-9", which begins with its first. */
static bool read_servers_item(char *text, uint32_t *first, uint32_t *last) {
    char *dash = strchr(text, '-');
    uint64_t from, to;
    if (dash != NULL)
        *dash++ = '\0';
    if (lp_num_parse_u64(text, &from, NULL) != LP_OK)
        return false;
    if (dash == NULL)
        to = from;
    else if (lp_num_parse_u64(dash, &to, NULL) != LP_OK)
        return false;
    if (to < from || to >= UINT32_MAX || to - from >= LP_SERVERS_MAX)
        return false;
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return true;
}

static LpErr read_servers(Reader *r, const char *value) {
    uint32_t *server = NULL, count = 0, first = 0, last = 0;
    size_t cap = 0;
    char *copy = lp_arena_strdup(r->arena, value), *comma;
    LpErr err = copy != NULL ? LP_OK : lp_fail_memory(r->diag, "a fork");
    for (char *at = copy; err == LP_OK && at != NULL; at = comma) {
        comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (!read_servers_item(at, &first, &last) || count + (last - first) >= LP_SERVERS_MAX)
            err = fail_value(r, "servers", value,
                             "numbers of servers with commas between them, such as 0,2,8-11");
        else if (lp_grow((void **)&server, &cap, count + (last - first) + 1, sizeof *server) !=
                 LP_OK)
            err = lp_fail_memory(r->diag, "a fork");
        for (; err == LP_OK && first <= last; first++)
            server[count++] = first;
    }
    uint32_t *kept = err == LP_OK ? lp_arena_alloc(r->arena, count, sizeof *kept) : NULL;
    if (kept != NULL)
        memcpy(kept, server, count * sizeof *kept);
    lp_free(server);
    if (err != LP_OK)
        return err;
    if (kept == NULL)
        return lp_fail_memory(r->diag, "a fork");
    r->out->answer.server = kept;
    r->out->answer.servers = count;
    return set_kind(r, LP_ANSWER_RUN, "servers");
}

static LpErr read_policy(Reader *r, const char *value) {
    if (value[0] == '\0')
        return fail_value(r, "policy", value, "the name of a file");
    r->out->spec.policy = lp_arena_strdup(r->arena, value);
    return r->out->spec.policy != NULL ? LP_OK : lp_fail_memory(r->diag, "a fork");
}

static LpErr read_param(Reader *r, const char *value) {
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value)
        return fail_value(r, "param", value, "NAME=VALUE");
    const char *copy = lp_arena_strdup(r->arena, value);
    if (copy == NULL)
        return lp_fail_memory(r->diag, "a fork");
    r->param[r->params++] = copy;
    return LP_OK;
}

static LpErr read_name(Reader *r, const char *value) {
    if (value[0] == '\0')
        return fail_value(r, "name", value, "a name");
    r->out->spec.name = lp_arena_strdup(r->arena, value);
    return r->out->spec.name != NULL ? LP_OK : lp_fail_memory(r->diag, "a fork");
}

static LpErr read_wait(Reader *r, const char *value) {
    (void)value;
    return set_kind(r, LP_ANSWER_WAIT, "wait");
}

static LpErr read_decline(Reader *r, const char *value) {
    (void)value;
    return set_kind(r, LP_ANSWER_DECLINE, "decline");
}

static const struct {
    const char *key;
    bool has_value;
    LpErr (*read)(Reader *r, const char *value);
} words[] = {
    {"degree", true, read_degree},    {"servers", true, read_servers}, {"wait", false, read_wait},
    {"decline", false, read_decline}, {"policy", true, read_policy},   {"param", true, read_param},
    {"name", true, read_name},
};

/* All words of a plan are read at once, for they belong together. */
static LpErr keep_plan_word(Reader *r, const char *key, const char *value) {
    strcat(r->plan, key);
    strcat(r->plan, "=");
    strcat(r->plan, value);
    strcat(r->plan, " ");
    return set_kind(r, LP_ANSWER_RUN, key);
}

static bool of_circuit(int kind) {
    return kind == LP_CONDITION_FAIL_CIRCUIT || kind == LP_CONDITION_REPAIR_CIRCUIT;
}

/* "3-7" */
static LpErr read_circuit(Reader *r, const char *name, const char *value) {
    char *copy = lp_arena_strdup(r->arena, value);
    char *dash = copy != NULL ? strchr(copy, '-') : NULL;
    LpCondition *c = &r->out->condition;
    uint64_t a, b;
    if (copy == NULL)
        return lp_fail_memory(r->diag, "a fork");
    if (dash != NULL)
        *dash++ = '\0';
    if (dash == NULL || lp_num_parse_u64(copy, &a, NULL) != LP_OK ||
        lp_num_parse_u64(dash, &b, NULL) != LP_OK || a > UINT32_MAX || b > UINT32_MAX)
        return fail_value(r, name, value, "two numbers with a dash, such as 3-7");
    c->value = (double)a;
    c->other = (double)b;
    return LP_OK;
}

/* "alexnet", "alexnet:100", "alexnet:100:0.5" */
static LpErr read_extra(Reader *r, const char *name, const char *value) {
    char *copy = lp_arena_strdup(r->arena, value);
    char *part[2] = {NULL, NULL};
    double *number[2] = {&r->out->condition.steps, &r->out->condition.fraction};
    if (copy == NULL)
        return lp_fail_memory(r->diag, "a fork");
    r->out->graph = copy;
    for (int i = 0; i < 2; i++) {
        char *at = i == 0 ? copy : part[0];
        part[i] = at != NULL ? strchr(at, ':') : NULL;
        if (part[i] == NULL)
            break;
        *part[i]++ = '\0';
    }
    for (int i = 0; i < 2; i++)
        if (part[i] != NULL && lp_num_parse(part[i], number[i], NULL) != LP_OK)
            return fail_value(r, name, value, "GRAPH, GRAPH:STEPS or GRAPH:STEPS:FRACTION");
    if (copy[0] == '\0')
        return fail_value(r, name, value, "the id of a graph");
    return LP_OK;
}

static bool of_component(int kind) {
    return kind == LP_CONDITION_FAIL || kind == LP_CONDITION_REPAIR ||
           kind == LP_CONDITION_WITHOUT_FAILURE;
}

/* "server:3", "server:3:2": a component, and which of its failures. */
static LpErr read_component(Reader *r, const char *name, const char *value) {
    LpCondition *c = &r->out->condition;
    char *copy = lp_arena_strdup(r->arena, value);
    char *index = copy != NULL ? strchr(copy, ':') : NULL, *number;
    uint64_t at, which = 0;
    const char *form = c->kind == LP_CONDITION_WITHOUT_FAILURE
                           ? "a component such as server:3, or server:3:2"
                           : "a component such as server:3";
    if (copy == NULL)
        return lp_fail_memory(r->diag, "a fork");
    if (index == NULL)
        return fail_value(r, name, value, form);
    *index++ = '\0';
    number = strchr(index, ':');
    if (number != NULL && c->kind == LP_CONDITION_WITHOUT_FAILURE)
        *number++ = '\0';
    int kind = lp_outage_find(copy);
    if (kind < 0 || lp_num_parse_u64(index, &at, NULL) != LP_OK || at > UINT32_MAX ||
        (number != NULL && lp_num_parse_u64(number, &which, NULL) != LP_OK))
        return fail_value(r, name, value, form);
    c->steps = kind;
    c->value = (double)at;
    c->other = number != NULL ? (double)which : -1;
    return LP_OK;
}

static LpErr read_condition(Reader *r, int kind, const char *value) {
    const char *name = lp_condition_name((LpConditionKind)kind);
    double number = 0;
    if (r->conditions)
        return lp_fail(r->diag, LP_EINVAL, "fork: \"%s\" is a second condition: expected one",
                       name);
    bool plain = !of_circuit(kind) && kind != LP_CONDITION_EXTRA_JOB && !of_component(kind);
    if (plain && lp_num_parse(value, &number, NULL) != LP_OK)
        return fail_value(r, name, value, "a number");
    r->conditions = true;
    r->out->condition = (LpCondition){.kind = (LpConditionKind)kind,
                                      .value = number,
                                      .steps = kind == LP_CONDITION_EXTRA_JOB ? EXTRA_STEPS : 0};
    if (of_circuit(kind))
        return read_circuit(r, name, value);
    if (of_component(kind))
        return read_component(r, name, value);
    return kind == LP_CONDITION_EXTRA_JOB ? read_extra(r, name, value) : LP_OK;
}

static LpErr fail_word(const Reader *r, const char *key) {
    const char
        *names[LP_COUNTOF(words) + LP_JOB_WORD_COUNT + LP_PARALLEL_NUMBERS + LP_CONDITION_COUNT];
    char shown[SHOWN];
    size_t count = 0;
    for (size_t i = 0; i < LP_COUNTOF(words); i++)
        names[count++] = words[i].key;
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++)
        names[count++] = lp_job_word_name((LpJobWord)i);
    for (size_t i = 0; i < LP_PARALLEL_NUMBERS; i++)
        names[count++] = lp_parallel_key(i);
    for (int k = 0; k < LP_CONDITION_COUNT; k++)
        names[count++] = lp_condition_name((LpConditionKind)k);
    int near = lp_str_nearest(key, names, count);
    return lp_fail(r->diag, LP_EINVAL,
                   "fork: unknown word \"%s\"%s%s: expected degree=8, a plan such as tensor=8 "
                   "pipeline=2, servers=0,2, order_ops=fifo, wait, decline, policy=FILE, or a "
                   "condition such as bandwidth=2",
                   lp_str_show(shown, sizeof shown, key), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? names[near] : "");
}

/* Words about the job also say what a branch is. */
static void keep_said(Reader *r, const char *key, const char *value) {
    if (r->said[0] != '\0')
        strcat(r->said, " ");
    strcat(r->said, key);
    strcat(r->said, "=");
    strcat(r->said, value);
}

static LpErr keep_job_word(Reader *r, LpJobWord word, const char *value) {
    const char *name = lp_job_word_name(word);
    if (r->out->word[word] != NULL)
        return lp_fail(r->diag, LP_EINVAL, "fork: a second \"%s\": expected one", name);
    r->out->word[word] = lp_arena_strdup(r->arena, value);
    if (r->out->word[word] == NULL)
        return lp_fail_memory(r->diag, "a fork");
    return set_kind(r, LP_ANSWER_RUN, name);
}

static LpErr read_word(Reader *r, char *word) {
    char *value = strchr(word, '=');
    if (value != NULL)
        *value++ = '\0';
    int of_job = lp_job_word_find(word);
    bool plan = value != NULL && lp_is_plan_key(word, strlen(word));
    if (value != NULL &&
        (plan || of_job >= 0 || strcmp(word, "degree") == 0 || strcmp(word, "servers") == 0))
        keep_said(r, word, value);
    if (plan)
        return keep_plan_word(r, word, value);
    if (of_job >= 0)
        return value != NULL ? keep_job_word(r, (LpJobWord)of_job, value)
                             : lp_fail(r->diag, LP_EINVAL, "fork: \"%s\" needs a value", word);
    for (size_t i = 0; i < LP_COUNTOF(words); i++) {
        if (strcmp(words[i].key, word) != 0)
            continue;
        if (words[i].has_value != (value != NULL))
            return lp_fail(r->diag, LP_EINVAL, "fork: \"%s\" %s a value", word,
                           words[i].has_value ? "needs" : "takes no");
        return words[i].read(r, value);
    }
    int kind = lp_condition_find(word);
    if (kind < 0 && !lp_is_plan_key(word, strlen(word)))
        return fail_word(r, word);
    return value != NULL ? read_condition(r, kind, value)
                         : lp_fail(r->diag, LP_EINVAL, "fork: \"%s\" needs a value", word);
}

/* "fail=host 19" is "fail=host:19". */
static void join_number(char *at) {
    size_t len = strcspn(at, " ");
    bool component = strncmp(at, "fail=", 5) == 0 || strncmp(at, "repair=", 7) == 0;
    if (component && at[len] == ' ' && isdigit((unsigned char)at[len + 1]) &&
        memchr(at, ':', len) == NULL)
        at[len] = ':';
}

static bool has_job_words(const LpForkText *fork) {
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++)
        if (fork->word[i] != NULL)
            return true;
    return false;
}

LpErr lp_fork_parse(const char *text, LpArena *arena, LpForkText *out, LpDiag *diag) {
    Reader r = {.out = out, .arena = arena, .diag = diag};
    LpDiag inner;
    *out = (LpForkText){.answer = {.why = "by hand"}, .arena = arena};
    if (strlen(text) > LONGEST)
        return lp_fail(diag, LP_EINVAL, "fork: longer than %d bytes", LONGEST);
    char *copy = lp_arena_strdup(arena, text);
    r.param = lp_arena_alloc(arena, strlen(text) / 2 + 1, sizeof *r.param);
    r.plan = lp_arena_alloc(arena, strlen(text) + 2, 1);
    r.said = lp_arena_alloc(arena, strlen(text) + 1, 1);
    if (copy == NULL || r.param == NULL || r.plan == NULL || r.said == NULL)
        return lp_fail_memory(diag, "a fork");
    for (char *at = copy, *word;;) {
        join_number(at += strspn(at, " \t"));
        if (lp_word_next(&at, &word, &inner) != LP_OK)
            return lp_fail(diag, LP_EINVAL, "fork: %s", inner.text);
        if (word == NULL)
            break;
        LP_TRY(read_word(&r, word));
    }
    if (r.plan[0] != '\0')
        LP_TRY(lp_fork_read_plan(out, r.plan, diag));
    out->spec.param = r.param;
    out->spec.params = r.params;
    out->spec.answer = r.answers ? &out->answer : NULL;
    out->spec.condition = r.conditions ? &out->condition : NULL;
    out->spec.words = has_job_words(out) ? r.said : NULL;
    return LP_OK;
}

static LpErr find_graph(const LpScenario *s, LpForkText *fork, LpDiag *diag) {
    const char *names[64] = {NULL};
    char shown[SHOWN];
    size_t count = 0;
    for (uint32_t g = 0; g < s->graphs; g++) {
        if (count < LP_COUNTOF(names))
            names[count++] = s->graph[g]->id;
        if (strcmp(s->graph[g]->id, fork->graph) != 0)
            continue;
        fork->condition.value = g;
        return LP_OK;
    }
    int near = lp_str_nearest(fork->graph, names, count);
    return lp_fail(diag, LP_EINVAL, "extra_job: there is no graph \"%s\"%s%s: expected %s",
                   lp_str_show(shown, sizeof shown, fork->graph),
                   near >= 0 ? ", did you mean " : "", near >= 0 ? names[near] : "",
                   count > 0 ? "one of the scenario's" : "a scenario with graphs");
}

/* A job with a duration is what it asks for. */
static LpErr check_degree(LpSession *session, const LpForkText *fork, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    uint32_t id = lp_world_due(world);
    char asks[LP_SLICE_TEXT + 32];
    if (fork->spec.answer == NULL || fork->answer.degree == 0 || id == LP_NO_INDEX)
        return LP_OK;
    const LpJob *job = lp_world_job(world, id);
    if (job->graph >= 0)
        return LP_OK;
    const LpSlice *slice =
        job->slice.row > 0 ? lp_job_slice(lp_session_context(session), job) : NULL;
    char name[LP_SLICE_TEXT];
    if (slice != NULL)
        snprintf(asks, sizeof asks, "a slice of %s", lp_slice_name(slice, name));
    else
        snprintf(asks, sizeof asks, "%u servers", job->asked.rigid_servers);
    return lp_fail(diag, LP_EINVAL,
                   "degree=%u: job %u is not cut, it asks for %s: expected wait, decline, "
                   "or a policy",
                   fork->answer.degree, id, asks);
}

/* The policy's degree or plan. */
static void take_degree(LpForkText *fork, const LpAnswer *own) {
    fork->answer.degree = own->degree;
    fork->answer.has_plan = own->has_plan;
    if (own->has_plan)
        fork->answer.parallel = own->parallel;
}

/* All that the policy answers, but for the servers where the words name some, and for lists of what
 * goes first, which were made for its own cut and place. */
static LpErr take_all(LpSession *session, LpForkText *fork, LpDiag *diag) {
    if (lp_world_due(session->world) == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due here: there is nothing to answer");
    LP_TRY(lp_session_ask(session, diag));
    const LpAnswer *own = &session->pending.answer;
    LpAnswer answer = *own, said = fork->answer;
    uint32_t ops = lp_session_forward_ops(session, lp_world_due(session->world));
    if (own->kind != LP_ANSWER_RUN)
        return lp_fail(diag, LP_EREFUSED, "fork: the policy %s: add degree= to these words",
                       own->kind == LP_ANSWER_WAIT ? "lets the job wait" : "turns the job away");
    if (lp_session_copy_answer(fork->arena, ops, &answer) != LP_OK)
        return lp_fail_memory(diag, "a fork");
    answer.why = said.why;
    answer.where = NULL;
    bool moved = said.servers > 0 || fork->word[LP_JOB_WORD_CUBES] != NULL ||
                 fork->word[LP_JOB_WORD_ORIGIN] != NULL || fork->word[LP_JOB_WORD_PARTS] != NULL;
    bool cut = fork->word[LP_JOB_WORD_WAYS] != NULL || fork->word[LP_JOB_WORD_PARTS] != NULL;
    if (said.servers > 0) {
        answer.servers = said.servers;
        answer.server = said.server;
        answer.part_begin = answer.part_server = NULL;
    }
    if (cut) {
        answer.op_priority = NULL;
        answer.op_priorities = 0;
    }
    if (cut || moved) {
        answer.flow_priority = NULL;
        answer.flow_priorities = 0;
    }
    fork->answer = answer;
    return LP_OK;
}

LpErr lp_fork_complete(LpSession *session, LpForkText *fork, LpDiag *diag) {
    bool about_job = has_job_words(fork);
    if (fork->graph != NULL)
        LP_TRY(find_graph(lp_session_scenario(session), fork, diag));
    if (fork->answer.has_plan)
        LP_TRY(lp_fork_check_plan(session, fork, diag));
    else
        LP_TRY(check_degree(session, fork, diag));
    if (about_job && fork->answer.degree == 0)
        LP_TRY(take_all(session, fork, diag));
    if (about_job)
        return lp_fork_read_job_words(session, fork, diag);
    if (fork->spec.answer == NULL || fork->answer.servers == 0 || fork->answer.degree > 0)
        return LP_OK;
    const LpAnswer *own = lp_session_pending(session, NULL);
    if (own != NULL)
        take_degree(fork, own);
    return LP_OK;
}

LpErr lp_session_fork_text(LpSession *session, const char *text, uint32_t *branch, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpErr err =
        arena != NULL ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a fork");
    if (err == LP_OK)
        err = lp_fork_complete(session, &fork, diag);
    if (err == LP_OK)
        err = lp_session_fork(session, &fork.spec, branch, diag);
    lp_arena_free(arena);
    return err;
}
