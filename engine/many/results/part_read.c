/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading parts and joining them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "io/files/file.h"
#include "io/files/lines.h"
#include "io/json/json.h"
#include "many/results/part_impl.h"

enum { LISTED = 10 };

static const uint64_t PART_MOST = (uint64_t)1 << 32;

typedef struct Reader {
    LpPart *part;
    uint32_t parts;
    LpMergeMode mode;
    LpMerged *out;
    const LpPart *first; /* whose head all others are compared with */
    uint32_t *part_of;   /* per shard: part + 1, 0: none yet */
    LpDiag *diag;
} Reader;

/* One line of a part. */
typedef struct Line {
    const LpPart *part;
    int number;
    bool cut; /* it has no end */
    LpJson *doc;
    LpJsonValue root;
} Line;

static const char *const CUT =
    "the last line is missing: the run was interrupted, or the file cut off";

static LpErr fail_line(const Reader *r, const Line *line, const char *what) {
    return lp_fail_at(r->diag, LP_EPARSE, line->part->name, line->number, 1,
                      "%s; this part is damaged, go on with it (--resume) or run its shard again",
                      what);
}

/* What could not be read of a line: there was no memory, or it is not what was written. */
static LpErr fail_read(const Reader *r, const Line *line, LpErr err, const char *what) {
    return err == LP_ENOMEM ? lp_fail_memory(r->diag, "a part") : fail_line(r, line, what);
}

static bool check_is_right(const char *text, size_t len) {
    char tail[LP_PART_TAIL + 1], hex[LP_HASH_HEX];
    if (len < LP_PART_TAIL)
        return false;
    uint64_t check = lp_hash_bytes(LP_HASH_INIT, text, len - LP_PART_TAIL);
    snprintf(tail, sizeof tail, "%s%s\"}", LP_PART_CHECK, lp_hash_hex(check, hex));
    return memcmp(text + len - LP_PART_TAIL, tail, LP_PART_TAIL) == 0;
}

static LpErr parse_line(const Reader *r, Line *line, const char *text, size_t len) {
    LpDiag own = {0};
    if (line->cut)
        return fail_line(r, line, CUT);
    if (!check_is_right(text, len))
        return fail_line(r, line, "the line is not the one that was written");
    if (r->mode == LP_MERGE_THERE && lp_text_check(line->part->name, text, len, &own) != LP_OK)
        return fail_line(r, line, own.text);
    LpErr err = lp_json_parse(line->part->name, text, len, &line->doc, &own);
    if (err == LP_ENOMEM)
        return lp_fail_memory(r->diag, "a part");
    if (err != LP_OK)
        return fail_line(r, line, own.text);
    line->root = lp_json_root(line->doc);
    return LP_OK;
}

/* ---- values ---- */

/* What takes no memory says whether it is there; what does, LP_EPARSE or LP_ENOMEM. */

static bool read_hash(LpJsonValue value, uint64_t *out) {
    const char *text = lp_json_text(value);
    uint64_t hash = 0;
    if (text == NULL || strlen(text) != LP_HASH_HEX - 1)
        return false;
    for (; *text != '\0'; text++) {
        static const char digits[] = "0123456789abcdef";
        const char *at = strchr(digits, *text);
        if (at == NULL)
            return false;
        hash = hash << 4 | (uint64_t)(at - digits);
    }
    *out = hash;
    return true;
}

static bool read_u64(LpJsonValue value, uint64_t most, uint64_t *out) {
    return lp_json_kind(value) == LP_JSON_NUMBER && lp_json_u64(value, 0, most, out, NULL) == LP_OK;
}

static bool read_u32(LpJsonValue value, uint32_t *out) {
    uint64_t wide;
    if (!read_u64(value, UINT32_MAX, &wide))
        return false;
    *out = (uint32_t)wide;
    return true;
}

