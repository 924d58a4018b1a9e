/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of a trace in blocks of packed rows, and what the options of an import make of them. */
#include "import/rows/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "import/rows/table.h"
#include "import/rows/text_store.h"

enum {
    BLOCK_BITS = 14,
    BLOCK_ROWS = 1 << BLOCK_BITS,
    MOST_NOTES = 32,
    MOST_ASSUMED = 16,
    MOST_FIGURES = 8,
    MOST_BAD = 10
};

static const char *const LEFT_WORD[] = {
#define X(name, word, plain) [LP_LEFT_##name] = (word),
    LP_LEFT_TABLE(X)
#undef X
};
static const char *const LEFT_PLAIN[] = {
#define X(name, word, plain) [LP_LEFT_##name] = (plain),
    LP_LEFT_TABLE(X)
#undef X
};

const char *lp_left_word(LpLeft why) {
    return LEFT_WORD[why];
}

const char *lp_left_plain(LpLeft why) {
    return LEFT_PLAIN[why];
}

/* What few traces have of a job. */
typedef struct Rare {
    uint32_t name, slice, model, nodes;
    uint64_t steps;
} Rare;

/* A job: texts by their numbers. A million of them are 56 MB. */
typedef struct Row {
    int64_t submit_ns;
    double duration, requested, gpus;
    uint32_t servers, id, user, group, state;
    uint32_t rare; /* number + 1 of a Rare; 0: has none */
} Row;

struct LpJobRows {
    Row **block;
    size_t blocks, block_cap;
    uint64_t count;
    Rare *rare;
    size_t rares, rare_cap;
    LpTextStore texts;
    uint32_t *slot; /* lp_rows_take_last: rows by the hash of their id, number + 1 */
    size_t slots;
    uint64_t left[LP_LEFT_COUNT];
    LpRowsNote note[MOST_NOTES];
    size_t notes;
    const char *assumed[MOST_ASSUMED];
    size_t assumptions;
    LpRowsFigure figure[MOST_FIGURES];
    size_t figures;
    LpArena *arena; /* of headers */
    LpRowsHeader *header;
    size_t headers, header_cap;
    LpDiag bad[MOST_BAD];
    size_t bads;
    bool dated;
    uint32_t *order; /* after lp_rows_finish: rows that are taken, by arrival */
    uint64_t taken;
    double scale;
    int64_t first_ns;
    uint32_t host; /* servers of a host, where a host is several; else 0 */
};

static Row *row_at(const LpJobRows *rows, uint64_t i) {
    return &rows->block[i >> BLOCK_BITS][i & (BLOCK_ROWS - 1)];
}

LpErr lp_rows_new(LpJobRows **out, LpDiag *diag) {
    LpJobRows *rows = lp_alloc(1, sizeof *rows);
    LpArena *arena = lp_arena_new(1024);
    if (rows == NULL || arena == NULL) {
        lp_free(rows);
        lp_arena_free(arena);
        return lp_fail_memory(diag, "a trace of jobs");
    }
    rows->arena = arena;
    *out = rows;
    return LP_OK;
}

void lp_rows_free(LpJobRows *rows) {
    if (rows == NULL)
        return;
    for (size_t b = 0; b < rows->blocks; b++)
        lp_free(rows->block[b]);
    lp_free(rows->block);
    lp_free(rows->rare);
    lp_free(rows->slot);
    lp_free(rows->header);
    lp_free(rows->order);
    lp_text_store_fini(&rows->texts);
    lp_arena_free(rows->arena);
    lp_free(rows);
}

/* ---- rows ---- */

static LpErr add_rare(LpJobRows *rows, const LpTraceJob *job, uint32_t *number, LpDiag *diag) {
    Rare rare = {.nodes = job->nodes, .steps = job->steps};
    LP_TRY(lp_text_store_once(&rows->texts, job->name, &rare.name, diag));
    LP_TRY(lp_text_store_once(&rows->texts, job->slice, &rare.slice, diag));
    LP_TRY(lp_text_store_once(&rows->texts, job->model, &rare.model, diag));
    *number = 0;
    if (rare.name == 0 && rare.slice == 0 && rare.model == 0 && rare.nodes == 0 && rare.steps == 0)
        return LP_OK;
    if (lp_grow((void **)&rows->rare, &rows->rare_cap, rows->rares + 1, sizeof *rows->rare) !=
        LP_OK)
        return lp_fail_memory(diag, "a trace of jobs");
    rows->rare[rows->rares++] = rare;
    *number = (uint32_t)rows->rares;
    return LP_OK;
}

