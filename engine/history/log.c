/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The append-only decision log. */
#include "history/log.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"

struct LpLog {
    LpArena *arena;
    LpRecord *record;
    size_t count, cap;
    bool keeps_nothing;
};

static const char *const names[LP_RECORD_COUNT] = {
#define X(id, name) [LP_RECORD_##id] = name,
    LP_RECORD_TABLE(X)
#undef X
};

const char *lp_record_name(LpRecordKind kind) {
    return names[kind];
}

LpErr lp_record_find(const char *name, LpRecordKind *out, LpDiag *diag) {
    for (size_t i = 0; i < LP_RECORD_COUNT; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (LpRecordKind)i;
            return LP_OK;
        }
    return lp_fail(diag, LP_EINVAL, "unknown kind of record \"%s\"", name);
}

LpLog *lp_log_new(void) {
    LpLog *log = lp_alloc(1, sizeof *log);
    if (log != NULL && (log->arena = lp_arena_new(0)) == NULL) {
        lp_free(log);
        return NULL;
    }
    return log;
}

void lp_log_free(LpLog *log) {
    if (log == NULL)
        return;
    lp_arena_free(log->arena);
    lp_free(log->record);
    lp_free(log);
}

LpErr lp_log_append(LpLog *log, const LpRecord *record, LpDiag *diag) {
    if ((unsigned)record->kind >= LP_RECORD_COUNT)
        return lp_fail(diag, LP_EINVAL, "unknown kind of record %d", (int)record->kind);
    if (log->keeps_nothing)
        return LP_OK;
    void *items = log->record;
    LpErr err = lp_grow(&items, &log->cap, log->count + 1, sizeof *log->record);
    if (err != LP_OK)
        return lp_fail_memory(diag, "the decision log");
    log->record = items;
    double *payload = lp_arena_alloc(log->arena, record->count, sizeof *payload);
    const char *why = "";
    if (record->why != NULL && record->why[0] != '\0')
        why = lp_arena_strdup(log->arena, record->why);
    if (payload == NULL || why == NULL)
        return lp_fail_memory(diag, "the decision log");
    if (record->count > 0)
        memcpy(payload, record->payload, record->count * sizeof *payload);
    LpRecord *copy = &log->record[log->count++];
    *copy = *record;
    copy->payload = payload;
    copy->why = why;
    return LP_OK;
}

void lp_log_keep_nothing(LpLog *log) {
    log->keeps_nothing = true;
}

void lp_log_cut(LpLog *log, size_t count) {
    if (count < log->count)
        log->count = count;
}

size_t lp_log_count(const LpLog *log) {
    return log->count;
}

const LpRecord *lp_log_at(const LpLog *log, size_t index) {
    LP_ASSERT(index < log->count);
    return &log->record[index];
}

size_t lp_log_bytes(const LpLog *log) {
    return log->cap * sizeof *log->record + lp_arena_bytes(log->arena);
}

uint64_t lp_log_hash(const LpLog *log) {
    uint64_t h = LP_HASH_INIT;
    for (size_t i = 0; i < log->count; i++) {
        const LpRecord *r = &log->record[i];
        h = lp_hash_f64(h, r->time);
        h = lp_hash_u64(h, r->event);
        h = lp_hash_u64(h, ((uint64_t)r->kind << 32) | r->subject);
        for (uint32_t k = 0; k < r->count; k++)
            h = lp_hash_f64(h, r->payload[k]);
        h = lp_hash_text(h, r->why);
    }
    return h;
}

/* ---- answers ---- */

/* The records of one answer as they are written. */
typedef struct Writer {
    LpLog *log;
    LpRecord head; /* time, event, subject, and the why of the first record */
    double *numbers;
    size_t count, cap;
    LpDiag *diag;
} Writer;

static LpErr put(Writer *w, double number) {
    void *items = w->numbers;
    if (lp_grow(&items, &w->cap, w->count + 1, sizeof *w->numbers) != LP_OK)
        return lp_fail_memory(w->diag, "the decision log");
    w->numbers = items;
    w->numbers[w->count++] = number;
    return LP_OK;
}

