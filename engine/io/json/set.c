/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overrides of single values: "cluster.ramp.node_bandwidth=3.125e9" applied to a parsed tree. */
#include <stdio.h>
#include <string.h>

#include "io/json/json_impl.h"

typedef struct Setter {
    LpJson *doc;
    const char *assignment;
    const char *at; /* in the path; it ends at '=' */
    uint32_t place; /* of nodes made on the way */
    LpDiag *diag;
} Setter;

enum { NAME_MAX_LEN = 128 };

/* A step of the path: a name, or an index. */
typedef struct Step {
    char name[NAME_MAX_LEN];
    bool is_index;
    int index;
} Step;

static LpErr fail(const Setter *setter, const char *text) {
    char shown[128];
    return lp_fail(setter->diag, LP_EINVAL, "--set %s: %s",
                   lp_str_show(shown, sizeof shown, setter->assignment), text);
}

static LpErr fail_path(const Setter *setter) {
    return fail(setter, "expected PATH=VALUE, such as cluster.ramp.node_bandwidth=3.125e9 or "
                        "jobs[0].steps=3");
}

static LpErr next_index(Setter *setter, Step *step) {
    int index = 0, digits = 0;
    const char *at = setter->at + 1;
    for (; *at >= '0' && *at <= '9' && digits < 9; at++, digits++)
        index = index * 10 + (*at - '0');
    if (digits == 0 || *at != ']')
        return fail_path(setter);
    setter->at = at + 1;
    step->is_index = true;
    step->index = index;
    return LP_OK;
}

static LpErr next_step(Setter *setter, bool first, Step *step) {
    if (!first && *setter->at == '[')
        return next_index(setter, step);
    if (!first && *setter->at++ != '.')
        return fail_path(setter);
    size_t len = strcspn(setter->at, ".[=");
    if (len == 0 || len >= sizeof step->name)
        return fail_path(setter);
    memcpy(step->name, setter->at, len);
    step->name[len] = '\0';
    step->is_index = false;
    setter->at += len;
    return LP_OK;
}

static cJSON *find(cJSON *object, const char *name) {
    cJSON *child = object->child;
    while (child != NULL && strcmp(child->string, name) != 0)
        child = child->next;
    return child;
}

static LpErr fail_parent(const Setter *setter, const cJSON *parent, const Step *step) {
    char found[80], text[NAME_MAX_LEN + 160];
    lp_json_found((LpJsonValue){setter->doc, parent}, found, sizeof found);
    if (step->is_index)
        snprintf(text, sizeof text, "[%d] needs a list before it, found %s", step->index, found);
    else
        snprintf(text, sizeof text, "\"%s\" needs an object before it, found %s", step->name,
                 found);
    return fail(setter, text);
}

/* The node that the step leads to, NULL where an object has no such member yet. */
static LpErr descend(const Setter *setter, cJSON *parent, const Step *step, cJSON **out) {
    if (step->is_index ? !cJSON_IsArray(parent) : !cJSON_IsObject(parent))
        return fail_parent(setter, parent, step);
    if (!step->is_index) {
        *out = find(parent, step->name);
        return LP_OK;
    }
    int size = cJSON_GetArraySize(parent);
    if (step->index >= size) {
        char text[80];
        snprintf(text, sizeof text, "there is no entry [%d], expected less than %d", step->index,
                 size);
        return fail(setter, text);
    }
    *out = cJSON_GetArrayItem(parent, step->index);
    return LP_OK;
}

/* Puts a detached node where the step leads; it is the tree's, or freed, in any case. After a
 * failure the document can only be freed. */
static LpErr attach(const Setter *setter, cJSON *parent, const Step *step, cJSON *old,
                    cJSON *node) {
    cJSON_bool done;
    if (old == NULL)
        done = cJSON_AddItemToObject(parent, step->name, node);
    else if (step->is_index)
        done = cJSON_ReplaceItemViaPointer(parent, old, node);
    else
        done = cJSON_ReplaceItemInObjectCaseSensitive(parent, step->name, node);
    if (done && (step->is_index || node->string != NULL))
        return LP_OK;
    if (!done) /* replacing succeeds even where there is no memory for the key (cJSON 1.7.15) */
        cJSON_Delete(node);
    return lp_fail_memory(setter->diag, "a --set value");
}

static LpErr add_object(const Setter *setter, cJSON *parent, const Step *step, cJSON **out) {
    cJSON *object = cJSON_CreateObject();
    if (object == NULL)
        return lp_fail_memory(setter->diag, "a --set value");
    object->valueint = (int)setter->place;
    LP_TRY(attach(setter, parent, step, NULL, object));
    *out = object;
    return LP_OK;
}

/* null takes a member away (as RFC 7396 has it), or an entry of a list: those after it move up. */
static void take_away(cJSON *parent, cJSON *old) {
    if (old != NULL)
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, old));
}

/* VALUE as a node; its first place also serves for nodes made on the way. What is no JSON is a
 * plain text. */
static LpErr build_value(Setter *setter, const char *value, cJSON **out) {
    LpJson *doc = setter->doc;
    const LpJsonSource source = {NULL, setter->assignment};
    const size_t places = doc->places.count, sources = doc->sources;
    setter->place = (uint32_t)places;
    LpErr err = lp_json_build(doc, &source, (size_t)(value - setter->assignment),
                              strlen(setter->assignment), out, setter->diag);
    if (err != LP_EPARSE || doc->sources > sources) /* a second key, say: JSON, but refused */
        return err;
    doc->places.count = places;
    if (lp_grow((void **)&doc->places.place, &doc->places.cap, places + 1,
                sizeof *doc->places.place) != LP_OK)
        return lp_fail_memory(setter->diag, "a --set value");
    cJSON *node = cJSON_CreateString(value);
    if (node == NULL)
        return lp_fail_memory(setter->diag, "a --set value");
    doc->places.place[doc->places.count++] = (LpJsonPlace){.source = (uint32_t)doc->sources++};
    node->valueint = (int)places;
    *out = node;
    return LP_OK;
}

/* Walks to the parent of the last step, making objects where there are none. */
static LpErr walk(Setter *setter, cJSON **parent, Step *step, cJSON **old) {
    *parent = setter->doc->root;
    LP_TRY(next_step(setter, true, step));
    LP_TRY(descend(setter, *parent, step, old));
    for (int depth = 1; *setter->at != '='; depth++) {
        cJSON *here = *old;
        if (depth >= LP_JSON_DEPTH_MAX)
            return fail(setter, "the path is too deep, expected at most 64 levels");
        if (here == NULL)
            LP_TRY(add_object(setter, *parent, step, &here));
        *parent = here;
        LP_TRY(next_step(setter, false, step));
        LP_TRY(descend(setter, *parent, step, old));
    }
    return LP_OK;
}

LpErr lp_json_set(LpJson *doc, const char *assignment, LpDiag *diag) {
    Setter setter = {.doc = doc, .assignment = assignment, .at = assignment, .diag = diag};
    const char *equals = strchr(assignment, '=');
    if (equals == NULL)
        return fail_path(&setter);
    cJSON *value = NULL, *parent = NULL, *old = NULL;
    Step step = {0};
    LP_TRY(build_value(&setter, equals + 1, &value));
    LpErr err = walk(&setter, &parent, &step, &old);
    if (err != LP_OK) {
        cJSON_Delete(value);
        return err;
    }
    if (cJSON_IsNull(value)) {
        cJSON_Delete(value);
        take_away(parent, old);
        return LP_OK;
    }
    return attach(&setter, parent, &step, old, value);
}