static LpErr make_row(LpJobRows *rows, const LpTraceJob *job, Row *row, LpDiag *diag) {
    bool lasts = job->duration < LP_NS_SECONDS;
    if (!lasts || !(job->requested < LP_NS_SECONDS))
        return lp_fail(diag, LP_EPARSE, "job %s %s %g s, expected less than %g s", job->id,
                       lasts ? "asks for" : "lasts", lasts ? job->requested : job->duration,
                       LP_NS_SECONDS);
    *row = (Row){.submit_ns = job->submit_ns,
                 .duration = job->duration,
                 .requested = job->requested > 0 ? job->requested : 0,
                 .gpus = job->gpus,
                 .servers = job->servers};
    LP_TRY(lp_text_store_add(&rows->texts, job->id, &row->id, diag));
    LP_TRY(lp_text_store_once(&rows->texts, job->user, &row->user, diag));
    LP_TRY(lp_text_store_once(&rows->texts, job->group, &row->group, diag));
    LP_TRY(lp_text_store_once(&rows->texts, job->state, &row->state, diag));
    return add_rare(rows, job, &row->rare, diag);
}

static LpErr add_row(LpJobRows *rows, const Row *row, LpDiag *diag) {
    if (rows->count >= UINT32_MAX - 1)
        return lp_fail(diag, LP_ELIMIT, "the trace has more than %u jobs", UINT32_MAX - 1);
    if (rows->count >> BLOCK_BITS == rows->blocks) {
        if (lp_grow((void **)&rows->block, &rows->block_cap, rows->blocks + 1,
                    sizeof *rows->block) != LP_OK)
            return lp_fail_memory(diag, "a trace of jobs");
        rows->block[rows->blocks] = lp_alloc(BLOCK_ROWS, sizeof **rows->block);
        if (rows->block[rows->blocks] == NULL)
            return lp_fail_memory(diag, "a trace of jobs");
        rows->blocks++;
    }
    *row_at(rows, rows->count++) = *row;
    return LP_OK;
}

LpErr lp_rows_take(LpJobRows *rows, const LpTraceJob *job, LpDiag *diag) {
    Row row;
    LP_TRY(make_row(rows, job, &row, diag));
    return add_row(rows, &row, diag);
}

static size_t find_slot(const LpJobRows *rows, const char *id) {
    size_t at = lp_hash_text(LP_HASH_INIT, id) & (rows->slots - 1);
    for (; rows->slot[at] != 0; at = (at + 1) & (rows->slots - 1)) {
        const char *has = lp_text_store_get(&rows->texts, row_at(rows, rows->slot[at] - 1)->id);
        if (strcmp(has != NULL ? has : "", id) == 0)
            break;
    }
    return at;
}

/* Empty slots for twice as many jobs as there are. */
static LpErr empty_slots(LpJobRows *rows, LpDiag *diag) {
    size_t slots = 1024;
    while (slots < 2 * (rows->count + 1))
        slots *= 2;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return lp_fail_memory(diag, "a trace of jobs");
    lp_free(rows->slot);
    rows->slot = slot;
    rows->slots = slots;
    return LP_OK;
}

static LpErr more_slots(LpJobRows *rows, LpDiag *diag) {
    LP_TRY(empty_slots(rows, diag));
    for (uint64_t i = 0; i < rows->count; i++) {
        const char *id = lp_text_store_get(&rows->texts, row_at(rows, i)->id);
        rows->slot[find_slot(rows, id != NULL ? id : "")] = (uint32_t)i + 1;
    }
    return LP_OK;
}

