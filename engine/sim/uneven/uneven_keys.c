/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads demands, and makes those that a word stands for. */
#include "sim/uneven/uneven_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "sim/uneven/uneven_match.h"

enum { SHOWN = 64, MOST = LP_UNEVEN_SERVERS_MAX, ARGUMENTS = 4, EXPONENT_MAX = 64 };

/* ---- a matrix in text ---- */

typedef struct Reader {
    const char *file; /* NULL: words */
    const char *text, *line_at;
    int line;
    char row_ends; /* what parts rows */
    LpArena *arena;
    LpDiag *diag;
} Reader;

static LpErr fail(const Reader *r, const char *at, const char *why) {
    if (r->file != NULL)
        return lp_fail_at(r->diag, LP_EINVAL, r->file, r->line, (int)(at - r->line_at) + 1, "%s",
                          why);
    return lp_fail(r->diag, LP_EINVAL, "demand: %s", why);
}

static LpErr fail_entry(const Reader *r, const char *at, const char *item, uint32_t row) {
    char shown[SHOWN], why[2 * SHOWN + 64];
    snprintf(why, sizeof why, "%s in row %u: expected whole bytes up to 2^46, such as 6MB",
             lp_str_show(shown, sizeof shown, item), (unsigned)row);
    return fail(r, at, why);
}

/* One number of a row, up to a comma or the row's end. */
static LpErr read_entry(Reader *r, const char **at, uint32_t row, int64_t *out) {
    char item[SHOWN];
    double bytes;
    LpDiag why;
    const char *from = *at + strspn(*at, " \t");
    size_t len = strcspn(from, r->row_ends == '/' ? ",/" : ",\n");
    size_t used = len;
    while (used > 0 && strchr(" \t\r", from[used - 1]) != NULL)
        used--;
    memcpy(item, from, used < SHOWN ? used : SHOWN - 1);
    item[used < SHOWN ? used : SHOWN - 1] = '\0';
    *at = from + len;
    if (used >= SHOWN || lp_quantity_parse(item, LP_DIM_BYTES, &bytes, &why) != LP_OK ||
        !(bytes >= 0 && bytes <= LP_UNEVEN_BYTES_MAX) || bytes > floor(bytes))
        return fail_entry(r, from, item, row);
    *out = (int64_t)bytes;
    return LP_OK;
}

/* Rows of the text: each row's end but the last one's, and what is not blank behind. */
static uint32_t count_rows(const Reader *r) {
    uint32_t rows = 0;
    const char *at = r->text;
    for (bool more = true; more; rows++) {
        at += strcspn(at, r->row_ends == '/' ? "/" : "\n");
        more = *at != '\0' && (r->row_ends == '/' || at[1 + strspn(at + 1, " \t\r\n")] != '\0');
        at += more;
    }
    return rows;
}

static LpErr read_row(Reader *r, const char **at, uint32_t row, uint32_t n, int64_t *out) {
    uint32_t count = 0;
    const char *from = *at;
    char why[96];
    for (const char *c = from; *c != '\0' && *c != r->row_ends; c++)
        count += *c == ',';
    if (count + 1 != n) {
        snprintf(why, sizeof why, "row %u has %u value%s: expected %u", (unsigned)row,
                 (unsigned)count + 1, lp_str_s(count + 1), (unsigned)n);
        return fail(r, from, why);
    }
    for (uint32_t j = 0; j < n; j++) {
        LP_TRY(read_entry(r, at, row, &out[j]));
        *at += j + 1 < n;
    }
    return LP_OK;
}

static LpErr read_matrix(Reader *r, uint32_t *servers, int64_t **demand) {
    uint32_t n = count_rows(r);
    char why[96];
    if (n < 2 || n > MOST) {
        snprintf(why, sizeof why, "%u row%s: expected 2 to %d, rows parted by %s", (unsigned)n,
                 lp_str_s(n), (int)MOST, r->row_ends == '/' ? "/" : "lines");
        return fail(r, r->text, why);
    }
    int64_t *out = lp_arena_alloc(r->arena, (size_t)n * n, sizeof *out);
    if (out == NULL)
        return lp_fail_memory(r->diag, "the demand");
    const char *at = r->text;
    for (uint32_t row = 0; row < n; row++) {
        r->line_at = at;
        r->line = (int)row + 1;
        LP_TRY(read_row(r, &at, row, n, out + (size_t)row * n));
        at += *at != '\0';
    }
    *servers = n;
    *demand = out;
    return LP_OK;
}

LpErr lp_uneven_demand_file(const char *file, const char *text, LpArena *arena, uint32_t *servers,
                            int64_t **demand, LpDiag *diag) {
    Reader r = {.file = file,
                .text = text,
                .line_at = text,
                .line = 1,
                .row_ends = '\n',
                .arena = arena,
                .diag = diag};
    return read_matrix(&r, servers, demand);
}

/* ---- demands that a word stands for ---- */

typedef struct Made {
    const char *word; /* as it was written */
    uint32_t n;
    double exponent, share;
    double bytes;
    uint64_t seed;
    int64_t *demand;
} Made;

typedef struct Maker {
    const char *name, *arguments;
    uint32_t count;
    void (*make)(const Made *made);
} Maker;

static void make_uniform(const Made *m) {
    for (uint32_t place = 0; place < m->n * m->n; place++)
        m->demand[place] = place % (m->n + 1) == 0 ? 0 : (int64_t)m->bytes;
}