/* null is NAN. */
static bool read_double(LpJsonValue value, double *out) {
    if (lp_json_kind(value) == LP_JSON_NULL) {
        *out = (double)NAN;
        return true;
    }
    *out = lp_json_number(value);
    return lp_json_kind(value) == LP_JSON_NUMBER;
}

static LpErr read_text(Reader *r, LpJsonValue value, const char **out) {
    const char *text = lp_json_text(value);
    if (text == NULL)
        return LP_EPARSE;
    *out = lp_arena_strdup(r->out->arena, text);
    return *out != NULL ? LP_OK : LP_ENOMEM;
}

static LpErr read_texts(Reader *r, LpJsonValue list, const char ***out, uint32_t *count) {
    uint32_t i = 0;
    if (lp_json_kind(list) != LP_JSON_LIST)
        return LP_EPARSE;
    *count = (uint32_t)lp_json_count(list);
    *out = lp_arena_alloc(r->out->arena, (size_t)*count + 1, sizeof **out);
    if (*out == NULL)
        return LP_ENOMEM;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_text(r, v, &(*out)[i++]));
    return LP_OK;
}

/* ---- heads ---- */

/* The values of one variant, as many as there are axes. */
static LpErr read_values(Reader *r, LpJsonValue list, const char **value) {
    const char **own;
    uint32_t axes;
    LP_TRY(read_texts(r, list, &own, &axes));
    if (axes != r->out->head.axes)
        return LP_EPARSE;
    for (uint32_t a = 0; a < axes; a++)
        value[a] = own[a];
    return LP_OK;
}

static LpErr read_variants(Reader *r, LpJsonValue list) {
    LpMerged *m = r->out;
    LpBatch *b = &m->batch;
    uint32_t i = 0;
    b->variants = (uint32_t)lp_json_count(list);
    if (b->variants == 0 || b->variants % m->head.policies != 0)
        return LP_EPARSE;
    LpVariant *variant = lp_arena_alloc(m->arena, b->variants, sizeof *variant);
    const char **value =
        lp_arena_alloc(m->arena, (size_t)b->variants * m->head.axes + 1, sizeof *value);
    if (variant == NULL || value == NULL)
        return LP_ENOMEM;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v), i++) {
        LP_TRY(read_values(r, v, &value[(size_t)i * m->head.axes]));
        variant[i].label = b->variant[i % m->head.policies].label;
    }
    b->variant = variant;
    m->head.value = value;
    return LP_OK;
}

static LpErr read_seeds(Reader *r, LpJsonValue list) {
    LpBatch *b = &r->out->batch;
    uint32_t i = 0;
    b->seeds = (uint32_t)lp_json_count(list);
    if (b->seeds == 0)
        return LP_EPARSE;
    uint64_t *seed = lp_arena_alloc(r->out->arena, b->seeds, sizeof *seed);
    if (seed == NULL)
        return LP_ENOMEM;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        if (!read_u64(v, UINT64_MAX, &seed[i++]))
            return LP_EPARSE;
    b->seed = seed;
    return LP_OK;
}

