/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys "levels" and "names" of the cluster: the tree over its servers, and what they are
 * called; and the keys "required" and "preferred" of jobs, which name its levels. */
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"
#include "model/tree/hostlist.h"

/* ---- servers of a node ---- */

/* Numbers in a buffer that grows. */
typedef struct Numbers {
    uint32_t *item;
    size_t cap, count;
} Numbers;

static LpErr add_range(Numbers *list, uint64_t from, uint64_t to, LpDiag *diag) {
    void *items = list->item;
    size_t count = (size_t)(to - from + 1);
    if (lp_grow(&items, &list->cap, list->count + count, sizeof *list->item) != LP_OK)
        return lp_fail_memory(diag, "the servers of a node");
    list->item = items;
    for (uint64_t s = from; s <= to; s++)
        list->item[list->count++] = (uint32_t)s;
    return LP_OK;
}

static bool read_whole(const char **at, uint64_t *out) {
    const char *begin = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *out < LP_SERVERS_MAX; ++*at)
        *out = *out * 10 + (uint64_t)(**at - '0');
    return *at > begin;
}

/* "0..3" or "0..3,8,10..11". */
static LpErr add_text(LpJsonValue value, Numbers *list, LpDiag *diag) {
    const char *at = lp_json_text(value);
    char found[80];
    bool good;
    do {
        uint64_t from, to;
        good = read_whole(&at, &from);
        to = from;
        if (good && strncmp(at, "..", 2) == 0) {
            at += 2;
            good = read_whole(&at, &to);
        }
        good = good && from <= to && to < LP_SERVERS_MAX && (*at == ',' || *at == '\0');
        if (good)
            LP_TRY(add_range(list, from, to, diag));
    } while (good && *at++ == ',');
    return good ? LP_OK
                : lp_json_fail(value, diag, LP_EINVAL,
                               "\"servers\" is %s: expected numbers of servers such as \"0..3\" or "
                               "\"0..3,8\"",
                               lp_json_found(value, found, sizeof found));
}

static LpErr add_list(LpJsonValue value, Numbers *list, LpDiag *diag) {
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        uint64_t s;
        if (lp_json_kind(v) == LP_JSON_TEXT) {
            LP_TRY(add_text(v, list, diag));
            continue;
        }
        LP_TRY(lp_json_u64(v, 0, LP_SERVERS_MAX - 1, &s, diag));
        LP_TRY(add_range(list, s, s, diag));
    }
    return LP_OK;
}

static LpErr read_servers(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpTreeNodeSpec *node = target;
    Numbers list = {NULL, 0, 0};
    LpErr err = lp_json_kind(value) == LP_JSON_TEXT ? add_text(value, &list, diag)
                                                    : lp_json_expect(value, LP_JSON_LIST, diag);
    if (err == LP_OK && lp_json_kind(value) == LP_JSON_LIST)
        err = add_list(value, &list, diag);
    uint32_t *kept =
        err == LP_OK ? lp_arena_alloc(loader->scenario->arena, list.count, sizeof *kept) : NULL;
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "the servers of a node");
    if (err == LP_OK && list.count > 0)
        memcpy(kept, list.item, list.count * sizeof *kept);
    lp_free(list.item);
    node->server = kept;
    node->servers = (uint32_t)list.count;
    return err;
}

/* ---- levels ---- */

/* A list of texts. */
static LpErr read_texts(LpJsonValue value, LpArena *arena, const char *const **out, uint32_t *count,
                        LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    uint32_t n = 0;
    const char **text = lp_arena_alloc(arena, lp_json_count(value), sizeof *text);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL && text != NULL;
         v = lp_json_next(v), n++) {
        LP_TRY(lp_json_expect(v, LP_JSON_TEXT, diag));
        text[n] = lp_arena_strdup(arena, lp_json_text(v));
        if (text[n] == NULL)
            text = NULL;
    }
    if (text == NULL)
        return lp_fail_memory(diag, "a list of names");
    *out = text;
    *count = n;
    return LP_OK;
}

static LpErr read_of(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpTreeNodeSpec *node = target;
    return read_texts(value, loader->scenario->arena, &node->of, &node->children, diag);
}

static const LpJsonShape *const number_or_text[] = {&lp_shape_number, &lp_shape_text, NULL};
static const LpJsonShape one_server_shape = {.form = LP_FORM_ONE_OF, .of = number_or_text};
static const LpJsonShape *const of_server[] = {&one_server_shape, NULL};
static const LpJsonShape list_of_servers_shape = {.form = LP_FORM_LIST, .of = of_server};
static const LpJsonShape *const text_or_list[] = {&lp_shape_text, &list_of_servers_shape, NULL};
static const LpJsonShape servers_shape = {.form = LP_FORM_ONE_OF, .of = text_or_list};
static const LpJsonShape *const of_text[] = {&lp_shape_text, NULL};
static const LpJsonShape texts_shape = {.form = LP_FORM_LIST, .of = of_text};
static const LpJsonShape *const text_or_texts[] = {&lp_shape_text, &texts_shape, NULL};
const LpJsonShape lp_shape_names = {.form = LP_FORM_ONE_OF, .of = text_or_texts};