/* 1 to the power of -e, 2 to it, and so on. */
static void make_shares(const Made *m, double *share) {
    double sum = 0, whole = floor(m->exponent);
    for (uint32_t k = 0; k < m->n; k++) {
        double base = k + 1, power = 1;
        for (double e = 0; e < whole; e++)
            power *= base;
        if (m->exponent > whole)
            power *= lp_num_exp((m->exponent - whole) * lp_num_log(base));
        share[k] = 1 / power;
        sum += share[k];
    }
    for (uint32_t k = 0; k < m->n; k++)
        share[k] = m->bytes * share[k] / sum;
}

static void make_zipf(const Made *m) {
    double share[MOST];
    make_shares(m, share);
    for (uint32_t place = 0; place < m->n * m->n; place++)
        m->demand[place] = (int64_t)share[place % m->n];
}

static void make_skew(const Made *m) {
    double share[MOST];
    make_shares(m, share);
    for (uint32_t i = 0; i < m->n; i++)
        for (uint32_t k = 0; k < m->n; k++)
            m->demand[i * m->n + (i + k) % m->n] = (int64_t)share[k];
}

/* splitmix64 (Steele, Lea and Flood 2014), as a number of [0, 1). */
static double next_unit(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void make_random(const Made *m) {
    uint64_t state = m->seed;
    for (uint32_t place = 0; place < m->n * m->n; place++)
        if (place % (m->n + 1) != 0 && next_unit(&state) < m->share)
            m->demand[place] = 1 + (int64_t)(next_unit(&state) * floor(m->bytes));
}

static const Maker MAKERS[] = {
    {"uniform", "N,BYTES", 2, make_uniform},
    {"zipf", "N,E,BYTES", 3, make_zipf},
    {"skew", "N,E,BYTES", 3, make_skew},
    {"random", "N,SHARE,BYTES,SEED", 4, make_random},
};

static const Maker *maker_of(const char *word) {
    size_t len = strcspn(word, ":");
    for (size_t i = 0; word[len] == ':' && i < LP_COUNTOF(MAKERS); i++)
        if (strncmp(word, MAKERS[i].name, len) == 0 && MAKERS[i].name[len] == '\0')
            return &MAKERS[i];
    return NULL;
}

bool lp_uneven_is_demand(const char *word) {
    return strpbrk(word, ",:") != NULL;
}

static LpErr fail_made(const Made *m, const char *item, const char *expected, LpDiag *diag) {
    char shown[SHOWN], one[SHOWN];
    return lp_fail(diag, LP_EINVAL, "demand=%s: %s: expected %s",
                   lp_str_show(shown, sizeof shown, m->word), lp_str_show(one, sizeof one, item),
                   expected);
}

static LpErr read_bytes(Made *m, const char *item, LpDiag *diag) {
    LpDiag why;
    if (lp_quantity_parse(item, LP_DIM_BYTES, &m->bytes, &why) != LP_OK ||
        !(m->bytes >= 0 && m->bytes < LP_UNEVEN_BYTES_MAX))
        return fail_made(m, item, "bytes below 2^46, such as 16MB", diag);
    return LP_OK;
}

static LpErr read_arguments(Made *m, const Maker *maker, char item[][SHOWN], LpDiag *diag) {
    uint64_t servers = 0;
    LpDiag why;
    bool random = maker->make == make_random, uniform = maker->make == make_uniform;
    double *middle = random ? &m->share : &m->exponent, most = random ? 1 : EXPONENT_MAX;
    if (lp_num_parse_u64(item[0], &servers, &why) != LP_OK || servers < 2 || servers > MOST)
        return fail_made(m, item[0], "a number of servers from 2 to 64", diag);
    m->n = (uint32_t)servers;
    if (!uniform &&
        (lp_num_parse(item[1], middle, &why) != LP_OK || !(*middle >= 0 && *middle <= most)))
        return fail_made(m, item[1], random ? "a share from 0 to 1" : "an exponent from 0 to 64",
                         diag);
    LP_TRY(read_bytes(m, item[uniform ? 1 : 2], diag));
    if (random && lp_num_parse_u64(item[3], &m->seed, &why) != LP_OK)
        return fail_made(m, item[3], "a whole number as seed", diag);
    return LP_OK;
}

static LpErr make_demand(const char *word, const Maker *maker, LpArena *arena, uint32_t *servers,
                         int64_t **demand, LpDiag *diag) {
    char item[ARGUMENTS][SHOWN];
    uint32_t count = 0;
    Made made = {.word = word};
    for (const char *at = strchr(word, ':'); at != NULL; count++) {
        size_t len = strcspn(at + 1, ",");
        if (count < ARGUMENTS) {
            memcpy(item[count], at + 1, len < SHOWN ? len : SHOWN - 1);
            item[count][len < SHOWN ? len : SHOWN - 1] = '\0';
        }
        at = at[1 + len] == ',' ? at + 1 + len : NULL;
    }
    if (count != maker->count) {
        char expected[SHOWN], given[LP_MANY_TEXT];
        snprintf(expected, sizeof expected, "%s:%s", maker->name, maker->arguments);
        return fail_made(&made, lp_str_many(given, count, "value"), expected, diag);
    }
    LP_TRY(read_arguments(&made, maker, item, diag));
    made.demand = lp_arena_alloc(arena, (size_t)made.n * made.n, sizeof *made.demand);
    if (made.demand == NULL)
        return lp_fail_memory(diag, "the demand");
    maker->make(&made);
    *servers = made.n;
    *demand = made.demand;
    return LP_OK;
}

LpErr lp_uneven_demand_read(const char *word, LpArena *arena, uint32_t *servers, int64_t **demand,
                            LpDiag *diag) {
    Reader r = {.text = word, .line_at = word, .row_ends = '/', .arena = arena, .diag = diag};
    const Maker *maker = maker_of(word);
    if (maker != NULL)
        return make_demand(word, maker, arena, servers, demand, diag);
    return read_matrix(&r, servers, demand);
}