static LpErr end_record(Writer *w, LpRecordKind kind) {
    LpRecord record = w->head;
    record.kind = kind;
    record.count = (uint32_t)w->count;
    record.payload = w->numbers;
    w->count = 0;
    w->head.why = NULL;
    return lp_log_append(w->log, &record, w->diag);
}

static LpErr put_plan(Writer *w, const LpParallel *p) {
    uint32_t number[LP_PARALLEL_NUMBERS], matter = lp_parallel_numbers(p, number);
    for (uint32_t i = 0; i < matter; i++)
        LP_TRY(put(w, number[i]));
    return LP_OK;
}

static LpErr write_place(Writer *w, uint32_t ops, const LpAnswer *answer) {
    if (answer->slice > 0) {
        LP_TRY(put(w, LP_RECORD_SHAPE));
        LP_TRY(put(w, answer->slice));
    }
    for (uint32_t i = 0; answer->part_server == NULL && i < answer->servers; i++)
        LP_TRY(put(w, answer->server[i]));
    if (answer->part_server == NULL)
        return w->count > 0 ? end_record(w, LP_RECORD_PLACE) : LP_OK;
    LP_TRY(put(w, -1));
    LP_TRY(put(w, ops));
    for (uint32_t i = 0; i < ops; i++)
        LP_TRY(put(w, answer->part_begin[i + 1] - answer->part_begin[i]));
    for (uint32_t i = answer->part_begin[0]; i < answer->part_begin[ops]; i++)
        LP_TRY(put(w, answer->part_server[i]));
    return end_record(w, LP_RECORD_PLACE);
}

/* The rule that is the default is not written. */
static LpErr write_order(Writer *w, LpRecordKind kind, LpOrder order, const double *priority,
                         uint32_t count) {
    if (priority == NULL && order == LP_ORDER_SRPT)
        return LP_OK;
    LP_TRY(put(w, priority != NULL ? -1 - (double)order : (double)order));
    for (uint32_t i = 0; priority != NULL && i < count; i++)
        LP_TRY(put(w, priority[i]));
    return end_record(w, kind);
}

static LpErr write_answer(Writer *w, uint32_t ops, const LpAnswer *answer) {
    switch (answer->kind) {
    case LP_ANSWER_DECLINE:
        LP_TRY(put(w, answer->cause));
        return end_record(w, LP_RECORD_DECLINE);
    case LP_ANSWER_WAIT:
        LP_TRY(put(w, answer->has_retry ? answer->retry : -1));
        if (answer->fits > 0)
            LP_TRY(put(w, answer->fits));
        return end_record(w, LP_RECORD_WAIT);
    case LP_ANSWER_RUN:
        break;
    }
    LP_TRY(put(w, answer->degree));
    LP_TRY(put(w, answer->has_partition_kind ? (double)answer->partition_kind : -1));
    LP_TRY(put(w, answer->ways != NULL ? ops : 0));
    for (uint32_t i = 0; answer->ways != NULL && i < ops; i++)
        LP_TRY(put(w, answer->ways[i]));
    if (answer->has_plan)
        LP_TRY(put_plan(w, &answer->parallel));
    LP_TRY(end_record(w, LP_RECORD_PARTITION));
    LP_TRY(write_place(w, ops, answer));
    LP_TRY(write_order(w, LP_RECORD_ORDER_OPS, answer->order_ops, answer->op_priority,
                       answer->op_priorities));
    return write_order(w, LP_RECORD_ORDER_FLOWS, answer->order_flows, answer->flow_priority,
                       answer->flow_priorities);
}

LpErr lp_log_answer(LpLog *log, double time, uint64_t event, uint32_t job, uint32_t forward_ops,
                    const LpAnswer *answer, LpDiag *diag) {
    Writer w = {.log = log,
                .head = {.time = time, .event = event, .subject = job, .why = answer->why},
                .diag = diag};
    size_t before = log->count;
    LpErr err = write_answer(&w, forward_ops, answer);
    if (err != LP_OK)
        log->count = before; /* half an answer is no answer */
    lp_free(w.numbers);
    return err;
}

/* ---- actions, orders, memory ---- */