LpErr lp_rows_take_last(LpJobRows *rows, const LpTraceJob *job, LpDiag *diag) {
    Row row;
    if (2 * (rows->count + 1) > rows->slots)
        LP_TRY(more_slots(rows, diag));
    size_t at = find_slot(rows, job->id);
    LP_TRY(make_row(rows, job, &row, diag));
    if (rows->slot[at] != 0) {
        *row_at(rows, rows->slot[at] - 1) = row;
        lp_rows_leave(rows, LP_LEFT_REQUEUED);
        return LP_OK;
    }
    LP_TRY(add_row(rows, &row, diag));
    rows->slot[at] = (uint32_t)rows->count;
    return LP_OK;
}

void lp_rows_leave(LpJobRows *rows, LpLeft why) {
    rows->left[why]++;
}

LpErr lp_rows_bad(LpJobRows *rows, bool lenient, const LpDiag *diag) {
    if (!lenient)
        return diag->code;
    if (rows->bads < MOST_BAD)
        rows->bad[rows->bads++] = *diag;
    lp_rows_leave(rows, LP_LEFT_BAD_ROW);
    return LP_OK;
}

/* ---- what else is told ---- */

void lp_rows_note(LpJobRows *rows, const char *word, uint64_t count) {
    size_t at = 0; /* by word */
    while (at < rows->notes && strcmp(rows->note[at].word, word) < 0)
        at++;
    if (at < rows->notes && strcmp(rows->note[at].word, word) == 0) {
        rows->note[at].count += count;
        return;
    }
    if (rows->notes == MOST_NOTES || count == 0)
        return;
    memmove(rows->note + at + 1, rows->note + at, (rows->notes - at) * sizeof *rows->note);
    rows->note[at] = (LpRowsNote){word, count};
    rows->notes++;
}

LpErr lp_rows_figure(LpJobRows *rows, const char *key, double value, LpDiag *diag) {
    if (rows->figures == MOST_FIGURES)
        return lp_fail(diag, LP_ELIMIT, "a format has more than %d figures", MOST_FIGURES);
    rows->figure[rows->figures++] = (LpRowsFigure){key, value};
    return LP_OK;
}

LpErr lp_rows_header(LpJobRows *rows, const char *key, const char *value, LpDiag *diag) {
    if (lp_rows_header_value(rows, key) != NULL)
        return LP_OK;
    if (lp_grow((void **)&rows->header, &rows->header_cap, rows->headers + 1,
                sizeof *rows->header) != LP_OK)
        return lp_fail_memory(diag, "the header of a trace");
    LpRowsHeader header = {key, lp_arena_strdup(rows->arena, value)};
    if (header.value == NULL)
        return lp_fail_memory(diag, "the header of a trace");
    rows->header[rows->headers++] = header;
    return LP_OK;
}

const char *lp_rows_header_value(const LpJobRows *rows, const char *key) {
    for (size_t i = 0; i < rows->headers; i++)
        if (strcmp(rows->header[i].key, key) == 0)
            return rows->header[i].value;
    return NULL;
}

void lp_rows_assume(LpJobRows *rows, const char *sentence) {
    for (size_t i = 0; i < rows->assumptions; i++)
        if (strcmp(rows->assumed[i], sentence) == 0)
            return;
    if (rows->assumptions < MOST_ASSUMED)
        rows->assumed[rows->assumptions++] = sentence;
}

void lp_rows_dated(LpJobRows *rows) {
    rows->dated = true;
}

/* ---- what is made of them ---- */

/* A row among those that are ordered. */
typedef struct Place {
    int64_t submit_ns;
    uint32_t row;
} Place;