static const LpJsonKey lowest_keys[] = {
    {LP_FIELD("name", LP_KEY_TEXT, LpTreeNodeSpec, name), .required = true},
    {.name = "servers",
     .type = LP_KEY_CUSTOM,
     .read = read_servers,
     .shape = &servers_shape,
     .required = true},
};

static const LpJsonKey upper_keys[] = {
    {LP_FIELD("name", LP_KEY_TEXT, LpTreeNodeSpec, name), .required = true},
    {.name = "of", .type = LP_KEY_CUSTOM, .read = read_of, .shape = &texts_shape, .required = true},
};

/* A level that is being read. */
typedef struct Level {
    LpTreeLevelSpec spec;
    bool lowest;
} Level;

static LpErr read_nodes(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpArena *arena = loader->scenario->arena;
    Level *level = target;
    const LpJsonKey *keys = level->lowest ? lowest_keys : upper_keys;
    size_t rows = level->lowest ? LP_COUNTOF(lowest_keys) : LP_COUNTOF(upper_keys), i = 0;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    LpTreeNodeSpec *node = lp_arena_alloc(arena, lp_json_count(value), sizeof *node);
    if (node == NULL)
        return lp_fail_memory(diag, "the nodes of a level");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(lp_json_read(v, keys, rows, &node[i++], arena, context, diag));
    level->spec.node = node;
    level->spec.nodes = (uint32_t)i;
    return LP_OK;
}

static const LpJsonShape lowest_shape = LP_OBJECT_SHAPE(lowest_keys);
static const LpJsonShape upper_shape = LP_OBJECT_SHAPE(upper_keys);
static const LpJsonShape *const lowest_or_upper[] = {&lowest_shape, &upper_shape, NULL};
static const LpJsonShape node_shape = {.form = LP_FORM_ONE_OF, .of = lowest_or_upper};
static const LpJsonShape *const of_node[] = {&node_shape, NULL};
static const LpJsonShape nodes_shape = {.form = LP_FORM_LIST, .of = of_node};

static const LpJsonKey level_keys[] = {
    {LP_FIELD("name", LP_KEY_TEXT, Level, spec.name), .required = true},
    {.name = "nodes",
     .type = LP_KEY_CUSTOM,
     .read = read_nodes,
     .shape = &nodes_shape,
     .required = true},
};

static const LpJsonShape level_shape = LP_OBJECT_SHAPE(level_keys);
static const LpJsonShape *const of_level[] = {&level_shape, NULL};
const LpJsonShape lp_shape_levels = {.form = LP_FORM_LIST, .of = of_level};

LpErr lp_load_levels(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpArena *arena = loader->scenario->arena;
    LpCluster *cluster = target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value), l = 0;
    if (count < 1 || count > LP_TREE_LEVELS)
        return lp_json_fail(value, diag, LP_ELIMIT, "\"levels\" has %zu levels, expected 1 to %d",
                            count, (int)LP_TREE_LEVELS);
    LpTreeLevelSpec *level = lp_arena_alloc(arena, count, sizeof *level);
    if (level == NULL)
        return lp_fail_memory(diag, "the levels of a cluster");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v), l++) {
        Level one = {.lowest = l == 0};
        LP_TRY(lp_json_read(v, level_keys, LP_COUNTOF(level_keys), &one, arena, context, diag));
        level[l] = one.spec;
    }
    cluster->levels = (LpTreeSpec){(uint32_t)count, level};
    return LP_OK;
}

/* ---- names ---- */

LpErr lp_load_names(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpCluster *cluster = target;
    LpDiag inner;
    if (lp_json_kind(value) != LP_JSON_TEXT)
        return read_texts(value, loader->scenario->arena, &cluster->name, &cluster->names, diag);
    LpErr err = lp_hostlist_expand(lp_json_text(value), LP_SERVERS_MAX, loader->scenario->arena,
                                   &cluster->name, &cluster->names, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(value, diag, err, "\"names\": %s", inner.text);
}

/* ---- what a job asks for ---- */

LpErr lp_load_level_ref(const LpScenario *scenario, LpJsonValue value, uint32_t *out,
                        LpDiag *diag) {
    const char *name[LP_TREE_LEVELS];
    char list[LP_TREE_LEVELS * (LP_TREE_NAME + 4)] = "", found[80], shown[LP_TREE_NAME];
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    uint32_t levels = lp_cluster_levels(&scenario->cluster, name);
    size_t len = 0;
    for (uint32_t l = 0; l < levels; l++) {
        if (strcmp(name[l], lp_json_text(value)) == 0) {
            *out = l + 1;
            return LP_OK;
        }
        lp_str_show(shown, sizeof shown, name[l]);
        if (len + sizeof shown + 8 < sizeof list)
            len += (size_t)snprintf(list + len, sizeof list - len, "%s\"%s\"",
                                    l == 0           ? ""
                                    : l + 1 < levels ? ", "
                                                     : " or ",
                                    shown);
    }
    const char *key = lp_json_key(value);
    lp_json_found(value, found, sizeof found);
    if (levels == 0)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"%s\" is %s: expected none, since the cluster has no levels "
                            "(cluster.levels)",
                            key, found);
    return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" is %s: expected %s", key, found, list);
}
