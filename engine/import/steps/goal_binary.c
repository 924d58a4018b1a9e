/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL as LogGOPSim's txt2bin packs it: a head, where each rank's section is, and the sections,
 * which are read one by one in the order of the file. All numbers have their lowest byte first. */
#include <stdlib.h>

#include "import/steps/bytes.h"
#include "import/steps/goal.h"

enum {
    COOKIE = 4223,
    USED_UP = 2342, /* what a run with --save-mem leaves */
    HEAD = 14,      /* cookie, ranks, highest cpu and nic */
    OFFSET = 16,    /* begin and end of a rank's section */
    COUNTED_FROM = 8,
    COUNTS = 8, /* in front of a section: ops, roots */
    OP = 39,
    WORD = 4
};

enum { SEND = 1, RECEIVE = 2, CALC = 3 };

typedef struct Section {
    uint64_t begin, end;
    uint32_t rank;
} Section;

typedef struct Reader {
    LpGoal *goal;
    LpBytes bytes;
    LpTraceDraft draft;
    Section *section;
    uint64_t place; /* of the section that is read */
} Reader;

static uint32_t u32(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t u64(const unsigned char *at) {
    return u32(at) | (uint64_t)u32(at + 4) << 32;
}

static int compare_sections(const void *pa, const void *pb) {
    const Section *a = pa, *b = pb;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

static LpErr read_head(Reader *r, uint32_t *ranks, LpDiag *diag) {
    const unsigned char *data;
    size_t got;
    LP_TRY(lp_bytes_look(&r->bytes, HEAD, &data, &got, diag));
    uint64_t cookie = got >= 8 ? u64(data) : 0;
    if (cookie == USED_UP)
        return lp_bytes_fail(
            &r->bytes, 0, diag,
            "the schedule was used up by a run of LogGOPSim that saves memory: make "
            "it anew with txt2bin");
    if (cookie != COOKIE || got < HEAD)
        return lp_bytes_fail(&r->bytes, 0, diag,
                             "this is no schedule: expected %d as the first 8 bytes and a head of "
                             "%d bytes",
                             COOKIE, HEAD);
    *ranks = u32(data + 8);
    if (*ranks == 0)
        return lp_bytes_fail(&r->bytes, 8, diag, "a schedule of 0 ranks, expected at least one");
    lp_bytes_take(&r->bytes, HEAD);
    return LP_OK;
}

static LpErr read_sections(Reader *r, uint32_t ranks, LpDiag *diag) {
    const unsigned char *data;
    size_t got;
    LP_TRY(lp_bytes_look(&r->bytes, (uint64_t)ranks * OFFSET, &data, &got, diag));
    if (got / OFFSET < ranks)
        return lp_bytes_fail(&r->bytes, HEAD, diag, "the sections of %u ranks do not fit the file",
                             ranks);
    r->section = lp_alloc(ranks, sizeof *r->section);
    if (r->section == NULL)
        return lp_fail_memory(diag, "a schedule");
    for (uint32_t i = 0; i < ranks; i++, data += OFFSET) {
        Section *s = &r->section[i];
        *s = (Section){u64(data), u64(data + 8), i};
        if (s->begin > UINT64_MAX / 2 || s->end > UINT64_MAX / 2 || s->begin > s->end)
            return lp_bytes_fail(&r->bytes, HEAD + (uint64_t)i * OFFSET, diag,
                                 "rank %u: bytes %llu to %llu cannot be", i,
                                 (unsigned long long)s->begin, (unsigned long long)s->end);
        s->begin += COUNTED_FROM;
        s->end += COUNTED_FROM;
    }
    lp_bytes_take(&r->bytes, (size_t)ranks * OFFSET);
    qsort(r->section, ranks, sizeof *r->section, compare_sections);
    return LP_OK;
}

/* An op as it stands in the file. */
static LpErr read_op(Reader *r, uint32_t i, const unsigned char *at, LpDiag *diag) {
    uint32_t peer = u32(at + 5), ranks = r->goal->trace->ranks;
    LpTraceNode node = {
        .amount = u64(at + 9), .tag = u32(at + 17), .stream = at[21], .port = at[22]};
    switch (at[4]) {
    case CALC:
        node.kind = LP_TRACE_OP;
        node.tag = 0;
        break;
    case SEND:
    case RECEIVE:
        node.kind = at[4] == SEND ? LP_TRACE_SEND : LP_TRACE_RECEIVE;
        node.peer = peer;
        if (peer >= ranks && !(at[4] == RECEIVE && peer == LP_TRACE_ANY))
            return lp_bytes_fail(&r->bytes, r->place, diag, "op %u is about rank %u of %u", i, peer,
                                 ranks);
        break;
    default:
        return lp_bytes_fail(&r->bytes, r->place, diag,
                             "op %u has the unknown type %d, expected 1 to 3", i, at[4]);
    }
    return lp_trace_draft_node(&r->draft, &node, diag);
}

/* Ops that wait for op `i`: `count` words of the appendix from number `first` on. */
static LpErr read_waiting(Reader *r, uint32_t i, uint32_t ops, const unsigned char *appendix,
                          uint64_t words, const unsigned char *counts, uint32_t begun,
                          LpDiag *diag) {
    uint32_t count = u32(counts), first = u32(counts + WORD);
    if (count == 0)
        return LP_OK;
    /* one word speaks of one dependency, so a small file makes no large trace */
    if (first > words || count > words - first || r->draft.edges + count > words)
        return lp_bytes_fail(&r->bytes, r->place, diag,
                             "op %u: ops that wait for it beyond the end of the rank's bytes", i);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t waits = u32(appendix + (size_t)WORD * (first + k));
        if (waits >= ops)
            return lp_bytes_fail(&r->bytes, r->place, diag, "op %u: op %u of %u waits for it", i,
                                 waits, ops);
        LP_TRY(lp_trace_draft_edge(&r->draft, waits, i | begun, diag));
    }
    return LP_OK;
}

static LpErr read_section(Reader *r, const Section *s, const unsigned char *data, LpDiag *diag) {
    uint64_t size = s->end - s->begin;
    uint32_t cycle;
    if (size < COUNTS)
        return lp_bytes_fail(&r->bytes, s->begin, diag, "rank %u: %llu bytes are too few", s->rank,
                             (unsigned long long)size);
    uint32_t ops = u32(data), roots = u32(data + WORD);
    uint64_t at = COUNTS + (uint64_t)WORD * roots, appendix = at + (uint64_t)OP * ops;
    if (appendix > size || ops > LP_TRACE_NODES_MAX)
        return lp_bytes_fail(&r->bytes, s->begin, diag,
                             "rank %u: %u ops and %u roots do not fit its %llu bytes", s->rank, ops,
                             roots, (unsigned long long)size);
    uint64_t words = (size - appendix) / WORD;
    for (uint32_t i = 0; i < ops; i++, at += OP) {
        r->place = s->begin + at;
        LP_TRY(read_op(r, i, data + at, diag));
        LP_TRY(read_waiting(r, i, ops, data + appendix, words, data + at + 23, 0, diag));
        LP_TRY(
            read_waiting(r, i, ops, data + appendix, words, data + at + 31, LP_TRACE_BEGUN, diag));
    }
    LP_TRY(lp_trace_draft_end(&r->draft, &r->goal->trace->rank[s->rank], &cycle, diag));
    if (cycle != LP_NO_INDEX)
        return lp_bytes_fail(&r->bytes,
                             s->begin + COUNTS + (uint64_t)WORD * roots + (uint64_t)OP * cycle,
                             diag, "rank %u: op %u waits for itself", s->rank, cycle);
    return LP_OK;
}

/* Passes over what lies between two sections. */
static LpErr go_to(Reader *r, const Section *s, LpDiag *diag) {
    const unsigned char *data;
    size_t got;
    uint64_t place = lp_bytes_place(&r->bytes);
    if (s->begin < place)
        return lp_bytes_fail(&r->bytes, s->begin, diag,
                             "rank %u: its bytes %llu to %llu are others' as well", s->rank,
                             (unsigned long long)s->begin, (unsigned long long)s->end);
    while (place < s->begin) {
        LP_TRY(lp_bytes_look(&r->bytes, 1, &data, &got, diag));
        if (got == 0)
            return LP_OK; /* reading there will say so */
        lp_bytes_take(&r->bytes, got);
        place += got;
    }
    return LP_OK;
}

static LpErr read_all(Reader *r, LpDiag *diag) {
    const unsigned char *data;
    uint32_t ranks = 0;
    size_t got;
    LP_TRY(read_head(r, &ranks, diag));
    LP_TRY(read_sections(r, ranks, diag));
    LP_TRY(lp_step_trace_new(ranks, &r->goal->trace, diag));
    for (uint32_t i = 0; i < ranks; i++) {
        const Section *s = &r->section[i];
        LP_TRY(go_to(r, s, diag));
        LP_TRY(lp_bytes_look(&r->bytes, s->end - s->begin, &data, &got, diag));
        if (got < s->end - s->begin)
            return lp_bytes_fail(&r->bytes, s->begin, diag,
                                 "rank %u: bytes %llu to %llu, but the file ends at %llu", s->rank,
                                 (unsigned long long)s->begin, (unsigned long long)s->end,
                                 (unsigned long long)lp_bytes_place(&r->bytes) + got);
        LP_TRY(read_section(r, s, data, diag));
        lp_bytes_take(&r->bytes, got);
    }
    return LP_OK;
}

LpErr lp_goal_read_binary(const char *file, uint64_t max, LpGoal *goal, LpDiag *diag) {
    Reader r = {.goal = goal};
    LpErr err = lp_bytes_open(&r.bytes, file, max, diag);
    if (err == LP_OK)
        err = read_all(&r, diag);
    lp_bytes_close(&r.bytes);
    lp_trace_draft_fini(&r.draft);
    lp_free(r.section);
    return err;
}
