/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of conditions, conditions in words, and what a world says about its own. */
#include "sim/state/conditions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/str.h"
#include "sim/state/image.h"

static const char *const names[] = {
#define X(id, name, meaning, low, high) name,
    LP_CONDITION_TABLE(X)
#undef X
};

const char *lp_condition_name(LpConditionKind kind) {
    LP_ASSERT(kind < LP_CONDITION_COUNT);
    return names[kind];
}

int lp_condition_find(const char *name) {
    for (int k = 0; k < LP_CONDITION_COUNT; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

bool lp_condition_is_failure(LpConditionKind kind) {
    return kind == LP_CONDITION_FAIL_SERVER || kind == LP_CONDITION_FAIL_CIRCUIT ||
           kind == LP_CONDITION_FAIL;
}

bool lp_condition_is_repair(LpConditionKind kind) {
    return kind == LP_CONDITION_REPAIR_SERVER || kind == LP_CONDITION_REPAIR_CIRCUIT ||
           kind == LP_CONDITION_REPAIR;
}

/* ---- words ---- */

static const char *node_text(const LpContext *context, double node, char buf[32]) {
    uint32_t servers = context->fabric.servers;
    if (node < servers)
        snprintf(buf, 32, "server %.0f", node);
    else
        snprintf(buf, 32, "switch %.0f", node - servers);
    return buf;
}

static void circuit_text(const LpCondition *c, const LpContext *context, char *buf) {
    const char *what = c->kind == LP_CONDITION_FAIL_CIRCUIT ? "breaks" : "works again";
    char a[32], b[32];
    if (context->fabric.network != NULL)
        snprintf(buf, LP_CONDITION_TEXT, "the cable between %s and %s %s",
                 node_text(context, c->value, a), node_text(context, c->other, b), what);
    else
        snprintf(buf, LP_CONDITION_TEXT, "light between servers %.0f and %.0f %s", c->value,
                 c->other, what);
}

static void extra_text(const LpCondition *c, const LpContext *context, char *buf) {
    const LpScenario *s = context->scenario;
    char id[64];
    bool known = c->value >= 0 && c->value < s->graphs;
    lp_str_show(id, sizeof id, known ? s->graph[(uint32_t)c->value]->id : "?");
    if (c->fraction > 0)
        snprintf(buf, LP_CONDITION_TEXT, "one more job: %s, %.0f steps, limit %.6g of sequential",
                 id, c->steps, c->fraction);
    else
        snprintf(buf, LP_CONDITION_TEXT, "one more job: %s, %.0f steps", id, c->steps);
}

static bool has_component(const LpCondition *c, const LpContext *context) {
    uint32_t counts[LP_OUTAGE_COUNT];
    lp_cluster_components(context->fabric.cluster, counts);
    return c->steps >= 0 && c->steps < LP_OUTAGE_COUNT && c->value < counts[(int)c->steps];
}

static void component_text(const LpCondition *c, const LpContext *context, char *buf) {
    char name[LP_COMPONENT_TEXT] = "?";
    if (has_component(c, context))
        lp_cluster_component(context->fabric.cluster, (uint32_t)c->steps, (uint32_t)c->value, name);
    snprintf(buf, LP_CONDITION_TEXT, "%s %s", name,
             c->kind == LP_CONDITION_FAIL ? "breaks" : "works again");
}

static void without_text(const LpCondition *c, const LpContext *context, char *buf) {
    char name[LP_COMPONENT_TEXT] = "?";
    if (has_component(c, context))
        lp_cluster_component(context->fabric.cluster, (uint32_t)c->steps, (uint32_t)c->value, name);
    if (c->other >= 0)
        snprintf(buf, LP_CONDITION_TEXT, "%s does not break (its failure %.0f)", name, c->other);
    else
        snprintf(buf, LP_CONDITION_TEXT, "%s does not break the next time", name);
}

/* What a scale is called in a sentence. */
static const char *const scale_words[LP_CONDITION_COUNT] = {
    [LP_CONDITION_BANDWIDTH] = "bandwidth",
    [LP_CONDITION_LATENCY] = "latency",
    [LP_CONDITION_RECONFIGURATION] = "reconfiguration delay",
    [LP_CONDITION_DEADLINE] = "deadlines",
    [LP_CONDITION_RATE] = "arrival rate",
};

const char *lp_condition_text(const LpCondition *c, const LpContext *context,
                              char buf[LP_CONDITION_TEXT]) {
    if (c->kind == LP_CONDITION_FAIL_SERVER || c->kind == LP_CONDITION_REPAIR_SERVER)
        snprintf(buf, LP_CONDITION_TEXT, "server %.0f %s", c->value,
                 c->kind == LP_CONDITION_FAIL_SERVER ? "breaks" : "works again");
    else if (c->kind == LP_CONDITION_FAIL_CIRCUIT || c->kind == LP_CONDITION_REPAIR_CIRCUIT)
        circuit_text(c, context, buf);
    else if (c->kind == LP_CONDITION_EXTRA_JOB)
        extra_text(c, context, buf);
    else if (c->kind == LP_CONDITION_FAIL || c->kind == LP_CONDITION_REPAIR)
        component_text(c, context, buf);
    else if (c->kind == LP_CONDITION_WITHOUT_FAILURE)
        without_text(c, context, buf);
    else if (c->value == 1)
        snprintf(buf, LP_CONDITION_TEXT, "%s as the scenario says", scale_words[c->kind]);
    else
        snprintf(buf, LP_CONDITION_TEXT, "%s x%.6g", scale_words[c->kind], c->value);
    return buf;
}

const char *lp_condition_words(const LpCondition *c, const LpContext *context,
                               char buf[LP_CONDITION_TEXT]) {
    const LpScenario *s = context->scenario;
    const char *name = lp_condition_name(c->kind);
    bool component = c->kind == LP_CONDITION_WITHOUT_FAILURE || c->kind == LP_CONDITION_FAIL ||
                     c->kind == LP_CONDITION_REPAIR;
    bool job = c->kind == LP_CONDITION_EXTRA_JOB && c->value >= 0 && c->value < s->graphs;
    if (job && c->fraction > 0)
        snprintf(buf, LP_CONDITION_TEXT, "%s=%.100s:%.15g:%.15g", name,
                 s->graph[(uint32_t)c->value]->id, c->steps, c->fraction);
    else if (job)
        snprintf(buf, LP_CONDITION_TEXT, "%s=%.100s:%.15g", name, s->graph[(uint32_t)c->value]->id,
                 c->steps);
    else if (c->kind == LP_CONDITION_FAIL_CIRCUIT || c->kind == LP_CONDITION_REPAIR_CIRCUIT)
        snprintf(buf, LP_CONDITION_TEXT, "%s=%.0f-%.0f", name, c->value, c->other);
    else if (c->kind == LP_CONDITION_WITHOUT_FAILURE && has_component(c, context) && c->other >= 0)
        snprintf(buf, LP_CONDITION_TEXT, "%s=%s:%.0f:%.0f", name,
                 lp_outage_word((LpOutageKind)c->steps), c->value, c->other);
    else if (component && has_component(c, context))
        snprintf(buf, LP_CONDITION_TEXT, "%s=%s:%.0f", name, lp_outage_word((LpOutageKind)c->steps),
                 c->value);
    else
        snprintf(buf, LP_CONDITION_TEXT, "%s=%.15g", name, c->value);
    return buf;
}

/* ---- reading a world ---- */

LpConditions lp_world_conditions(const LpWorld *world) {
    return world->image->conditions;
}

/* Each once, however often it is broken. */
uint32_t lp_world_failed_circuits(const LpWorld *world) {
    LpImage *m = world->image;
    const LpFailed *f = lp_image_failed(m);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->failed; i++)
        count += i == 0 || f[i].a != f[i - 1].a || f[i].b != f[i - 1].b;
    return count;
}

const LpChange *lp_world_changes(const LpWorld *world, uint32_t *count) {
    *count = world->image->changes;
    return lp_image_change(world->image);
}

const LpChange *lp_world_change_of(const LpWorld *world, uint64_t serial) {
    const LpChange *change = lp_image_change(world->image);
    uint32_t low = 0, high = world->image->changes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (change[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->image->changes && change[low].serial == serial ? &change[low] : NULL;
}

/* Appends to a list with commas; what does not fit is left out. */
LP_PRINTF(3, 4) static void list(char *buf, size_t size, const char *fmt, ...) {
    size_t len = strlen(buf);
    va_list args;
    if (len > 0 && len + 2 < size) {
        memcpy(buf + len, ", ", 3);
        len += 2;
    }
    va_start(args, fmt);
    vsnprintf(buf + len, size - len, fmt, args);
    va_end(args);
}

static void list_servers(const LpWorld *world, char *buf, size_t size) {
    const LpImage *m = world->image;
    uint32_t broken = m->tally.failed_servers, named = 0;
    if (broken == 0)
        return;
    list(buf, size, "%u server%s broken (", broken, broken == 1 ? "" : "s");
    for (uint32_t s = 0; s < m->servers && named < 3; s++) {
        size_t len = strlen(buf);
        if (lp_world_server(world, s)->state == LP_SERVER_FAILED)
            snprintf(buf + len, size - len, "%s%u", named++ > 0 ? " " : "", s);
    }
    size_t len = strlen(buf);
    snprintf(buf + len, size - len, "%s)", broken > named ? " ..." : "");
}

const char *lp_world_conditions_text(const LpWorld *world, char *buf, size_t size) {
    const LpConditions *c = &world->image->conditions;
    const double scale[LP_CONDITION_COUNT] = {
        [LP_CONDITION_BANDWIDTH] = c->bandwidth,
        [LP_CONDITION_LATENCY] = c->latency,
        [LP_CONDITION_RECONFIGURATION] = c->reconfiguration,
        [LP_CONDITION_DEADLINE] = c->deadline,
        [LP_CONDITION_RATE] = c->rate,
    };
    buf[0] = '\0';
    for (int k = 0; k < LP_CONDITION_COUNT; k++)
        if (scale_words[k] != NULL && scale[k] != 1)
            list(buf, size, "%s x%.6g", scale_words[k], scale[k]);
    list_servers(world, buf, size);
    LpImage *m = world->image;
    const LpFailed *first = lp_image_failed(m);
    uint32_t count = lp_world_failed_circuits(world);
    if (count > 0)
        list(buf, size, "%u circuit%s broken (%u-%u%s)", count, count == 1 ? "" : "s", first->a,
             first->b, count > 1 ? " ..." : "");
    return buf;
}
