/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends how much to whom during one collective where nobody routes packets: in stages or round
 * a ring, by the algorithm that its time is worked out with (LpFabricOps.collective_time). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"

enum { STAGES = 4 };

/* The members of a collective on a full block of RAMP by coordinates. The values of each are
 * counted from 0 in the order in which they appear, so that names of servers change nothing. */
typedef struct Block {
    uint32_t groups, racks, indices, near; /* near: a = min(groups, indices) */
    uint32_t *server;                      /* [(group * racks + rack) * indices + index] */
} Block;

static int compare_u32(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static bool any_twice(const uint32_t *servers, uint32_t n, uint32_t *room) {
    memcpy(room, servers, n * sizeof *room);
    qsort(room, n, sizeof *room, compare_u32);
    for (uint32_t i = 1; i < n; i++)
        if (room[i - 1] == room[i])
            return true;
    return false;
}

static uint32_t place_of(const uint32_t *list, uint32_t count, uint32_t value) {
    uint32_t i = 0;
    while (i < count && list[i] != value)
        i++;
    return i;
}

/* Each once, in the order in which they appear; returns how many. */
static uint32_t distinct(const uint32_t *servers, uint32_t n, uint32_t *room, uint32_t *out) {
    uint32_t count = 0;
    bool twice = any_twice(servers, n, room);
    for (uint32_t i = 0; i < n; i++)
        if (!twice || place_of(out, count, servers[i]) == count)
            out[count++] = servers[i];
    return count;
}

typedef uint32_t (*Coordinate)(const LpFabric *, uint32_t);

/* Number of each server's value; returns how many values there are. */
static uint32_t number(const LpFabric *f, Coordinate of, const uint32_t *server, uint32_t n,
                       uint32_t *value, uint32_t *out) {
    uint32_t values = 0;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = place_of(value, values, of(f, server[i]));
        if (out[i] == values)
            value[values++] = of(f, server[i]);
    }
    return values;
}

/* room: 5 n. */
static bool is_block(const LpFabric *f, const uint32_t *server, uint32_t n, uint32_t *room,
                     Block *b) {
    uint32_t *group = room + n, *rack = room + 2 * n, *index = room + 3 * n;
    *b = (Block){.server = room + 4 * n};
    b->groups = number(f, lp_fabric_group, server, n, room, group);
    b->racks = number(f, lp_fabric_rack, server, n, room, rack);
    b->indices = number(f, lp_fabric_index, server, n, room, index);
    b->near = b->groups < b->indices ? b->groups : b->indices;
    if ((uint64_t)b->groups * b->racks * b->indices != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        b->server[(group[i] * b->racks + rack[i]) * b->indices + index[i]] = server[i];
    return true;
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

/* stages: NULL where there are none. */
static LpErr make(const LpFabric *stages, LpCollective op, const uint32_t *server, uint32_t n,
                  uint32_t *room, double bytes, LpSend **out, uint32_t *count) {
    Block b;
    double ways = op == LP_ALL_REDUCE ? 2 : 1;
    bool block = stages != NULL && is_block(stages, server, n, room, &b);
    size_t each = block ? (size_t)b.groups + b.racks + 2 * (size_t)b.indices : 1;
    *out = lp_alloc(n * each, sizeof **out);
    if (*out == NULL)
        return LP_ENOMEM;
    *count =
        block ? send_stages(&b, n, bytes, ways, *out) : send_ring(server, n, bytes, ways, *out);
    return LP_OK;
}

static LpErr sends(const LpFabric *stages, LpCollective op, const uint32_t *servers, uint32_t n,
                   double bytes, LpSend **out, uint32_t *count) {
    uint32_t *member = lp_alloc(n, sizeof *member), *room = lp_alloc(n, 5 * sizeof *room);
    LpErr err = member != NULL && room != NULL ? LP_OK : LP_ENOMEM;
    uint32_t members = err == LP_OK ? distinct(servers, n, room, member) : 0;
    if (members > 1 && bytes > 0)
        err = make(stages, op, member, members, room, bytes, out, count);
    lp_free(member);
    lp_free(room);
    return err;
}

LpErr lp_staged_sends(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) {
    return sends(f, op, servers, n, bytes, out, count);
}

LpErr lp_ring_sends(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                    double bytes, LpSend **out, uint32_t *count) {
    (void)f;
    return sends(NULL, op, servers, n, bytes, out, count);
}