static LpErr read_provenance(Reader *r, LpJsonValue value) {
    LpBuf text = {0};
    if (lp_json_kind(value) != LP_JSON_OBJECT)
        return LP_EPARSE;
    lp_json_print(value, &text);
    const char *kept = text.failed ? NULL : lp_arena_strdup(r->out->arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    r->out->head.provenance = kept;
    return kept != NULL ? LP_OK : LP_ENOMEM;
}

/* What is run, from the head of the first part. */
static LpErr read_head(Reader *r, LpJsonValue root) {
    LpCompareHead *h = &r->out->head;
    const char **axis, **unit;
    uint32_t units;
    LP_TRY(read_texts(r, lp_json_member(root, "vary"), &axis, &h->axes));
    LP_TRY(read_texts(r, lp_json_member(root, "units"), &unit, &units));
    if (units != h->axes)
        return LP_EPARSE;
    h->axis = axis;
    h->unit = unit;
    LP_TRY(read_text(r, lp_json_member(root, "work"), &h->work));
    LP_TRY(read_text(r, lp_json_member(root, "scenario"), &h->scenario));
    LP_TRY(read_provenance(r, lp_json_member(root, "provenance")));
    LP_TRY(read_seeds(r, lp_json_member(root, "seeds")));
    LpJsonValue list = lp_json_member(root, "policies");
    LpMerged *m = r->out;
    const char **name;
    LP_TRY(read_texts(r, list, &name, &m->head.policies));
    if (m->head.policies == 0)
        return LP_EPARSE;
    LpVariant *policy = lp_arena_alloc(m->arena, m->head.policies, sizeof *policy);
    if (policy == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < m->head.policies; i++)
        policy[i].label = name[i];
    m->batch.variant = policy;
    return read_variants(r, lp_json_member(root, "variants"));
}

/* Which policy, by its name, where the lists of their hashes differ. */
static const char *policy_that_differs(LpJsonValue a, LpJsonValue b) {
    LpJsonValue x = lp_json_first(lp_json_member(a, "policy_hash"));
    LpJsonValue y = lp_json_first(lp_json_member(b, "policy_hash"));
    LpJsonValue name = lp_json_first(lp_json_member(a, "policies"));
    for (; x.item != NULL && y.item != NULL && name.item != NULL;
         x = lp_json_next(x), y = lp_json_next(y), name = lp_json_next(name))
        if (lp_json_text(x) == NULL || lp_json_text(y) == NULL ||
            strcmp(lp_json_text(x), lp_json_text(y)) != 0)
            return lp_json_text(name);
    return NULL;
}

static LpErr compare_values(LpJsonValue a, LpJsonValue b, const char *key, bool *same) {
    LpBuf x = {0}, y = {0};
    lp_json_print(lp_json_member(a, key), &x);
    lp_json_print(lp_json_member(b, key), &y);
    bool whole = !x.failed && !y.failed;
    *same = whole && strcmp(lp_buf_text(&x), lp_buf_text(&y)) == 0;
    lp_buf_fini(&x);
    lp_buf_fini(&y);
    return whole ? LP_OK : LP_ENOMEM;
}

/* The file that a list of inputs has with other contents, or that only one of two has; NULL: none.
 */
static const char *input_that_differs(LpJsonValue a, LpJsonValue b) {
    LpJsonValue x = lp_json_first(lp_json_member(lp_json_member(a, "provenance"), "inputs"));
    LpJsonValue y = lp_json_first(lp_json_member(lp_json_member(b, "provenance"), "inputs"));
    for (; x.item != NULL && y.item != NULL; x = lp_json_next(x), y = lp_json_next(y)) {
        const char *file = lp_json_text(lp_json_member(x, "file"));
        const char *other = lp_json_text(lp_json_member(y, "file"));
        const char *sum = lp_json_text(lp_json_member(x, "sha256"));
        const char *sum_of_other = lp_json_text(lp_json_member(y, "sha256"));
        if (file == NULL || other == NULL || sum == NULL || sum_of_other == NULL)
            return NULL;
        if (strcmp(file, other) != 0 || strcmp(sum, sum_of_other) != 0)
            return file;
    }
    return NULL;
}

/* The first thing that two heads disagree on, appended; nothing: they agree. */
static LpErr find_difference(LpJsonValue a, LpJsonValue b, LpBuf *out) {
    static const struct {
        const char *key, *text;
    } keys[] = {
#define X(key, text) {key, text},
        LP_PART_KEYS(X)
#undef X
    };
    bool same = true;
    size_t i = 0;
    for (; same && i < LP_COUNTOF(keys); i++)
        LP_TRY(compare_values(a, b, keys[i].key, &same));
    if (same)
        return LP_OK;
    const char *key = keys[i - 1].key, *policy = policy_that_differs(a, b);
    bool contents = strcmp(key, "policy_hash") == 0 || strcmp(key, "inputs") == 0;
    if (strcmp(key, "policy_hash") == 0 && policy != NULL)
        lp_buf_addf(out, "the policy %s, or a file that it requires, had other contents", policy);
    else
        lp_buf_add(out, keys[i - 1].text);
    const char *file = contents ? input_that_differs(a, b) : NULL;
    if (file != NULL)
        lp_buf_addf(out, " (%s)", file);
    return lp_buf_ok(out, NULL);
}

LpErr lp_part_difference(const char *one, const char *other, LpBuf *out) {
    LpJson *a = NULL, *b = NULL;
    LpErr err = lp_json_parse("a part", one, strlen(one), &a, NULL);
    if (err == LP_OK)
        err = lp_json_parse("a part", other, strlen(other), &b, NULL);
    if (err == LP_OK)
        err = find_difference(lp_json_root(a), lp_json_root(b), out);
    lp_json_free(a);
    lp_json_free(b);
    return err;
}

static LpErr check_same(Reader *r, const Line *line) {
    Line first = {.part = r->first, .number = 1};
    LpBuf what = {0};
    if (line->part == first.part)
        return LP_OK;
    LP_TRY(parse_line(r, &first, r->first->text, strlen(r->first->text)));
    LpErr err = find_difference(first.root, line->root, &what);
    lp_json_free(first.doc);
    if (err != LP_OK)
        err = lp_fail_memory(r->diag, "the heads of two parts");
    else if (what.len > 0)
        err = lp_fail(r->diag, LP_EINVAL, "%s and %s are no parts of one work: %s", r->first->name,
                      line->part->name, lp_buf_text(&what));
    lp_buf_fini(&what);
    return err;
}

/* The place of a part among the shards. */
static LpErr take_shard(Reader *r, const Line *line, uint32_t *shard) {
    LpJsonValue list = lp_json_member(line->root, "shard");
    LpJsonValue at = lp_json_first(list);
    uint32_t of;
    if (!read_u32(at, shard) || !read_u32(lp_json_next(at), &of) || *shard < 1 || *shard > of ||
        of > LP_SHARDS_MAX)
        return fail_line(r, line, "\"shard\" is no share such as [3,10]");
    LpMerged *m = r->out;
    if (m->shards == 0) {
        LpBatch *b = &m->batch;
        m->shards = of;
        b->run = lp_alloc((size_t)b->variants * b->seeds, sizeof *b->run);
        m->share = lp_arena_alloc(m->arena, of, sizeof *m->share);
        r->part_of = lp_arena_alloc(m->arena, of, sizeof *r->part_of);
        if (b->run == NULL || m->share == NULL || r->part_of == NULL)
            return lp_fail_memory(r->diag, "the parts");
    }
    if (of != m->shards)
        return lp_fail(r->diag, LP_EINVAL,
                       "%s is one of %" PRIu32 " shards, %s one of %" PRIu32
                       ": expected parts of one work",
                       r->first->name, m->shards, line->part->name, of);
    uint32_t *part_of = &r->part_of[--*shard];
    if (*part_of != 0)
        return lp_fail(r->diag, LP_EINVAL, "%s and %s are both shard %" PRIu32 "/%" PRIu32,
                       r->part[*part_of - 1].name, line->part->name, *shard + 1, of);
    *part_of = (uint32_t)(line->part - r->part) + 1;
    m->share[*shard].there = true;
    return LP_OK;
}

static LpErr take_head(Reader *r, Line *line, uint32_t *shard) {
    uint64_t format;
    if (!read_u64(lp_json_member(line->root, "lightpath_part"), UINT32_MAX, &format))
        return fail_line(r, line, "the first line is no head of a part");
    if (format != LP_PART_FORMAT)
        return lp_fail_at(r->diag, LP_EPARSE, line->part->name, line->number, 1,
                          "a part of format %" PRIu64 ", expected %d", format, (int)LP_PART_FORMAT);
    bool first = r->first == NULL;
    LpErr err = first ? read_head(r, line->root) : LP_OK;
    r->first = first ? line->part : r->first;
    if (err != LP_OK)
        return fail_read(r, line, err, "the head of the part is incomplete");
    LP_TRY(check_same(r, line));
    return take_shard(r, line, shard);
}

/* ---- runs ---- */

static bool read_choice(LpJsonValue list, LpChoice *out) {
    uint32_t outcome, cause;
    LpJsonValue v = lp_json_first(list);
    if (!read_u32(v, &outcome) || outcome >= LP_JOB_OUTCOMES ||
        !read_u32(v = lp_json_next(v), &cause) || cause >= LP_CAUSE_COUNT)
        return false;
    out->outcome = (uint8_t)outcome;
    out->cause = (uint8_t)cause;
    return read_u32(v = lp_json_next(v), &out->degree) &&
           read_double(v = lp_json_next(v), &out->arrival) &&
           read_double(v = lp_json_next(v), &out->start) && read_hash(lp_json_next(v), &out->plan);
}

static bool read_counts(LpJsonValue root, LpRun *run) {
    uint64_t *const count[] = {
#define X(field) &run->field,
        LP_PART_COUNTS(X)
#undef X
    };
    LpJsonValue v = lp_json_first(lp_json_member(root, "counts"));
    for (size_t i = 0; i < LP_COUNTOF(count); i++, v = lp_json_next(v))
        if (!read_u64(v, UINT64_MAX, count[i]))
            return false;
    v = lp_json_first(lp_json_member(root, "causes"));
    for (int i = 0; i < LP_CAUSE_COUNT; i++, v = lp_json_next(v))
        if (!read_u64(v, UINT64_MAX, &run->summary.blocked_by[i]))
            return false;
    double *const number[] = {
#define X(field) &run->summary.field,
        LP_PART_NUMBERS(X)
#undef X
    };
    v = lp_json_first(lp_json_member(root, "numbers"));
    for (size_t i = 0; i < LP_COUNTOF(number); i++, v = lp_json_next(v))
        if (!read_double(v, number[i]))
            return false;
    run->places = lp_json_bool(lp_json_member(root, "places"));
    v = lp_json_first(lp_json_member(root, "metrics"));
    for (int m = 0; m < LP_BATCH_METRICS; m++, v = lp_json_next(v)) {
        double value = (double)NAN;
        bool left_out = m >= LP_PART_METRICS && v.item == NULL;
        if (!left_out && !read_double(v, &value))
            return false;
        lp_metric_set(&run->summary, lp_batch_metric[m], value);
    }
    return true;
}

/* No text is none. */
static LpErr keep_text(const char *text, char **out) {
    if (text == NULL || text[0] == '\0')
        return LP_OK;
    *out = lp_alloc(strlen(text) + 1, 1);
    if (*out == NULL)
        return LP_ENOMEM;
    memcpy(*out, text, strlen(text));
    return LP_OK;
}

static LpErr read_done(LpJsonValue root, LpRun *run) {
    const char *policy = lp_json_text(lp_json_member(root, "policy"));
    if (policy == NULL || !read_counts(root, run) ||
        !read_hash(lp_json_member(root, "hash"), &run->hash))
        return LP_EPARSE;
    lp_str_copy(run->policy, sizeof run->policy, policy);
    run->began = run->done = true;
    LP_TRY(keep_text(lp_json_text(lp_json_member(root, "outside_training")), &run->outside));
    LpJsonValue list = lp_json_member(root, "jobs");
    size_t count = lp_json_count(list);
    uint32_t i = 0;
    if (lp_json_kind(list) != LP_JSON_LIST || count > UINT32_MAX)
        return LP_EPARSE;
    run->choice = lp_alloc(count, sizeof *run->choice);
    if (run->choice == NULL)
        return LP_ENOMEM;
    run->jobs = (uint32_t)count;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        if (!read_choice(v, &run->choice[i++]))
            return LP_EPARSE;
    return LP_OK;
}

static LpErr read_run(LpJsonValue root, LpRun *run) {
    const char *cause = lp_json_text(lp_json_member(root, "cause"));
    uint32_t error;
    if (cause == NULL || !read_u32(lp_json_member(root, "error"), &error) || error > LP_EREFUSED)
        return LP_EPARSE;
    run->err = (LpErr)error;
    LP_TRY(keep_text(cause, &run->cause));
    return run->err != LP_OK ? LP_OK : read_done(root, run);
}

/* A run that cannot be read leaves nothing behind. */
static LpErr fill_run(Reader *r, const Line *line, LpRun *run) {
    LpErr err = read_run(line->root, run);
    if (err == LP_OK)
        return LP_OK;
    lp_free(run->choice);
    lp_free(run->cause);
    lp_free(run->outside);
    *run = (LpRun){0};
    return fail_read(r, line, err, "the run is incomplete");
}

static LpErr take_run(Reader *r, const Line *line, uint32_t shard) {
    LpBatch *b = &r->out->batch;
    uint32_t variant, seed;
    LpJsonValue v = lp_json_first(lp_json_member(line->root, "run"));
    if (!read_u32(v, &variant) || !read_u32(lp_json_next(v), &seed) || variant >= b->variants ||
        seed >= b->seeds)
        return fail_line(r, line, "\"run\" names no run of this work");
    LpRun *run = &b->run[(size_t)variant * b->seeds + seed];
    if (lp_batch_share(b->variants, variant, seed, r->out->shards) != shard)
        return fail_line(r, line, "this run is not the shard's");
    if (run->done || run->err != LP_OK)
        return fail_line(r, line, "this run is there twice");
    return fill_run(r, line, run);
}

/* ---- parts ---- */

/* *ended: this is the last line of a part that has all of its own. */
static LpErr take_line(Reader *r, Line *line, const char *text, size_t len, uint32_t *shard,
                       bool *ended) {
    LP_TRY(parse_line(r, line, text, len));
    if (r->first == NULL && (r->out->line = lp_arena_strdup(r->out->arena, text)) == NULL)
        return lp_json_free(line->doc), lp_fail_memory(r->diag, "a part");
    *ended = lp_json_member(line->root, "end").item != NULL;
    LpErr err = line->number == 1 ? take_head(r, line, shard)
                : *ended          ? LP_OK
                                  : take_run(r, line, *shard);
    lp_json_free(line->doc);
    return err;
}

/* Lines of a part that is read as far as it goes may be damaged, but for the head. */
static bool may_go_on(const Reader *r, const Line *line, LpErr err) {
    return r->mode == LP_MERGE_THERE && line->number > 1 && err == LP_EPARSE;
}

static LpErr take_lines(Reader *r, LpPart *part, Line *line, uint32_t *shard, bool *ended) {
    *ended = false;
    for (size_t at = 0; at < part->len;) {
        char *text = part->text + at;
        const char *end = memchr(text, '\n', part->len - at);
        size_t len = end != NULL ? (size_t)(end - text) : part->len - at;
        bool behind_end = *ended;
        line->cut = end == NULL;
        line->number++;
        text[len] = '\0';
        LpErr err = take_line(r, line, text, len, shard, ended);
        if (err != LP_OK && !may_go_on(r, line, err))
            return err;
        if (err == LP_OK && behind_end)
            return fail_line(r, line, "there are lines behind the last one");
        r->out->damaged += err != LP_OK;
        at += len + 1;
    }
    return LP_OK;
}

/* How many runs of a share are missing. */
static uint32_t count_missing(const Reader *r, uint32_t shard) {
    const LpBatch *b = &r->out->batch;
    uint32_t missing = 0;
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++) {
            const LpRun *run = lp_batch_at(b, v, s);
            missing += lp_batch_share(b->variants, v, s, r->out->shards) == shard && !run->done &&
                       run->err == LP_OK;
        }
    return missing;
}