static int by_submission(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->submit_ns != y->submit_ns)
        return x->submit_ns < y->submit_ns ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static LpErr put_in_order(LpJobRows *rows, LpDiag *diag) {
    bool sorted = true;
    rows->order = lp_alloc(rows->count, sizeof *rows->order);
    if (rows->order == NULL)
        return lp_fail_memory(diag, "a trace of jobs");
    for (uint64_t i = 0; i < rows->count; i++) {
        rows->order[i] = (uint32_t)i;
        sorted = sorted && (i == 0 || row_at(rows, i - 1)->submit_ns <= row_at(rows, i)->submit_ns);
    }
    rows->taken = rows->count;
    if (sorted)
        return LP_OK;
    Place *place = lp_alloc(rows->count, sizeof *place);
    if (place == NULL)
        return lp_fail_memory(diag, "a trace of jobs");
    for (uint64_t i = 0; i < rows->count; i++)
        place[i] = (Place){row_at(rows, i)->submit_ns, (uint32_t)i};
    qsort(place, rows->count, sizeof *place, by_submission);
    for (uint64_t i = 0; i < rows->count; i++)
        rows->order[i] = place[i].row;
    lp_free(place);
    return LP_OK;
}

/* What the options say of each job; a job stays where it answers LP_LEFT_COUNT. */
typedef struct Choice {
    const LpJobRows *rows;
    const LpImportOptions *options;
    int64_t first_ns; /* of all jobs */
    double share;     /* of the jobs that are to stay in a sample */
} Choice;

static LpLeft outside(const Choice *c, Row *row) {
    double since = (double)(row->submit_ns - c->first_ns) / 1e9;
    bool in = since >= c->options->from && (c->options->to <= 0 || since < c->options->to);
    return in ? LP_LEFT_COUNT : LP_LEFT_OUTSIDE_WINDOW;
}

static LpLeft not_sampled(const Choice *c, Row *row) {
    uint64_t hash = lp_hash_text(lp_hash_u64(LP_HASH_INIT, c->options->seed),
                                 lp_text_store_get(&c->rows->texts, row->id));
    return (double)(hash >> 11) * 0x1p-53 < c->share ? LP_LEFT_COUNT : LP_LEFT_NOT_SAMPLED;
}

static LpLeft too_large(const Choice *c, Row *row) {
    if (c->options->servers == 0 || row->servers <= c->options->servers)
        return LP_LEFT_COUNT;
    if (c->options->fit != LP_FIT_CAP)
        return LP_LEFT_TOO_LARGE;
    row->servers = c->options->servers;
    return LP_LEFT_COUNT;
}

static LpLeft too_large_for_level(const Choice *c, Row *row) {
    bool fits = c->options->level_servers == 0 || row->servers <= c->options->level_servers;
    return fits ? LP_LEFT_COUNT : LP_LEFT_TOO_LARGE_LEVEL;
}

static LpLeft not_kept(const Choice *c, Row *row) {
    const char *state = lp_text_store_get(&c->rows->texts, row->state);
    size_t len = state != NULL ? strlen(state) : 0;
    for (const char *at = c->options->keep; at != NULL;) {
        const char *end = strchr(at, ',');
        size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
        if (n == len && (n == 0 || memcmp(at, state, n) == 0))
            return LP_LEFT_COUNT;
        at = end != NULL ? end + 1 : NULL;
    }
    return LP_LEFT_STATE;
}

static void choose(LpJobRows *rows, const Choice *choice, LpLeft (*why)(const Choice *, Row *)) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < rows->taken; i++) {
        LpLeft left = why(choice, row_at(rows, rows->order[i]));
        if (left == LP_LEFT_COUNT)
            rows->order[kept++] = rows->order[i];
        else
            rows->left[left]++;
    }
    rows->taken = kept;
}

static LpErr check(const LpJobRows *rows, const LpImportOptions *options, LpDiag *diag) {
    char shown[64];
    for (uint64_t i = 0; i < rows->count && options->fit == LP_FIT_ERROR && options->servers > 0;
         i++) {
        const Row *row = row_at(rows, i);
        if (row->servers > options->servers)
            return lp_fail(
                diag, LP_EREFUSED, "job %s needs %u servers, but the cluster has %u (--fit error)",
                lp_str_show(shown, sizeof shown, lp_text_store_get(&rows->texts, row->id)),
                row->servers, options->servers);
    }
    return LP_OK;
}