/* Record kind of each action. */
static const int action_records[LP_ACTION_COUNT] = {
    [LP_ACTION_PREEMPT] = LP_RECORD_PREEMPT, [LP_ACTION_RESUME] = LP_RECORD_RESUME,
    [LP_ACTION_MIGRATE] = LP_RECORD_MIGRATE, [LP_ACTION_RESIZE] = LP_RECORD_RESIZE,
    [LP_ACTION_REGROUP] = LP_RECORD_REGROUP, [LP_ACTION_WAKE] = LP_RECORD_WAKE};

static LpErr put_action(Writer *w, const LpAction *action) {
    for (uint32_t i = 0; action->kind == LP_ACTION_MIGRATE && i < action->servers; i++)
        LP_TRY(put(w, action->server[i]));
    if (action->kind == LP_ACTION_RESIZE)
        LP_TRY(put(w, action->degree));
    if (action->kind == LP_ACTION_WAKE)
        LP_TRY(put(w, action->at));
    for (uint32_t i = 0; action->kind == LP_ACTION_REGROUP && i < action->links; i++) {
        LP_TRY(put(w, action->link[i].join));
        LP_TRY(put(w, action->link[i].a));
        LP_TRY(put(w, action->link[i].b));
    }
    return end_record(w, (LpRecordKind)action_records[action->kind]);
}

LpErr lp_log_action(LpLog *log, double time, uint64_t event, const LpAction *action, LpDiag *diag) {
    Writer w = {.log = log,
                .head = {.time = time, .event = event, .subject = action->job, .why = action->why},
                .diag = diag};
    LpErr err = put_action(&w, action);
    lp_free(w.numbers);
    return err;
}

LpErr lp_log_order(LpLog *log, double time, uint64_t event, const uint32_t *jobs, uint32_t count,
                   const char *why, LpDiag *diag) {
    Writer w = {.log = log,
                .head = {.time = time, .event = event, .subject = LP_NO_INDEX, .why = why},
                .diag = diag};
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < count; i++)
        err = put(&w, jobs[i]);
    if (err == LP_OK)
        err = end_record(&w, LP_RECORD_ORDER_QUEUE);
    lp_free(w.numbers);
    return err;
}

LpErr lp_log_memory(LpLog *log, double time, uint64_t event, const void *bytes, size_t len,
                    LpDiag *diag) {
    Writer w = {
        .log = log, .head = {.time = time, .event = event, .subject = LP_NO_INDEX}, .diag = diag};
    const unsigned char *at = bytes;
    LpErr err = put(&w, (double)len);
    for (size_t i = 0; err == LP_OK && i < len; i += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4 && i + k < len; k++)
            word |= (uint32_t)at[i + k] << (8 * k);
        err = put(&w, word);
    }
    if (err == LP_OK)
        err = end_record(&w, LP_RECORD_MEMORY);
    lp_free(w.numbers);
    return err;
}

LpErr lp_log_condition(LpLog *log, double time, uint64_t event, uint32_t job, const LpCondition *c,
                       const char *why, LpDiag *diag) {
    double payload[] = {(double)c->kind, c->value, c->other, c->steps, c->fraction};
    LpRecordKind kind = LP_RECORD_CONDITION;
    if (lp_condition_is_failure(c->kind))
        kind = LP_RECORD_FAILURE;
    else if (lp_condition_is_repair(c->kind))
        kind = LP_RECORD_REPAIR;
    LpRecord record = {.time = time,
                       .event = event,
                       .kind = kind,
                       .subject = job,
                       .count = LP_COUNTOF(payload),
                       .payload = payload,
                       .why = why};
    return lp_log_append(log, &record, diag);
}

LpErr lp_log_read_condition(const LpLog *log, size_t index, LpCondition *out, LpDiag *diag) {
    const LpRecord *r = lp_log_at(log, index);
    const double *p = r->payload;
    bool known = r->kind == LP_RECORD_CONDITION || r->kind == LP_RECORD_FAILURE ||
                 r->kind == LP_RECORD_REPAIR;
    if (!known || r->count < 5 || !(p[0] >= 0 && p[0] < LP_CONDITION_COUNT))
        return lp_fail(diag, LP_EINVAL, "record %zu is no change of conditions", index);
    *out = (LpCondition){(LpConditionKind)p[0], 0, p[1], p[2], p[3], p[4]};
    return LP_OK;
}