static LpErr take_part(Reader *r, LpPart *part) {
    Line line = {.part = part};
    uint32_t shard = 0;
    bool ended;
    if (r->mode == LP_MERGE_WHOLE)
        LP_TRY(lp_text_check(part->name, part->text, part->len, r->diag));
    LP_TRY(take_lines(r, part, &line, &shard, &ended));
    if (line.number == 0 && r->mode == LP_MERGE_THERE) {
        r->out->ended = false;
        return LP_OK;
    }
    if (line.number == 0)
        return fail_line(r, &(Line){.part = part, .number = 1},
                         "the head is missing: nothing was written, or the file was emptied");
    r->out->ended &= ended;
    if (r->mode == LP_MERGE_THERE)
        return LP_OK;
    if (!ended)
        return fail_line(r, &line, CUT);
    return count_missing(r, shard) == 0 ? LP_OK
                                        : fail_line(r, &line, "a run of the shard is missing");
}

static LpErr check_shards(const Reader *r) {
    LpBuf missing = {0};
    const LpMerged *m = r->out;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->shards; i++)
        if (!m->share[i].there && count++ < LISTED)
            lp_buf_addf(&missing, "%s%" PRIu32, count > 1 ? ", " : "", i + 1);
    LpErr err =
        count == 0
            ? LP_OK
            : lp_fail(r->diag, LP_EINVAL, "of %" PRIu32 " shards %" PRIu32 " are missing: %s%s",
                      m->shards, count, lp_buf_text(&missing), count > LISTED ? " ..." : "");
    lp_buf_fini(&missing);
    return err;
}

