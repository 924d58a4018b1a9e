/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective "demand=..."`: an uneven all-to-all in matchings. */
#include "ask/collective/uneven_kind.h"

#include <math.h>
#include <string.h>

#include "ask/collective/collective_kinds.h"
#include "io/files/file.h"
#include "sim/uneven/uneven_keys.h"

enum { MATCHINGS_MAX = 100000, SHOWN = 64 };

/* ---- reading ---- */

typedef struct Words {
    LpUneven all;
    const char *demand;
    double tile;
    uint32_t merge, cut, matchings;
} Words;

static const char *const bools[] = {"false", "true", NULL};
static const char *const cuts[] = {
#define X(id, word) word,
    LP_UNEVEN_CUT_TABLE(X)
#undef X
        "all",
    NULL};

#define WORD(name) offsetof(Words, name)

static const LpCollKey keys[] = {
    {.name = "demand", .form = LP_COLL_TEXT, .needed = true, .offset = WORD(demand)},
    {.name = "rate", .form = LP_COLL_RATE, .needed = true, .offset = WORD(all.rate)},
    {.name = "ports",
     .form = LP_COLL_COUNT,
     .offset = WORD(all.ports),
     .least = 1,
     .most = LP_UNEVEN_PORTS_MAX},
    {.name = "packet_ports",
     .form = LP_COLL_COUNT,
     .offset = WORD(all.packet_ports),
     .most = LP_UNEVEN_PORTS_MAX},
    {.name = "start", .form = LP_COLL_TIME, .offset = WORD(all.start)},
    {.name = "hop", .form = LP_COLL_TIME, .offset = WORD(all.hop)},
    {.name = "compute", .form = LP_COLL_RATE, .offset = WORD(all.compute)},
    {.name = "launch", .form = LP_COLL_TIME, .offset = WORD(all.launch)},
    {.name = "tile", .form = LP_COLL_BYTES, .offset = WORD(tile)},
    {.name = "merge", .form = LP_COLL_WORD, .offset = WORD(merge), .word = bools},
    {.name = "cut", .form = LP_COLL_WORD, .offset = WORD(cut), .word = cuts},
    {.name = "matchings", .form = LP_COLL_COUNT, .offset = WORD(matchings), .most = MATCHINGS_MAX},
};

/* A word that holds neither comma nor colon is a file, where there is one. */
static LpErr read_demand(const char *word, LpCollUneven *u, LpDiag *diag) {
    int64_t *demand = NULL;
    char *text = NULL, shown[SHOWN];
    size_t len;
    LpDiag why;
    LpErr err;
    if (lp_uneven_is_demand(word)) {
        err = lp_uneven_demand_read(word, u->arena, &u->all.servers, &demand, diag);
    } else if (lp_file_read(word, 0, &text, &len, &why) == LP_OK) {
        err = lp_uneven_demand_file(word, text, u->arena, &u->all.servers, &demand, diag);
    } else if (word[0] >= '0' && word[0] <= '9') {
        err = lp_uneven_demand_read(word, u->arena, &u->all.servers, &demand, diag);
    } else {
        err = lp_fail(diag, why.code == LP_ENOMEM ? LP_ENOMEM : LP_EINVAL,
                      "demand=%s: %s; expected rows such as 0,6MB/4MB,0, a file of them, or "
                      "uniform:, zipf:, skew: or random: with numbers",
                      lp_str_show(shown, sizeof shown, word), why.text);
    }
    lp_free(text);
    u->all.demand = demand;
    return err;
}

static LpErr read_words(const LpCollWords *words, LpCollUneven *u, LpDiag *diag) {
    Words w = {.all = {.ports = 1, .compute = (double)INFINITY},
               .cut = LP_UNEVEN_CUTS,
               .matchings = UINT32_MAX};
    LP_TRY(lp_coll_words_read(words, keys, LP_COUNTOF(keys), &w, diag));
    if (w.tile > floor(w.tile) || w.tile > LP_UNEVEN_BYTES_MAX)
        return lp_coll_words_fail(diag, "tile", lp_coll_words_find(words, "tile"),
                                  "expected whole bytes up to 2^46");
    w.all.tile = (int64_t)w.tile;
    w.all.merge = w.merge == 1;
    u->all = w.all;
    u->first = w.cut < LP_UNEVEN_CUTS ? w.cut : 0;
    u->cuts = w.cut < LP_UNEVEN_CUTS ? 1 : LP_UNEVEN_CUTS;
    u->matchings = w.matchings;
    return read_demand(w.demand, u, diag);
}

/* ---- making ---- */

static LpErr fill_row(LpCollUneven *u, const LpUnevenSlots *slots, LpCollCut *row, LpDiag *diag) {
    row->all = slots->count;
    row->matchings = u->matchings < row->all ? u->matchings : row->all;
    row->bound = lp_uneven_bound(&u->all, row->delay);
    if (u->all.packet_ports == 0)
        return lp_uneven_run(&u->all, slots, row->delay, row->matchings, row->matchings, &row->run,
                             NULL, diag);
    row->by = lp_arena_alloc(u->arena, (size_t)row->all + 1, sizeof *row->by);
    if (row->by == NULL)
        return lp_fail_memory(diag, "times by matchings");
    LP_TRY(lp_uneven_run(&u->all, slots, row->delay, 0, row->all, row->by, NULL, diag));
    row->run = row->by[row->matchings];
    return LP_OK;
}

/* The rows of one cut; only eclipse cuts otherwise for another delay. */
static LpErr fill_cut(LpCollUneven *u, uint32_t c, const LpCollAsk *ask, LpDiag *diag) {
    LpUnevenSlots slots = {0};
    LpErr err = LP_OK;
    for (uint32_t d = 0; d < ask->delays && err == LP_OK; d++) {
        LpCollCut *row = &u->row[d * u->cuts + c];
        *row = (LpCollCut){.delay = ask->delay[d], .cut = (LpUnevenCut)(u->first + c)};
        if (d == 0 || row->cut == LP_UNEVEN_ECLIPSE) {
            lp_uneven_slots_free(&slots);
            err = lp_uneven_cut(&u->all, row->cut, row->delay, &slots, diag);
        }
        if (err == LP_OK)
            err = fill_row(u, &slots, row, diag);
    }
    lp_uneven_slots_free(&slots);
    return err;
}

static LpErr fill(LpCollUneven *u, const LpCollAsk *ask, LpDiag *diag) {
    LP_TRY(read_words(ask->words, u, diag));
    u->rows = ask->delays * u->cuts;
    u->row = lp_arena_alloc(u->arena, u->rows, sizeof *u->row);
    if (u->row == NULL)
        return lp_fail_memory(diag, "the cuts of an all-to-all");
    for (uint32_t c = 0; c < u->cuts; c++)
        LP_TRY(fill_cut(u, c, ask, diag));
    u->ideal = lp_uneven_ideal(&u->all);
    u->bytes = lp_uneven_bytes(&u->all, &u->local);
    return LP_OK;
}

static LpErr make(const LpCollAsk *ask, void **out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpCollUneven *u = arena == NULL ? NULL : lp_arena_alloc(arena, 1, sizeof *u);
    if (u == NULL) {
        lp_arena_free(arena);
        return lp_fail_memory(diag, "an all-to-all");
    }
    u->arena = arena;
    LpErr err = fill(u, ask, diag);
    if (err != LP_OK) {
        lp_arena_free(arena);
        return err;
    }
    *out = u;
    return LP_OK;
}

static void release(void *it) {
    LpCollUneven *u = it;
    lp_arena_free(u->arena);
}

/* ---- JSON ---- */

static void add_row_json(const LpCollCut *row, LpJsonOut *out) {
    const LpUnevenRun *run = &row->run;
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_number(out, "delay", row->delay);
    lp_json_put_text(out, "cut", lp_uneven_cut_name(row->cut));
    lp_json_put_count(out, "matchings", row->matchings);
    if (run->never) {
        lp_json_put_null(out, "turns");
        lp_json_put_null(out, "communication");
        lp_json_put_null(out, "time");
        lp_json_put_null(out, "batches");
    } else {
        lp_json_put_count(out, "turns", run->turns);
        lp_json_put_number(out, "communication", run->communication);
        lp_json_put_number(out, "time", run->time);
        lp_json_put_count(out, "batches", run->batches);
    }
    lp_json_put_number(out, "bound", row->bound);
    if (row->by == NULL) {
        lp_json_put_null(out, "by_matchings");
    } else {
        lp_json_open(out, "by_matchings", '[');
        for (uint32_t k = 0; k <= row->all; k++)
            lp_json_put_number(out, NULL, row->by[k].time);
        lp_json_close(out, ']');
    }
    lp_json_close(out, '}');
}

static void add_json(const void *it, LP_UNUSED bool each, LpJsonOut *out) {
    const LpCollUneven *u = it;
    lp_json_open(out, "rows", '[');
    for (uint32_t i = 0; i < u->rows; i++)
        add_row_json(&u->row[i], out);
    lp_json_close(out, ']');
    lp_json_put_number(out, "ideal", u->ideal);
    lp_json_put_count(out, "servers", u->all.servers);
    lp_json_put_count(out, "bytes", (uint64_t)u->bytes);
    lp_json_put_count(out, "local", (uint64_t)u->local);
}

const LpCollKind lp_coll_uneven = {
    .make = make, .free = release, .json = add_json, .text = lp_coll_uneven_text};