static LpErr put_rank(LpLog *log, double time, uint64_t event, uint32_t job, const double *payload,
                      uint32_t count, LpDiag *diag) {
    LpRecord record = {.time = time,
                       .event = event,
                       .kind = LP_RECORD_RANK,
                       .subject = job,
                       .count = count,
                       .payload = payload};
    return lp_log_append(log, &record, diag);
}

LpErr lp_log_rank(LpLog *log, double time, uint64_t event, uint32_t job, double key, uint32_t rule,
                  LpDiag *diag) {
    const double payload[] = {key, rule};
    return put_rank(log, time, event, job, payload, LP_COUNTOF(payload), diag);
}

LpErr lp_log_forget_ranks(LpLog *log, double time, uint64_t event, uint64_t policy, LpDiag *diag) {
    const double payload[] = {(double)(uint32_t)policy, (double)(uint32_t)(policy >> 32)};
    return put_rank(log, time, event, LP_NO_INDEX, payload, LP_COUNTOF(payload), diag);
}

LpErr lp_log_queue_rule(LpLog *log, double time, uint64_t event, uint32_t rule, LpDiag *diag) {
    const double payload[] = {rule};
    return put_rank(log, time, event, LP_NO_INDEX, payload, LP_COUNTOF(payload), diag);
}

LpErr lp_log_random(LpLog *log, double time, uint64_t event, const LpRng *rng, LpDiag *diag) {
    double half[8];
    for (uint32_t i = 0; i < 4; i++) {
        half[2 * i] = (double)(uint32_t)rng->s[i];
        half[2 * i + 1] = (double)(uint32_t)(rng->s[i] >> 32);
    }
    LpRecord record = {.time = time,
                       .event = event,
                       .kind = LP_RECORD_RANDOM,
                       .subject = LP_NO_INDEX,
                       .count = 8,
                       .payload = half};
    return lp_log_append(log, &record, diag);
}

LpErr lp_log_recovery(LpLog *log, double time, uint64_t event, uint32_t job, const LpRecovery *how,
                      LpDiag *diag) {
    Writer w = {.log = log,
                .head = {.time = time, .event = event, .subject = job, .why = how->why},
                .diag = diag};
    const double head[] = {(double)how->kind, how->slice, how->degree};
    LpErr err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < LP_COUNTOF(head); i++)
        err = put(&w, head[i]);
    for (uint32_t i = 0; err == LP_OK && i < how->swaps; i++) {
        err = put(&w, how->swap[i].from);
        if (err == LP_OK)
            err = put(&w, how->swap[i].to);
    }
    if (err == LP_OK)
        err = end_record(&w, LP_RECORD_ON_FAILURE);
    lp_free(w.numbers);
    return err;
}

LpErr lp_log_configure(LpLog *log, double time, uint64_t event, const LpSchedule *s,
                       const char *why, LpDiag *diag) {
    Writer w = {.log = log,
                .head = {.time = time, .event = event, .subject = LP_NO_INDEX, .why = why},
                .diag = diag};
    LpErr err = put(&w, s->entries);
    if (err == LP_OK)
        err = put(&w, s->ports);
    for (uint32_t e = 0; err == LP_OK && e < s->entries; e++)
        err = put(&w, s->hold[e]);
    for (size_t i = 0; err == LP_OK && i < (size_t)s->entries * s->ports; i++)
        err = put(&w, s->to[i] == LP_DARK ? -1 : (double)s->to[i]);
    if (err == LP_OK)
        err = end_record(&w, LP_RECORD_CONFIGURE);
    lp_free(w.numbers);
    return err;
}

/* ---- reading back ---- */

struct LpAnswerRoom {
    uint32_t *ways, *server, *part_begin;
    size_t ways_cap, server_cap, begin_cap, link_cap, to_cap;
    LpRegroupLink *link;
    uint32_t *to; /* of a schedule */
    LpSwap *swap;
    size_t swap_cap;
};