/* O(shares x runs) would be too much: one pass over the runs. */
static void count_all_missing(Reader *r) {
    LpMerged *m = r->out;
    LpBatch *b = &m->batch;
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (run->done || run->err != LP_OK)
                continue;
            m->share[lp_batch_share(b->variants, v, s, m->shards)].missing++;
            b->stopped = true;
        }
}

LpErr lp_part_read(const char *name, LpPart *out, LpDiag *diag) {
    LpPart part = {.name = name};
    LpLineFile *file;
    LP_TRY(lp_lines_open(name, PART_MOST, &file, diag));
    LpErr err = lp_lines_rest(file, false, &part.text, &part.len, diag);
    lp_lines_close(file);
    if (err == LP_OK)
        *out = part;
    return err;
}

void lp_part_fini(LpPart *part) {
    lp_free(part->text);
    *part = (LpPart){0};
}

LpErr lp_merge(LpPart *part, uint32_t parts, LpMergeMode mode, LpMerged *out, LpDiag *diag) {
    LpMerged merged = {.arena = lp_arena_new(0), .ended = true};
    Reader r = {.part = part, .parts = parts, .mode = mode, .out = &merged, .diag = diag};
    LpErr err = merged.arena != NULL ? LP_OK : lp_fail_memory(diag, "the parts");
    for (uint32_t i = 0; err == LP_OK && i < parts; i++)
        err = take_part(&r, &part[i]);
    if (err == LP_OK && r.first == NULL)
        err = lp_fail_at(diag, LP_EPARSE, part[0].name, 1, 1, "nothing is in any of these parts");
    if (err == LP_OK && mode == LP_MERGE_WHOLE)
        err = check_shards(&r);
    if (err != LP_OK) {
        lp_merged_fini(&merged);
        return err;
    }
    count_all_missing(&r);
    merged.ended &= merged.damaged == 0;
    *out = merged;
    return LP_OK;
}

void lp_merged_fini(LpMerged *merged) {
    lp_batch_fini(&merged->batch);
    lp_arena_free(merged->arena);
    *merged = (LpMerged){0};
}
