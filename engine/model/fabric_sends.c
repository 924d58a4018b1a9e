/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends how much to whom during one collective, by the algorithm that its time is worked out
 * with (LpFabricOps.collective_time). */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/fabric.h"

enum { STAGES = 4 };

/* The members of a collective on a full block of RAMP: servers by coordinates, each counted from 0
 * among the values in use. */
typedef struct Block {
    uint32_t groups, racks, indices, near; /* near: a = min(groups, indices) */
    uint32_t *server;                      /* [(group * racks + rack) * indices + index] */
} Block;

static int compare_u32(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Ascending, each once; returns how many. */
static uint32_t distinct(const uint32_t *servers, uint32_t n, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        out[i] = servers[i];
    qsort(out, n, sizeof *out, compare_u32);
    for (uint32_t i = 0; i < n; i++)
        if (count == 0 || out[count - 1] != out[i])
            out[count++] = out[i];
    return count;
}

/* Distinct values of a coordinate; in order of servers a full block has group, rack and index as
 * nested loops. */
static uint32_t values(const LpFabric *f, uint32_t (*of)(const LpFabric *, uint32_t),
                       const uint32_t *server, uint32_t n, uint32_t *room) {
    for (uint32_t i = 0; i < n; i++)
        room[i] = of(f, server[i]);
    return distinct(room, n, room);
}

static bool is_block(const LpFabric *f, uint32_t *server, uint32_t n, uint32_t *room, Block *b) {
    if (f->cluster->fabric != LP_FABRIC_RAMP)
        return false;
    *b = (Block){.server = server};
    b->groups = values(f, lp_fabric_group, server, n, room);
    b->racks = values(f, lp_fabric_rack, server, n, room);
    b->indices = values(f, lp_fabric_index, server, n, room);
    b->near = b->groups < b->indices ? b->groups : b->indices;
    return (uint64_t)b->groups * b->racks * b->indices == n;
}

/* The members that server i exchanges with in a stage are i + k * step for the k of a line. */
static uint32_t line_of(const Block *b, int stage, uint32_t i, uint32_t *first, uint32_t *step) {
    uint32_t index = i % b->indices, rack = i / b->indices % b->racks;
    uint32_t far = index / b->near * b->near;
    switch (stage) {
    case 0: /* groups */
        *step = b->racks * b->indices;
        *first = i % *step;
        return b->groups;
    case 1: /* near indices */
        *step = 1;
        *first = i - index + far;
        return b->indices - far < b->near ? b->indices - far : b->near;
    case 2: /* racks */
        *step = b->indices;
        *first = i - rack * b->indices;
        return b->racks;
    default: /* far indices */
        *step = b->near;
        *first = i - far;
        return (b->indices - index % b->near + b->near - 1) / b->near;
    }
}

/* Each stage of d members divides the bytes by d; everybody sends a part to each of the others. */
static uint32_t send_stages(const Block *b, uint32_t n, double bytes, double ways, LpSend *out) {
    const uint32_t d[STAGES] = {b->groups, b->near, b->racks, (b->indices + b->near - 1) / b->near};
    uint32_t count = 0;
    for (int stage = 0; stage < STAGES; stage++) {
        bytes = ceil(bytes / d[stage]);
        for (uint32_t i = 0; d[stage] > 1 && i < n; i++) {
            uint32_t first, step, length = line_of(b, stage, i, &first, &step);
            for (uint32_t k = 0; k < length; k++)
                if (first + k * step != i)
                    out[count++] =
                        (LpSend){b->server[i], b->server[first + k * step], ways * bytes};
        }
    }
    return count;
}

static uint32_t send_ring(const uint32_t *server, uint32_t n, double bytes, double ways,
                          LpSend *out) {
    for (uint32_t i = 0; i < n; i++)
        out[i] = (LpSend){server[i], server[(i + 1) % n], ways * (bytes * (n - 1.0) / n)};
    return n;
}

static LpErr make(const LpFabric *f, LpCollective op, uint32_t *server, uint32_t n, uint32_t *room,
                  double bytes, LpSend **out, uint32_t *count) {
    Block b;
    double ways = op == LP_ALL_REDUCE ? 2 : 1;
    bool block = is_block(f, server, n, room, &b);
    size_t each = block ? (size_t)b.groups + b.racks + 2 * (size_t)b.indices : 1;
    *out = lp_alloc(n * each, sizeof **out);
    if (*out == NULL)
        return LP_ENOMEM;
    *count =
        block ? send_stages(&b, n, bytes, ways, *out) : send_ring(server, n, bytes, ways, *out);
    return LP_OK;
}

LpErr lp_fabric_sends(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) {
    *out = NULL;
    *count = 0;
    if (f->network != NULL)
        return lp_packet_sends(f, op, servers, n, bytes, out, count);
    uint32_t *member = lp_alloc(n, sizeof *member), *room = lp_alloc(n, sizeof *room);
    LpErr err = member != NULL && room != NULL ? LP_OK : LP_ENOMEM;
    uint32_t members = err == LP_OK ? distinct(servers, n, member) : 0;
    if (members > 1 && bytes > 0)
        err = make(f, op, member, members, room, bytes, out, count);
    lp_free(member);
    lp_free(room);
    return err;
}