LpAnswerRoom *lp_answer_room_new(void) {
    return lp_alloc(1, sizeof(LpAnswerRoom));
}

void lp_answer_room_free(LpAnswerRoom *room) {
    if (room == NULL)
        return;
    lp_free(room->ways);
    lp_free(room->server);
    lp_free(room->part_begin);
    lp_free(room->link);
    lp_free(room->to);
    lp_free(room->swap);
    lp_free(room);
}

static LpErr copy_numbers(uint32_t **to, size_t *cap, const double *from, size_t count) {
    void *items = *to;
    LP_TRY(lp_grow(&items, cap, count + 1, sizeof **to));
    *to = items;
    for (size_t i = 0; i < count; i++)
        (*to)[i] = (uint32_t)from[i];
    return LP_OK;
}

static LpErr damaged(const LpRecord *r, LpDiag *diag) {
    return lp_fail(diag, LP_EINVAL, "the log's record \"%s\" of job %u is damaged", names[r->kind],
                   r->subject);
}

static LpErr read_plan(const LpRecord *r, size_t at, LpAnswer *out, LpDiag *diag) {
    if (!lp_parallel_of_numbers(r->payload + at, r->count - at, &out->parallel))
        return damaged(r, diag);
    out->has_plan = true;
    return LP_OK;
}

static LpErr read_partition(const LpRecord *r, LpAnswerRoom *room, LpAnswer *out, LpDiag *diag) {
    if (r->count < 3 || r->count < 3 + r->payload[2])
        return damaged(r, diag);
    out->kind = LP_ANSWER_RUN;
    out->degree = (uint32_t)r->payload[0];
    out->has_partition_kind = r->payload[1] >= 0;
    if (out->has_partition_kind)
        out->partition_kind =
            r->payload[1] < LP_PARTITION_KINDS ? (LpPartitionKind)r->payload[1] : LP_PARTITION_DATA;
    if (r->payload[2] > 0) {
        LP_TRY(copy_numbers(&room->ways, &room->ways_cap, r->payload + 3, (size_t)r->payload[2]));
        out->ways = room->ways;
    }
    size_t at = 3 + (size_t)r->payload[2];
    if (r->count == at)
        return LP_OK;
    return r->count < at + LP_PARALLEL_OLDEST ? damaged(r, diag) : read_plan(r, at, out, diag);
}

static LpErr read_parts(const LpRecord *r, LpAnswerRoom *room, LpAnswer *out, LpDiag *diag) {
    if (r->count < 2 || r->count < 2 + r->payload[1])
        return damaged(r, diag);
    size_t ops = (size_t)r->payload[1], parts = 0;
    LP_TRY(copy_numbers(&room->part_begin, &room->begin_cap, r->payload + 2, ops));
    for (size_t i = 0; i < ops; i++) {
        uint32_t count = room->part_begin[i];
        room->part_begin[i] = (uint32_t)parts;
        parts += count;
    }
    room->part_begin[ops] = (uint32_t)parts;
    if (r->count != 2 + ops + parts)
        return damaged(r, diag);
    LP_TRY(copy_numbers(&room->server, &room->server_cap, r->payload + 2 + ops, parts));
    out->part_begin = room->part_begin;
    out->part_server = room->server;
    return LP_OK;
}

static LpErr read_place(const LpRecord *r, LpAnswerRoom *room, LpAnswer *out, LpDiag *diag) {
    uint32_t from = r->count > 1 && r->payload[0] == LP_RECORD_SHAPE ? 2 : 0;
    if (r->count > 0 && from == 0 && r->payload[0] < 0)
        return read_parts(r, room, out, diag);
    out->slice = from > 0 ? (uint32_t)r->payload[1] : 0;
    LP_TRY(copy_numbers(&room->server, &room->server_cap, r->payload + from, r->count - from));
    out->servers = r->count - from;
    out->server = room->server;
    return LP_OK;
}

