/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading parts and joining them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "io/files/file.h"
#include "io/json/json.h"
#include "many/study/shard_impl.h"

enum { LINE_ROOM = 512, LISTED = 10 };

static const size_t PART_MOST = (size_t)1 << 32;

typedef struct Reader {
    LpPart *part;
    uint32_t parts;
    LpMerged *out;
    uint32_t shards;
    uint32_t *part_of; /* per shard: part + 1, 0: none yet */
    LpDiag *diag;
} Reader;

/* One line of a part. */
typedef struct Line {
    const LpPart *part;
    int number;
    LpJson *doc;
    LpJsonValue root;
} Line;

static LpErr fail_line(const Reader *r, const Line *line, const char *what) {
    return lp_fail_at(r->diag, LP_EPARSE, line->part->name, line->number, 1,
                      "%s; this part is damaged, run its shard again", what);
}

/* What could not be read of a line: there was no memory, or it is not what was written. */
static LpErr fail_read(const Reader *r, const Line *line, LpErr err, const char *what) {
    return err == LP_ENOMEM ? lp_fail_memory(r->diag, "a part") : fail_line(r, line, what);
}

static LpErr parse_line(const Reader *r, Line *line, const char *text, size_t len) {
    LpDiag own = {0};
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

/* ---- the end ---- */

/* Cuts the last line off when it is the end that fits what stands before it. */
static LpErr check_end(Reader *r, LpPart *part) {
    Line line = {.part = part, .number = 1};
    size_t at = part->len > 0 ? part->len - 1 : 0;
    for (size_t i = 0; i < at; i++)
        line.number += part->text[i] == '\n';
    uint64_t check = 0, found;
    while (at > 0 && part->text[at - 1] != '\n')
        at--;
    bool ended = part->len > 0 && part->text[part->len - 1] == '\n' &&
                 strncmp(part->text + at, "{\"end\":", 7) == 0;
    if (!ended)
        return fail_line(r, &line,
                         "the last line is missing: the run was interrupted, or the file cut off");
    LP_TRY(parse_line(r, &line, part->text + at, part->len - at));
    bool good = read_hash(lp_json_member(line.root, "check"), &check);
    lp_json_free(line.doc);
    found = lp_hash_bytes(LP_HASH_INIT, part->text, at);
    if (!good || check != found)
        return fail_line(r, &line, "the lines before it are not those that were written");
    part->len = at;
    part->text[at] = '\0';
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

/* The first thing that two heads disagree on; "": nothing. */
static LpErr find_difference(LpJsonValue a, LpJsonValue b, char what[LINE_ROOM]) {
    static const struct {
        const char *key, *text;
    } keys[] = {
#define X(key, text) {key, text},
        LP_PART_KEYS(X)
#undef X
    };
    bool same = true;
    size_t i = 0;
    what[0] = '\0';
    for (; same && i < LP_COUNTOF(keys); i++)
        LP_TRY(compare_values(a, b, keys[i].key, &same));
    if (same)
        return LP_OK;
    const char *policy = policy_that_differs(a, b);
    if (strcmp(keys[i - 1].key, "policy_hash") == 0 && policy != NULL)
        snprintf(what, LINE_ROOM, "the policy %s, or a file that it requires, had other contents",
                 policy);
    else
        lp_str_copy(what, LINE_ROOM, keys[i - 1].text);
    return LP_OK;
}

static LpErr check_same(Reader *r, const Line *line) {
    Line first = {.part = &r->part[0], .number = 1};
    char what[LINE_ROOM];
    if (line->part == first.part)
        return LP_OK;
    LP_TRY(parse_line(r, &first, r->part[0].text, strlen(r->part[0].text)));
    LpErr err = find_difference(first.root, line->root, what);
    lp_json_free(first.doc);
    if (err != LP_OK)
        return lp_fail_memory(r->diag, "the heads of two parts");
    if (what[0] == '\0')
        return LP_OK;
    return lp_fail(r->diag, LP_EINVAL, "%s and %s are no parts of one work: %s", r->part[0].name,
                   line->part->name, what);
}

/* The place of a part among the shards. */
static LpErr take_shard(Reader *r, const Line *line, uint32_t *shard) {
    LpJsonValue list = lp_json_member(line->root, "shard");
    LpJsonValue at = lp_json_first(list);
    uint32_t of;
    if (!read_u32(at, shard) || !read_u32(lp_json_next(at), &of) || *shard < 1 || *shard > of ||
        of > LP_SHARDS_MAX)
        return fail_line(r, line, "\"shard\" is no share such as [3,10]");
    if (r->shards == 0) {
        r->shards = of;
        LpBatch *b = &r->out->batch;
        b->run = lp_alloc((size_t)b->variants * b->seeds, sizeof *b->run);
        r->part_of = lp_arena_alloc(r->out->arena, r->shards, sizeof *r->part_of);
        if (b->run == NULL || r->part_of == NULL)
            return lp_fail_memory(r->diag, "the parts");
    }
    if (of != r->shards)
        return lp_fail(r->diag, LP_EINVAL,
                       "%s is one of %" PRIu32 " shards, %s one of %" PRIu32
                       ": expected parts of one work",
                       r->part[0].name, r->shards, line->part->name, of);
    uint32_t *part_of = &r->part_of[--*shard];
    if (*part_of != 0)
        return lp_fail(r->diag, LP_EINVAL, "%s and %s are both shard %" PRIu32 "/%" PRIu32,
                       r->part[*part_of - 1].name, line->part->name, *shard + 1, of);
    *part_of = (uint32_t)(line->part - r->part) + 1;
    return LP_OK;
}

static LpErr take_head(Reader *r, Line *line, uint32_t *shard) {
    uint64_t format;
    if (!read_u64(lp_json_member(line->root, "lightpath_part"), UINT32_MAX, &format))
        return fail_line(r, line, "the first line is no head of a part");
    if (format != LP_PART_FORMAT)
        return lp_fail_at(r->diag, LP_EPARSE, line->part->name, line->number, 1,
                          "a part of format %" PRIu64 ", expected %d", format, (int)LP_PART_FORMAT);
    LpErr err = line->part == r->part ? read_head(r, line->root) : LP_OK;
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

static LpErr take_run(Reader *r, const Line *line, uint32_t shard) {
    LpBatch *b = &r->out->batch;
    uint32_t variant, seed;
    LpJsonValue v = lp_json_first(lp_json_member(line->root, "run"));
    if (!read_u32(v, &variant) || !read_u32(lp_json_next(v), &seed) || variant >= b->variants ||
        seed >= b->seeds)
        return fail_line(r, line, "\"run\" names no run of this work");
    LpRun *run = &b->run[(size_t)variant * b->seeds + seed];
    if (lp_batch_share(b->variants, variant, seed, r->shards) != shard)
        return fail_line(r, line, "this run is not the shard's");
    if (run->done || run->err != LP_OK)
        return fail_line(r, line, "this run is there twice");
    LpErr err = read_run(line->root, run);
    return err == LP_OK ? LP_OK : fail_read(r, line, err, "the run is incomplete");
}

/* ---- parts ---- */

static LpErr take_line(Reader *r, Line *line, char *text, size_t len, uint32_t *shard) {
    LP_TRY(parse_line(r, line, text, len));
    LpErr err = line->number == 1 ? take_head(r, line, shard) : take_run(r, line, *shard);
    lp_json_free(line->doc);
    return err;
}

static LpErr check_all_there(Reader *r, const LpPart *part, uint32_t shard) {
    const LpBatch *b = &r->out->batch;
    Line line = {.part = part, .number = 1};
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++) {
            const LpRun *run = lp_batch_at(b, v, s);
            bool own = lp_batch_share(b->variants, v, s, r->shards) == shard;
            if (own && !run->done && run->err == LP_OK)
                return fail_line(r, &line, "a run of the shard is missing");
        }
    return LP_OK;
}

static LpErr take_part(Reader *r, LpPart *part) {
    Line line = {.part = part};
    uint32_t shard = 0;
    LP_TRY(lp_text_check(part->name, part->text, part->len, r->diag));
    LP_TRY(check_end(r, part));
    for (char *at = part->text; *at != '\0';) {
        size_t len = strcspn(at, "\n");
        bool last = at[len] == '\0';
        at[len] = '\0';
        line.number++;
        LP_TRY(take_line(r, &line, at, len, &shard));
        at += last ? len : len + 1;
    }
    if (line.number == 0)
        return fail_line(r, &line, "the head is missing");
    return check_all_there(r, part, shard);
}

static LpErr check_shards(const Reader *r) {
    LpBuf missing = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->shards; i++)
        if (r->part_of[i] == 0 && count++ < LISTED)
            lp_buf_addf(&missing, "%s%" PRIu32, count > 1 ? ", " : "", i + 1);
    LpErr err =
        count == 0
            ? LP_OK
            : lp_fail(r->diag, LP_EINVAL, "of %" PRIu32 " shards %" PRIu32 " are missing: %s%s",
                      r->shards, count, lp_buf_text(&missing), count > LISTED ? " ..." : "");
    lp_buf_fini(&missing);
    return err;
}

LpErr lp_part_read(const char *name, LpPart *out, LpDiag *diag) {
    LpPart part = {.name = name};
    LP_TRY(lp_file_read(name, PART_MOST, &part.text, &part.len, diag));
    *out = part;
    return LP_OK;
}

void lp_part_fini(LpPart *part) {
    lp_free(part->text);
    *part = (LpPart){0};
}

LpErr lp_merge(LpPart *part, uint32_t parts, LpMerged *out, LpDiag *diag) {
    LpMerged merged = {.arena = lp_arena_new(0)};
    Reader r = {.part = part, .parts = parts, .out = &merged, .diag = diag};
    LpErr err = merged.arena != NULL ? LP_OK : lp_fail_memory(diag, "the parts");
    for (uint32_t i = 0; err == LP_OK && i < parts; i++)
        err = take_part(&r, &part[i]);
    if (err == LP_OK)
        err = check_shards(&r);
    if (err == LP_OK)
        *out = merged;
    else
        lp_merged_fini(&merged);
    return err;
}

void lp_merged_fini(LpMerged *merged) {
    lp_batch_fini(&merged->batch);
    lp_arena_free(merged->arena);
    *merged = (LpMerged){0};
}
