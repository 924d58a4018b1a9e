/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of clusters: where jobs go, and why they wait, against the answers of a reference model for
 * each of its states (../shared/goldens/queue/tree-*.json); texts are the same to the letter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>

#include "golden.h"
#include "group.h"
#include "sim/waits/reason.h"

enum { SERVERS = 1024, NODES = 256, JOBS = 64, LABEL = 64 };

/* A state as the engine is asked of it. */
typedef struct State {
    const cJSON *json;
    LpArena *arena;
    const LpTree *tree;
    LpTreeCount count[NODES];
    uint32_t down_at[SERVERS], holder[SERVERS]; /* 1: so */
    LpReasonDown down[SERVERS];
    LpReasonEnd end[JOBS];
    uint32_t held[SERVERS];
    LpReasonJob job[JOBS];
    char label[2 * JOBS][LABEL];
    uint32_t downs, ends, jobs, labels;
} State;

static const cJSON *member(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static uint32_t numbers(State *s, const cJSON *list, uint32_t **out) {
    uint32_t count = (uint32_t)cJSON_GetArraySize(list), i = 0;
    const cJSON *item;
    *out = lp_arena_alloc(s->arena, count, sizeof **out);
    assert_non_null(*out);
    cJSON_ArrayForEach(item, list)(*out)[i++] = (uint32_t)item->valuedouble;
    return count;
}

static LpTreeNodeSpec node_spec(State *s, const cJSON *node) {
    LpTreeNodeSpec spec = {.name = member(node, "name")->valuestring};
    const cJSON *below = member(node, "children"), *item;
    uint32_t *server;
    if (below == NULL) {
        spec.servers = numbers(s, member(node, "servers"), &server);
        spec.server = server;
        return spec;
    }
    const char **of = lp_arena_alloc(s->arena, (size_t)cJSON_GetArraySize(below), sizeof *of);
    assert_non_null(of);
    cJSON_ArrayForEach(item, below) of[spec.children++] = item->valuestring;
    spec.of = of;
    return spec;
}

static void build_tree(State *s) {
    LpTreeLevelSpec level[LP_TREE_LEVELS] = {{NULL, 0, NULL}};
    LpTreeSpec spec = {0, level};
    uint32_t servers = 0;
    const cJSON *name, *node;
    LpDiag diag;
    cJSON_ArrayForEach(name, member(s->json, "levels")) {
        LpTreeNodeSpec *list = lp_arena_alloc(s->arena, NODES, sizeof *list);
        LpTreeLevelSpec *l = &level[spec.levels++];
        assert_non_null(list);
        *l = (LpTreeLevelSpec){name->valuestring, 0, list};
        cJSON_ArrayForEach(node, member(s->json, "nodes")) {
            if (strcmp(member(node, "level")->valuestring, l->name) != 0)
                continue;
            list[l->nodes] = node_spec(s, node);
            servers += list[l->nodes++].servers;
        }
    }
    if (lp_tree_build(&spec, servers, s->arena, &s->tree, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_true(s->tree->nodes <= NODES && servers <= SERVERS);
}

static const char *label_of(State *s, const cJSON *job) {
    char *out = s->label[s->labels++];
    const cJSON *name = member(job, "name");
    if (name != NULL)
        snprintf(out, LABEL, "%s", name->valuestring);
    else
        snprintf(out, LABEL, "job %d", (int)member(job, "id")->valuedouble);
    return out;
}

static int by_end(const void *left, const void *right) {
    const LpReasonEnd *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->job > b->job) - (a->job < b->job);
}

static void take_running(State *s) {
    uint32_t held = 0;
    const cJSON *job;
    cJSON_ArrayForEach(job, member(s->json, "running")) {
        uint32_t *server, count = numbers(s, member(job, "servers"), &server);
        for (uint32_t i = 0; i < count; i++) {
            s->held[held + i] = server[i];
            s->holder[server[i]] = 1;
        }
        if (!cJSON_IsNull(member(job, "end")))
            s->end[s->ends++] = (LpReasonEnd){.label = label_of(s, job),
                                              .job = (uint32_t)member(job, "id")->valuedouble,
                                              .begin = held,
                                              .count = count,
                                              .at = member(job, "end")->valuedouble};
        held += count;
    }
    qsort(s->end, s->ends, sizeof *s->end, by_end);
}

static uint32_t level_of(const State *s, const cJSON *job, const char *key) {
    const cJSON *name = member(job, key);
    return name != NULL ? (uint32_t)lp_tree_level_find(s->tree, name->valuestring) + 1 : 0;
}

static void take_waiting(State *s) {
    const cJSON *job;
    cJSON_ArrayForEach(job, member(s->json, "waiting")) {
        const cJSON *segment = member(job, "segment");
        s->job[s->jobs++] =
            (LpReasonJob){.label = label_of(s, job),
                          .servers = (uint32_t)member(job, "servers")->valuedouble,
                          .arrival = member(job, "arrival")->valuedouble,
                          .duration = member(job, "duration")->valuedouble,
                          .ask = {.required = level_of(s, job, "required"),
                                  .preferred = level_of(s, job, "preferred"),
                                  .segment = segment != NULL ? (uint32_t)segment->valuedouble : 0},
                          .rigid = member(job, "step") == NULL};
    }
}

static void open_state(State *s, const cJSON *json) {
    memset(s, 0, sizeof *s);
    s->json = json;
    s->arena = lp_arena_new(0);
    build_tree(s);
    const cJSON *item;
    cJSON_ArrayForEach(item, member(json, "down")) s->down_at[(uint32_t)item->valuedouble] = 1;
    take_running(s);
    take_waiting(s);
    for (uint32_t i = 0; i < s->tree->servers; i++) {
        bool down = s->down_at[i], held = s->holder[i];
        lp_tree_add(s->tree, s->count, i, !down && !held, down);
        if (down)
            s->down[s->downs++] = (LpReasonDown){i, held};
    }
}

/* What the state says of step times across nodes. */
static double ratio(void *context, uint32_t nodes) {
    char key[16];
    snprintf(key, sizeof key, "%u", nodes);
    const cJSON *step = member(context, "step"), *x = step ? member(step, key) : NULL;
    return x != NULL ? x->valuedouble : (double)NAN;
}

static bool before(const LpReasonJob *a, const cJSON *ja, const LpReasonJob *b, const cJSON *jb) {
    if (a->arrival != b->arrival)
        return a->arrival < b->arrival;
    return member(ja, "id")->valuedouble < member(jb, "id")->valuedouble;
}

static LpReason ask(State *s, uint32_t at) {
    const cJSON *list = member(s->json, "waiting"), *job = cJSON_GetArrayItem(list, (int)at);
    const char *order = member(member(s->json, "policy"), "order")->valuestring;
    LpReasonView view = {.tree = s->tree,
                         .count = s->count,
                         .now = member(s->json, "now")->valuedouble,
                         .down = s->down,
                         .downs = s->downs,
                         .end = s->end,
                         .ends = s->ends,
                         .held = s->held,
                         .lacks = LP_REASON_POLICY,
                         .enough_at = (double)NAN,
                         .stopped_at = (double)NAN,
                         .ratio = ratio};
    view.context = (void *)(uintptr_t)job;
    view.order = strcmp(order, "fifo") == 0       ? LP_IN_ORDER
                 : strcmp(order, "backfill") == 0 ? LP_IN_ORDER_FILL
                                                  : LP_IN_ANY_ORDER;
    for (uint32_t i = 0; i < s->jobs && view.head == NULL; i++)
        if (before(&s->job[i], cJSON_GetArrayItem(list, (int)i), &s->job[at], job))
            view.head = &s->job[i];
    LpReason reason;
    LpDiag diag;
    assert_int_equal(lp_reason_find(&view, &s->job[at], &reason, &diag), LP_OK);
    return reason;
}

static void compare_place(State *s, uint32_t at, const LpReason *reason, const cJSON *expected,
                          const char *file) {
    const LpReasonJob *job = &s->job[at];
    uint32_t room[NODES], take[NODES] = {0}, sum = 0;
    lp_tree_room(s->tree, s->count, job->ask.segment, room);
    uint32_t node = lp_tree_fit(s->tree, room, &job->ask, job->servers, LP_TREE_TIGHT);
    bool starts = reason->code == LP_REASON_BEHIND || reason->code == LP_REASON_POLICY;
    if ((node != LP_NO_NODE) != !cJSON_IsNull(expected) || (node != LP_NO_NODE) != starts)
        fail_msg("%s job %u: a place %s", file, at, node != LP_NO_NODE ? "is found" : "is none");
    if (node == LP_NO_NODE)
        return;
    lp_tree_fill(s->tree, room, node, job->servers, LP_TREE_TIGHT, take);
    for (uint32_t i = 0; i < s->tree->level_begin[1]; i++) {
        const cJSON *n = member(expected, s->tree->name[i]);
        sum += take[i];
        if (take[i] != (n != NULL ? (uint32_t)n->valuedouble : 0))
            fail_msg("%s job %u: %u of %s", file, at, take[i], s->tree->name[i]);
    }
    assert_int_equal(sum, job->servers);
}

static void compare_jobs(State *s, const cJSON *answer, const char *file) {
    const cJSON *expected = member(answer, "reasons")->child;
    char word[LP_REASON_WORD];
    for (uint32_t at = 0; at < s->jobs; at++, expected = expected->next) {
        LpReason reason = ask(s, at);
        const cJSON *in = member(expected, "enough_in");
        double now = member(s->json, "now")->valuedouble;
        if (strcmp(reason.text, member(expected, "text")->valuestring) != 0)
            fail_msg("%s: \"%s\", expected \"%s\"", file, reason.text,
                     member(expected, "text")->valuestring);
        assert_string_equal(lp_reason_code(reason.code), member(expected, "code")->valuestring);
        assert_string_equal(lp_reason_word(&reason, LP_WORDING_SLURM, word),
                            member(expected, "slurm")->valuestring);
        if (isnan(reason.enough_at) != (bool)cJSON_IsNull(in) ||
            (!isnan(reason.enough_at) && reason.enough_at - now != in->valuedouble))
            fail_msg("%s job %u: enough at %g", file, at, reason.enough_at);
        compare_place(s, at, &reason, member(expected, "place"), file);
    }
}

static void compare_board(State *s, const cJSON *board, const char *file) {
    assert_int_equal(s->count[s->tree->nodes - 1].free, (uint32_t)golden_number(board, "free"));
    assert_int_equal(s->count[s->tree->nodes - 1].down, (uint32_t)golden_number(board, "down"));
    for (uint32_t i = 0; i + 1 < s->tree->nodes; i++) {
        const cJSON *level =
            member(member(board, "levels"), s->tree->level_name[s->tree->level[i]]);
        const cJSON *free = member(member(level, "free"), s->tree->name[i]);
        if (free == NULL || s->count[i].free != (uint32_t)free->valuedouble)
            fail_msg("%s: %u free in %s", file, s->count[i].free, s->tree->name[i]);
    }
}

static void states_are_answered_as_by_the_model(void **state) {
    (void)state;
    uint32_t done = 0;
    char name[300], answer_name[300];
    DIR *folder = opendir(GOLDENS "/queue");
    if (folder == NULL)
        skip();
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, "tree-", 5) != 0 || strstr(entry->d_name, ".expected") != NULL)
            continue;
        static State s;
        snprintf(name, sizeof name, "queue/%s", entry->d_name);
        snprintf(answer_name, sizeof answer_name, "queue/%.*s.expected.json",
                 (int)strlen(entry->d_name) - 5, entry->d_name);
        cJSON *json = golden_load(name), *answer = golden_load(answer_name);
        assert_non_null(json);
        assert_non_null(answer);
        open_state(&s, json);
        compare_board(&s, member(answer, "board"), name);
        compare_jobs(&s, answer, name);
        lp_arena_free(s.arena);
        cJSON_Delete(json);
        cJSON_Delete(answer);
        done++;
    }
    closedir(folder);
    print_message("%u states\n", done);
    assert_true(done > 0);
}

TEST_GROUP(test_tree) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_answered_as_by_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