static LpErr read_links(const LpRecord *r, LpAnswerRoom *room, LpAction *action, LpDiag *diag) {
    void *items = room->link;
    if (r->count % 3 != 0)
        return damaged(r, diag);
    if (lp_grow(&items, &room->link_cap, r->count / 3 + 1, sizeof *room->link) != LP_OK)
        return lp_fail_memory(diag, "an action from the log");
    room->link = items;
    for (uint32_t i = 0; i < r->count / 3; i++) {
        const double *n = r->payload + 3 * i;
        room->link[i] = (LpRegroupLink){n[0] != 0, (uint32_t)n[1], (uint32_t)n[2]};
    }
    action->links = r->count / 3;
    action->link = room->link;
    return LP_OK;
}

static LpErr read_action(const LpRecord *r, LpActionKind kind, LpAnswerRoom *room, LpAction *out,
                         LpDiag *diag) {
    LpAction action = {.kind = kind, .job = r->subject, .why = r->why};
    bool one = kind == LP_ACTION_RESIZE || kind == LP_ACTION_WAKE;
    if (one && r->count != 1)
        return damaged(r, diag);
    if (kind == LP_ACTION_RESIZE)
        action.degree = (uint32_t)r->payload[0];
    if (kind == LP_ACTION_WAKE)
        action.at = r->payload[0];
    if (kind == LP_ACTION_MIGRATE) {
        if (copy_numbers(&room->server, &room->server_cap, r->payload, r->count) != LP_OK)
            return lp_fail_memory(diag, "an action from the log");
        action.servers = r->count;
        action.server = room->server;
    }
    if (kind == LP_ACTION_REGROUP)
        LP_TRY(read_links(r, room, &action, diag));
    *out = action;
    return LP_OK;
}

LpErr lp_log_read_action(const LpLog *log, size_t index, LpAnswerRoom *room, LpAction *out,
                         LpDiag *diag) {
    if (index >= log->count)
        return lp_fail(diag, LP_ERANGE, "the log has %zu records, not %zu", log->count, index + 1);
    const LpRecord *r = &log->record[index];
    for (int kind = 0; kind < LP_ACTION_COUNT; kind++)
        if (action_records[kind] == (int)r->kind)
            return read_action(r, (LpActionKind)kind, room, out, diag);
    return lp_fail(diag, LP_EINVAL, "a record \"%s\" is no action", names[r->kind]);
}

LpErr lp_log_read_configure(const LpLog *log, size_t index, LpAnswerRoom *room, LpSchedule *out,
                            LpDiag *diag) {
    const LpRecord *r = &log->record[index];
    double entries = r->count >= 2 ? r->payload[0] : 0, ports = r->count >= 2 ? r->payload[1] : 0;
    void *items = room->to;
    if (!(entries >= 1 && entries <= LP_SCHEDULE_ENTRIES_MAX && ports >= 1 &&
          ports <= LP_CIRCUIT_PORTS_MAX) ||
        r->count != 2 + entries + entries * ports)
        return damaged(r, diag);
    size_t cells = (size_t)entries * (size_t)ports;
    if (lp_grow(&items, &room->to_cap, cells, sizeof *room->to) != LP_OK)
        return lp_fail_memory(diag, "a schedule from the log");
    room->to = items;
    const double *from = r->payload + 2 + (size_t)entries;
    for (size_t i = 0; i < cells; i++)
        room->to[i] = from[i] >= 0 && from[i] < LP_CIRCUIT_PORTS_MAX ? (uint32_t)from[i] : LP_DARK;
    *out = (LpSchedule){(uint32_t)ports, (uint32_t)entries, room->to, r->payload + 2};
    return LP_OK;
}