/* Two jobs of one id would be one: the id stays with the first of them. */
static LpErr check_ids(LpJobRows *rows, LpDiag *diag) {
    uint64_t twice = 0;
    LP_TRY(empty_slots(rows, diag));
    for (uint64_t i = 0; i < rows->count; i++) {
        Row *row = row_at(rows, i);
        if (row->id == 0)
            continue;
        uint32_t *slot = &rows->slot[find_slot(rows, lp_text_store_get(&rows->texts, row->id))];
        if (*slot == 0)
            *slot = (uint32_t)i + 1;
        else if (*slot != i + 1) {
            row->id = 0;
            twice++;
        }
    }
    lp_rows_note(rows, "ids_that_another_job_has", twice);
    lp_free(rows->slot);
    rows->slot = NULL;
    rows->slots = 0;
    return LP_OK;
}

static uint32_t divide_up(uint32_t value, uint32_t by) {
    return value / by + (value % by > 0);
}

static uint32_t nodes_of(const LpJobRows *rows, const Row *row) {
    return row->rare > 0 ? rows->rare[row->rare - 1].nodes : 0;
}

/* Servers that a job has in each of its hosts, which are `host` servers each; 0: the trace does not
 * say, or they are not as many in each. */
static uint32_t segment_of(const LpJobRows *rows, const Row *row, uint32_t host) {
    uint32_t nodes = nodes_of(rows, row);
    bool even = nodes > 1 && row->servers % nodes == 0 && row->servers / nodes <= host;
    return even ? row->servers / nodes : 0;
}

/* A host of the cluster is `host` servers: a job that does not fit in one has as many in each as
 * the trace says, or whole hosts. */
static void fill_hosts(LpJobRows *rows, uint32_t host) {
    uint64_t whole = 0;
    for (uint64_t i = 0; i < rows->count; i++) {
        Row *row = row_at(rows, i);
        uint64_t filled = (uint64_t)divide_up(row->servers, host) * host;
        if (row->servers <= host || segment_of(rows, row, host) > 0 || filled == row->servers ||
            filled > UINT32_MAX)
            continue;
        row->servers = (uint32_t)filled;
        whole++;
    }
    rows->host = host;
    lp_rows_note(rows, "jobs_get_whole_hosts", whole);
}

/* GPUs of a host that a trace of a site without `--gpus-per-node` is taken to have. */
enum { USUAL_HOST = 8 };

static void count_hosts(LpJobRows *rows) {
    uint64_t part = 0;
    for (uint64_t i = 0; i < rows->count; i++) {
        Row *row = row_at(rows, i);
        uint32_t nodes = nodes_of(rows, row);
        uint32_t hosts = nodes > 0 ? nodes : divide_up(row->servers, USUAL_HOST);
        part += row->gpus < (double)hosts * USUAL_HOST;
        row->servers = hosts;
    }
    lp_rows_note(rows, "parts_of_hosts_hold_whole_ones", part);
}

/* GPUs of a trace as servers of the cluster. */
static void regroup(LpJobRows *rows, const LpImportOptions *options) {
    uint32_t units = options->servers_per_unit;
    for (uint64_t i = 0; i < rows->count && units > 1; i++)
        row_at(rows, i)->servers = divide_up(row_at(rows, i)->servers, units);
    if (options->gpus_per_node > 1)
        fill_hosts(rows, options->gpus_per_node);
    else if (options->hosts)
        count_hosts(rows);
}

LpErr lp_rows_finish(LpJobRows *rows, const LpImportOptions *options, LpDiag *diag) {
    Choice choice = {rows, options, 0, 1};
    regroup(rows, options);
    LP_TRY(check(rows, options, diag));
    LP_TRY(check_ids(rows, diag));
    LP_TRY(put_in_order(rows, diag));
    if (rows->count > 0)
        choice.first_ns = row_at(rows, rows->order[0])->submit_ns;
    uint64_t capped = 0;
    for (uint64_t i = 0; i < rows->count && options->fit == LP_FIT_CAP && options->servers > 0; i++)
        capped += row_at(rows, i)->servers > options->servers;
    lp_rows_note(rows, "capped_to_the_cluster", capped);
    choose(rows, &choice, too_large);
    choose(rows, &choice, too_large_for_level);
    if (options->from > 0 || options->to > 0)
        choose(rows, &choice, outside);
    if (options->sample > 0 && rows->taken > 0) {
        choice.share = (double)options->sample / (double)rows->taken;
        choose(rows, &choice, not_sampled);
    }
    if (options->keep != NULL)
        choose(rows, &choice, not_kept);
    rows->scale = options->scale_time > 0 ? options->scale_time : 1;
    rows->first_ns = rows->taken > 0 ? row_at(rows, rows->order[0])->submit_ns : 0;
    return LP_OK;
}