LpErr lp_log_read_recovery(const LpLog *log, size_t index, LpAnswerRoom *room, LpRecovery *out,
                           LpDiag *diag) {
    const LpRecord *r = &log->record[index];
    void *items = room->swap;
    bool sound = r->kind == LP_RECORD_ON_FAILURE && r->count >= 3 && r->count % 2 == 1;
    for (uint32_t i = 0; sound && i < r->count; i++)
        sound = r->payload[i] >= 0 && r->payload[i] <= UINT32_MAX;
    if (!sound || r->payload[0] >= LP_ON_FAILURE_COUNT)
        return damaged(r, diag);
    if (lp_grow(&items, &room->swap_cap, r->count / 2, sizeof *room->swap) != LP_OK)
        return lp_fail_memory(diag, "an answer from the log");
    room->swap = items;
    *out = (LpRecovery){.kind = (LpOnFailure)r->payload[0],
                        .slice = (uint32_t)r->payload[1],
                        .degree = (uint32_t)r->payload[2],
                        .swaps = r->count / 2 - 1,
                        .swap = room->swap,
                        .why = r->why};
    for (uint32_t i = 0; i < out->swaps; i++)
        room->swap[i] = (LpSwap){(uint32_t)r->payload[3 + 2 * i], (uint32_t)r->payload[4 + 2 * i]};
    return LP_OK;
}

static LpErr read_order(const LpRecord *r, LpOrder *out, const double **priority, uint32_t *count,
                        LpDiag *diag) {
    if (r->count > 0 && r->payload[0] < 0 && r->payload[0] > -1 - LP_ORDER_COUNT) {
        *out = (LpOrder)(-1 - r->payload[0]);
        *priority = r->payload + 1;
        *count = r->count - 1;
        return LP_OK;
    }
    if (r->count != 1 || !(r->payload[0] >= 0 && r->payload[0] < LP_ORDER_COUNT))
        return damaged(r, diag);
    *out = (LpOrder)r->payload[0];
    return LP_OK;
}

static LpErr read_decline(const LpRecord *r, LpAnswer *out, LpDiag *diag) {
    if (r->count != 1 || !(r->payload[0] >= 0 && r->payload[0] < LP_CAUSE_COUNT))
        return damaged(r, diag);
    out->kind = LP_ANSWER_DECLINE;
    out->cause = (LpCause)r->payload[0];
    return LP_OK;
}

static LpErr read_wait(const LpRecord *r, LpAnswer *out, LpDiag *diag) {
    bool needs = r->count == 2 && r->payload[1] >= 1 && r->payload[1] <= LP_SERVERS_MAX;
    if (r->count != 1 && !needs)
        return damaged(r, diag);
    out->kind = LP_ANSWER_WAIT;
    out->fits = needs ? (uint32_t)r->payload[1] : 0;
    out->has_retry = r->payload[0] >= 0;
    out->retry = out->has_retry ? r->payload[0] : 0;
    return LP_OK;
}

static LpErr read_record(const LpRecord *r, LpAnswerRoom *room, LpAnswer *out, LpDiag *diag) {
    switch (r->kind) {
    case LP_RECORD_PARTITION:
        return read_partition(r, room, out, diag);
    case LP_RECORD_PLACE:
        return read_place(r, room, out, diag);
    case LP_RECORD_ORDER_OPS:
        return read_order(r, &out->order_ops, &out->op_priority, &out->op_priorities, diag);
    case LP_RECORD_ORDER_FLOWS:
        return read_order(r, &out->order_flows, &out->flow_priority, &out->flow_priorities, diag);
    case LP_RECORD_DECLINE:
        return read_decline(r, out, diag);
    case LP_RECORD_WAIT:
        return read_wait(r, out, diag);
    default:
        return lp_fail(diag, LP_EINVAL, "a record \"%s\" is no part of an answer", names[r->kind]);
    }
}

LpErr lp_log_read_answer(const LpLog *log, size_t index, LpAnswerRoom *room, LpAnswer *out,
                         uint32_t *job, size_t *next, LpDiag *diag) {
    if (index >= log->count)
        return lp_fail(diag, LP_ERANGE, "the log has %zu records, not %zu", log->count, index + 1);
    const LpRecord *first = &log->record[index];
    LpAnswer answer = {.why = first->why};
    size_t at = index;
    for (; at < log->count; at++) {
        const LpRecord *r = &log->record[at];
        if (r->event != first->event || r->subject != first->subject)
            break;
        LpErr err = read_record(r, room, &answer, diag);
        if (err != LP_OK)
            return err == LP_ENOMEM ? lp_fail_memory(diag, "an answer from the log") : err;
    }
    *out = answer;
    *job = first->subject;
    *next = at;
    return LP_OK;
}