uint64_t lp_rows_count(const LpJobRows *rows) {
    uint64_t all = rows->order != NULL ? rows->taken : rows->count;
    for (int why = 0; why < LP_LEFT_COUNT; why++)
        all += rows->left[why];
    return all;
}

uint64_t lp_rows_taken(const LpJobRows *rows) {
    return rows->taken;
}

uint64_t lp_rows_left(const LpJobRows *rows, LpLeft why) {
    return rows->left[why];
}

static double arrival_of(const LpJobRows *rows, const Row *row) {
    return (double)(row->submit_ns - rows->first_ns) / 1e9 / rows->scale;
}

void lp_rows_job(const LpJobRows *rows, uint64_t i, LpTraceJob *out, double *arrival) {
    const Row *row = row_at(rows, rows->order[i]);
    const LpTextStore *texts = &rows->texts;
    *out = (LpTraceJob){.id = lp_text_store_get(texts, row->id),
                        .user = lp_text_store_get(texts, row->user),
                        .group = lp_text_store_get(texts, row->group),
                        .state = lp_text_store_get(texts, row->state),
                        .submit_ns = row->submit_ns,
                        .duration = row->duration,
                        .requested = row->requested,
                        .gpus = row->gpus,
                        .servers = row->servers};
    if (row->rare > 0) {
        const Rare *rare = &rows->rare[row->rare - 1];
        out->name = lp_text_store_get(texts, rare->name);
        out->slice = lp_text_store_get(texts, rare->slice);
        out->model = lp_text_store_get(texts, rare->model);
        out->nodes = rare->nodes;
        out->steps = rare->steps;
    }
    out->in_one_host = rows->host > 0 && row->servers <= rows->host;
    out->segment = rows->host > 0 && !out->in_one_host ? segment_of(rows, row, rows->host) : 0;
    if (arrival != NULL)
        *arrival = arrival_of(rows, row);
}

bool lp_rows_epoch(const LpJobRows *rows, double *out) {
    if (!rows->dated || rows->taken == 0)
        return false;
    *out = (double)rows->first_ns / 1e9;
    return true;
}

size_t lp_rows_notes(const LpJobRows *rows, const LpRowsNote **out) {
    *out = rows->note;
    return rows->notes;
}

size_t lp_rows_figures(const LpJobRows *rows, const LpRowsFigure **out) {
    *out = rows->figure;
    return rows->figures;
}

size_t lp_rows_headers(const LpJobRows *rows, const LpRowsHeader **out) {
    *out = rows->header;
    return rows->headers;
}

size_t lp_rows_assumed(const LpJobRows *rows, const char *const **out) {
    *out = rows->assumed;
    return rows->assumptions;
}

size_t lp_rows_bad_rows(const LpJobRows *rows, const LpDiag **out) {
    *out = rows->bad;
    return rows->bads;
}

LpRowsSums lp_rows_sums(const LpJobRows *rows) {
    LpRowsSums sums = {0};
    LpSum gpu = {0}, server = {0}; /* a million terms, printed to a millionth of an hour */
    for (uint64_t i = 0; i < rows->taken; i++) {
        const Row *row = row_at(rows, rows->order[i]);
        lp_sum_add(&gpu, row->gpus * row->duration);
        lp_sum_add(&server, row->servers * row->duration);
        if (row->servers > sums.largest)
            sums.largest = row->servers;
    }
    sums.gpu_hours = lp_sum_since(gpu, (LpSum){0}) / 3600;
    sums.server_hours = lp_sum_since(server, (LpSum){0}) / 3600;
    if (rows->taken > 0)
        sums.over = arrival_of(rows, row_at(rows, rows->order[rows->taken - 1]));
    return sums;
}
