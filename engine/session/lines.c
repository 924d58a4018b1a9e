/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of session files. */
#include "session/lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "session/file.h"

enum { MODULES_MAX = 64, PARAMS_MAX = 1024, POLICIES_MAX = 4096, NAME_MOST = 255 };

/* ---- values ---- */

static LpErr need(LpJsonValue line, const char *key, LpJsonValue *out, LpDiag *diag) {
    *out = lp_json_member(line, key);
    return out->item != NULL
               ? LP_OK
               : lp_json_fail(line, diag, LP_EINVAL, "the key \"%s\" is missing", key);
}

static LpErr need_u64(LpJsonValue line, const char *key, uint64_t *out, LpDiag *diag) {
    LpJsonValue value;
    LP_TRY(need(line, key, &value, diag));
    return lp_json_u64(value, 0, UINT64_MAX, out, diag);
}

static LpErr need_text(LpJsonValue line, const char *key, LpArena *arena, const char **out,
                       LpDiag *diag) {
    LpJsonValue value;
    LP_TRY(need(line, key, &value, diag));
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    *out = lp_arena_strdup(arena, lp_json_text(value));
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "a session");
}

static LpErr read_number(LpJsonValue value, double *out, LpDiag *diag) {
    const char *text = lp_json_text(value);
    if (text != NULL && strcmp(text, "inf") == 0)
        *out = (double)INFINITY;
    else if (text != NULL && strcmp(text, "-inf") == 0)
        *out = -(double)INFINITY;
    else if (text != NULL && strcmp(text, "nan") == 0)
        *out = (double)NAN;
    else {
        LP_TRY(lp_json_expect(value, LP_JSON_NUMBER, diag));
        *out = lp_json_number(value);
    }
    return LP_OK;
}

static LpErr need_number(LpJsonValue line, const char *key, double *out, LpDiag *diag) {
    LpJsonValue value;
    LP_TRY(need(line, key, &value, diag));
    return read_number(value, out, diag);
}

static LpErr read_flag(LpJsonValue line, const char *key, bool *out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(line, key);
    *out = false;
    if (value.item == NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(value, LP_JSON_BOOL, diag));
    *out = lp_json_bool(value);
    return LP_OK;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static LpErr read_hash(LpJsonValue value, uint64_t *out, LpDiag *diag) {
    const char *text = lp_json_text(value);
    uint64_t h = 0;
    bool good = text != NULL && strlen(text) == LP_HASH_HEX - 1;
    for (const char *c = text; good && *c; c++) {
        good = hex_digit(*c) >= 0;
        h = h << 4 | (uint64_t)(hex_digit(*c) & 15);
    }
    if (!good)
        return lp_json_fail(value, diag, LP_EINVAL, "expected a hash of 16 hexadecimal digits");
    *out = h;
    return LP_OK;
}

/* "text" or "hex" of a line into a buffer of the caller (lp_free). */
static LpErr read_bytes(LpJsonValue line, char **out, size_t *len, LpDiag *diag) {
    LpJsonValue text = lp_json_member(line, "text"), hex = text;
    if (text.item == NULL)
        LP_TRY(need(line, "hex", &hex, diag));
    LP_TRY(lp_json_expect(hex, LP_JSON_TEXT, diag));
    const char *from = lp_json_text(hex);
    size_t size = strlen(from);
    char *bytes = lp_alloc(size + 1, 1);
    if (bytes == NULL)
        return lp_fail_memory(diag, "a file of a session");
    *len = text.item != NULL ? size : size / 2;
    bool good = text.item != NULL || size % 2 == 0;
    if (text.item != NULL)
        memcpy(bytes, from, size);
    for (size_t i = 0; text.item == NULL && good && i < *len; i++) {
        int high = hex_digit(from[2 * i]), low = hex_digit(from[2 * i + 1]);
        good = high >= 0 && low >= 0;
        bytes[i] = good ? (char)(unsigned char)(high * 16 + low) : '\0';
    }
    LpErr err = good ? lp_text_check(NULL, bytes, *len, NULL) : LP_EINVAL;
    if (err != LP_OK) {
        lp_free(bytes);
        return lp_json_fail(hex, diag, err,
                            good ? "a file with a NUL byte (00), expected text"
                                 : "expected pairs of hexadecimal digits");
    }
    *out = bytes;
    return LP_OK;
}

/* ---- lines ---- */

LpErr lp_line_kind(LpJsonValue line, const char **out, LpDiag *diag) {
    LpJsonValue value;
    LP_TRY(lp_json_expect(line, LP_JSON_OBJECT, diag));
    if (lp_json_member(line, "lightpath-session").item != NULL) {
        *out = "head";
        return LP_OK;
    }
    LP_TRY(need(line, "is", &value, diag));
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    *out = lp_json_text(value);
    return LP_OK;
}

LpErr lp_line_head(LpJsonValue line, LpArena *arena, LpHeadLine *out, LpDiag *diag) {
    LpJsonValue format = lp_json_member(line, "lightpath-session");
    char found[80];
    *out = (LpHeadLine){0};
    if (lp_json_kind(format) != LP_JSON_NUMBER || lp_json_number(format) != LP_SESSION_FORMAT)
        return lp_json_fail(format.item != NULL ? format : line, diag, LP_EINVAL,
                            "the session's format is %s, this version reads format %d",
                            lp_json_found(format, found, sizeof found), LP_SESSION_FORMAT);
    LP_TRY(need_text(line, "version", arena, &out->version, diag));
    LP_TRY(need_text(line, "scenario", arena, &out->scenario, diag));
    LP_TRY(need_u64(line, "seed", &out->seed, diag));
    out->defaults = 1;
    if (lp_json_member(line, "defaults").item != NULL)
        LP_TRY(need_u64(line, "defaults", &out->defaults, diag));
    if (out->defaults < 1 || out->defaults > LP_SESSION_DEFAULTS)
        return lp_json_fail(line, diag, LP_EINVAL,
                            "\"defaults\" is none of those that this version knows, expected 1 to "
                            "%d: a newer lightpath wrote the session",
                            LP_SESSION_DEFAULTS);
    if (lp_json_member(line, "until").item != NULL)
        LP_TRY(need_number(line, "until", &out->until, diag));
    LP_TRY(need_number(line, "max_memory", &out->max_memory, diag));
    if (!(out->max_memory >= 1 && out->max_memory < 1e18))
        return lp_json_fail(line, diag, LP_ERANGE, "\"max_memory\" is no size of a memory");
    return LP_OK;
}

/* ---- from before a default changed: what was left open is written out ---- */

/* A key inside an object of the scenario, and what it meant where it was not there. */
typedef struct Meant {
    const char *object, *key, *assignment;
} Meant;

static const Meant BEFORE_2[] = {
    {"partition", "kind", "partition.kind=model"},
    {"options", "shapes", "options.shapes=published"},
};

static LpErr write_out(LpJson *doc, LpDiag *diag) {
    LpJsonValue root = lp_json_root(doc);
    for (size_t i = 0; i < LP_COUNTOF(BEFORE_2); i++) {
        LpJsonValue object = lp_json_member(root, BEFORE_2[i].object);
        if (object.item == NULL || lp_json_member(object, BEFORE_2[i].key).item == NULL)
            LP_TRY(lp_json_set(doc, BEFORE_2[i].assignment, diag));
    }
    return LP_OK;
}

LpErr lp_older_scenario(const char *name, LpArena *arena, const char **text, LpDiag *diag) {
    LpJson *doc;
    LpBuf out = {0};
    LP_TRY(lp_json_parse(name, *text, strlen(*text), &doc, diag));
    LpErr err = write_out(doc, diag);
    if (err == LP_OK) {
        lp_json_print(lp_json_root(doc), &out);
        err = lp_buf_ok(&out, diag);
    }
    const char *kept = err == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&out)) : NULL;
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "a session");
    if (err == LP_OK)
        *text = kept;
    lp_buf_fini(&out);
    lp_json_free(doc);
    return err;
}

LpErr lp_line_file(LpJsonValue line, LpKept *kept, LpDiag *diag) {
    const char *name;
    char *bytes;
    size_t len;
    LP_TRY(need_text(line, "name", kept->arena, &name, diag));
    LP_TRY(read_bytes(line, &bytes, &len, diag));
    LpErr err = lp_kept_add(kept, name, bytes, len, diag);
    lp_free(bytes);
    return err;
}

/* ---- policies ---- */

static LpErr keep_bytes(LpJsonValue line, LpArena *arena, const char **out, size_t *len,
                        LpDiag *diag) {
    char *bytes;
    LP_TRY(read_bytes(line, &bytes, len, diag));
    char *copy = lp_arena_raw(arena, *len + 1, 1);
    if (copy != NULL) {
        memcpy(copy, bytes, *len);
        copy[*len] = '\0';
    }
    lp_free(bytes);
    *out = copy;
    return copy != NULL ? LP_OK : lp_fail_memory(diag, "a policy of a session");
}

static LpErr read_list(LpJsonValue line, const char *key, size_t most, LpJsonValue *out,
                       size_t *count, LpDiag *diag) {
    LP_TRY(need(line, key, out, diag));
    LP_TRY(lp_json_expect(*out, LP_JSON_LIST, diag));
    *count = lp_json_count(*out);
    return *count <= most
               ? LP_OK
               : lp_json_fail(*out, diag, LP_ELIMIT, "%zu entries, limit %zu", *count, most);
}

/* A file of a policy under "session:NUMBER/NAME". */
static LpErr seal(LpJsonValue value, size_t number, const char *name, const char *ending,
                  LpSealed *sealed, const char **path, LpDiag *diag) {
    LpSealedFile file = {0};
    char said[300];
    if (name[0] == '\0' || strchr(name, '/') != NULL || strlen(name) > NAME_MOST)
        return lp_json_fail(value, diag, LP_EINVAL, "expected the name of a policy's file");
    snprintf(said, sizeof said, "session:%zu/%s%s", number, name, ending);
    LP_TRY(keep_bytes(value, sealed->arena, &file.text, &file.len, diag));
    if ((file.path = lp_arena_strdup(sealed->arena, said)) == NULL)
        return lp_fail_memory(diag, "a policy of a session");
    *path = file.path;
    return lp_sealed_add(sealed, &file, diag);
}

static LpErr read_params(LpJsonValue line, LpArena *arena, const char *const **params,
                         uint32_t *count, LpDiag *diag) {
    LpJsonValue list;
    size_t all, i = 0;
    LP_TRY(read_list(line, "params", PARAMS_MAX, &list, &all, diag));
    const char **param = lp_arena_alloc(arena, all, sizeof *param);
    if (param == NULL)
        return lp_fail_memory(diag, "a policy of a session");
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v), i++) {
        LP_TRY(lp_json_expect(v, LP_JSON_TEXT, diag));
        if ((param[i] = lp_arena_strdup(arena, lp_json_text(v))) == NULL)
            return lp_fail_memory(diag, "a policy of a session");
    }
    *params = param;
    *count = (uint32_t)all;
    return LP_OK;
}

LpErr lp_line_policy(LpJsonValue line, size_t expected, LpSealed *sealed, LpPolicyLine *out,
                     LpDiag *diag) {
    const char *file;
    uint64_t number;
    LP_TRY(need_u64(line, "policy", &number, diag));
    if (number != expected || number >= POLICIES_MAX)
        return lp_json_fail(line, diag, LP_EINVAL, "policy %llu comes where %zu was expected",
                            (unsigned long long)number, expected);
    LP_TRY(need_text(line, "file", sealed->arena, &file, diag));
    LP_TRY(seal(line, expected, file, "", sealed, &out->path, diag));
    LpJsonValue list;
    size_t count;
    const char *name, *path;
    LP_TRY(read_list(line, "modules", MODULES_MAX, &list, &count, diag));
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(lp_json_expect(v, LP_JSON_OBJECT, diag));
        LP_TRY(need_text(v, "name", sealed->arena, &name, diag));
        LP_TRY(
            seal(v, expected, name, strchr(name, '.') != NULL ? "" : ".lua", sealed, &path, diag));
    }
    return read_params(line, sealed->arena, &out->param, &out->params, diag);
}

/* ---- branches ---- */

LpErr lp_line_branch(LpJsonValue line, LpArena *arena, LpBranchLine *out, LpDiag *diag) {
    LpJsonValue policy = lp_json_member(line, "policy");
    *out = (LpBranchLine){0};
    LP_TRY(need_u64(line, "branch", &out->branch, diag));
    if (lp_json_member(line, "name").item != NULL) {
        LP_TRY(need_text(line, "name", arena, &out->name, diag));
        if (out->name[0] == '\0')
            return lp_json_fail(line, diag, LP_EINVAL, "a branch needs a name");
    }
    out->has_parent = lp_json_member(line, "parent").item != NULL;
    if (out->has_parent)
        LP_TRY(need_u64(line, "parent", &out->parent, diag));
    if (lp_json_member(line, "step").item != NULL)
        LP_TRY(need_u64(line, "step", &out->step, diag));
    out->has_policy = policy.item != NULL && lp_json_kind(policy) != LP_JSON_NULL;
    return out->has_policy ? lp_json_u64(policy, 0, UINT64_MAX, &out->policy, diag) : LP_OK;
}

/* ---- steps ---- */

static LpErr read_record(LpJsonValue value, LpArena *arena, LpLog *log, LpDiag *diag) {
    LpRecord record = {.subject = LP_NO_INDEX, .why = ""};
    LpJsonValue kind;
    LpDiag inner = {0};
    uint64_t subject;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LP_TRY(need(value, "kind", &kind, diag));
    LP_TRY(lp_json_expect(kind, LP_JSON_TEXT, diag));
    LpErr err = lp_record_find(lp_json_text(kind), &record.kind, &inner);
    if (err != LP_OK)
        return lp_json_fail(kind, diag, err, "%s", inner.text);
    LP_TRY(need_number(value, "time", &record.time, diag));
    LP_TRY(need_u64(value, "event", &record.event, diag));
    if (lp_json_member(value, "subject").item != NULL) {
        LP_TRY(need_u64(value, "subject", &subject, diag));
        if (subject >= LP_NO_INDEX)
            return lp_json_fail(value, diag, LP_ERANGE, "\"subject\" is no number of a job");
        record.subject = (uint32_t)subject;
    }
    if (lp_json_member(value, "why").item != NULL)
        LP_TRY(need_text(value, "why", arena, &record.why, diag));
    LpJsonValue list;
    size_t count, i = 0;
    LP_TRY(read_list(value, "payload", LP_JSON_VALUES_MAX, &list, &count, diag));
    double *number = lp_arena_alloc(arena, count, sizeof *number);
    if (number == NULL)
        return lp_fail_memory(diag, "a record of a session");
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_number(v, &number[i++], diag));
    record.payload = number;
    record.count = (uint32_t)count;
    return lp_log_append(log, &record, diag);
}

static LpErr read_quiet(LpJsonValue line, LpArena *arena, LpStepLine *out, LpDiag *diag) {
    LpJsonValue list;
    size_t i = 0;
    if (lp_json_member(line, "quiet").item == NULL)
        return LP_OK;
    LP_TRY(read_list(line, "quiet", LP_JSON_VALUES_MAX, &list, &out->quiets, diag));
    out->quiet = lp_arena_alloc(arena, out->quiets, sizeof *out->quiet);
    if (out->quiet == NULL)
        return lp_fail_memory(diag, "a step of a session");
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        LP_TRY(lp_json_u64(v, 0, UINT64_MAX, &out->quiet[i++], diag));
    return LP_OK;
}

LpErr lp_line_step(LpJsonValue line, LpArena *arena, LpLog *log, LpStepLine *out, LpDiag *diag) {
    LpJsonValue records, hash = lp_json_member(line, "hash");
    size_t count;
    *out = (LpStepLine){0};
    LP_TRY(need_u64(line, "branch", &out->branch, diag));
    LP_TRY(need_u64(line, "step", &out->step, diag));
    LP_TRY(need_u64(line, "events", &out->events, diag));
    LP_TRY(need_number(line, "time", &out->time, diag));
    LP_TRY(read_flag(line, "over", &out->over, diag));
    LP_TRY(read_flag(line, "hand", &out->hand, diag));
    if (lp_json_member(line, "acted").item != NULL)
        LP_TRY(need_u64(line, "acted", &out->acted, diag));
    out->has_hash = hash.item != NULL;
    if (out->has_hash)
        LP_TRY(read_hash(hash, &out->hash, diag));
    LP_TRY(read_quiet(line, arena, out, diag));
    LP_TRY(read_list(line, "records", LP_JSON_VALUES_MAX, &records, &count, diag));
    for (LpJsonValue v = lp_json_first(records); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_record(v, arena, log, diag));
    return LP_OK;
}

/* ---- records that somebody else may have written ---- */

/* Kinds whose numbers are all counts or indices, but one that may be -1. */
static const struct {
    bool whole;
    int minus; /* index of the number that may be -1; -1: none */
} forms[LP_RECORD_COUNT] = {
    [LP_RECORD_PARTITION] = {true, 1},   [LP_RECORD_PLACE] = {true, 0},
    [LP_RECORD_DECLINE] = {true, -1},    [LP_RECORD_ORDER_QUEUE] = {true, -1},
    [LP_RECORD_MIGRATE] = {true, -1},    [LP_RECORD_RESIZE] = {true, -1},
    [LP_RECORD_MEMORY] = {true, -1},     [LP_RECORD_RANDOM] = {true, -1},
    [LP_RECORD_ON_FAILURE] = {true, -1},
};

static LpErr impossible(const LpRecord *r, LpDiag *diag) {
    return lp_fail(diag, LP_EINVAL, "the record \"%s\" has numbers that it cannot have",
                   lp_record_name(r->kind));
}

/* What stands behind the first `before` numbers of a partition: nothing, or a plan. */
static bool fits_plan(uint32_t count, uint32_t before) {
    return count == before ||
           (count >= before + LP_PARALLEL_OLDEST && count <= before + LP_PARALLEL_NUMBERS);
}

/* Lists of a number per op must have one for each. */
static bool fits_ops(const LpRecord *r, uint32_t ops) {
    double parts = 0;
    if (r->kind == LP_RECORD_PARTITION)
        return r->count >= 3 && (r->payload[2] == 0 || r->payload[2] == ops) &&
               fits_plan(r->count, 3 + (uint32_t)r->payload[2]);
    if (r->kind != LP_RECORD_PLACE || r->count == 0 || r->payload[0] >= 0)
        return true;
    if (r->payload[0] == LP_RECORD_SHAPE)
        return r->count > 2 && r->payload[1] > 0;
    if (r->count < 2 || r->payload[1] != ops || r->count < 2 + ops)
        return false;
    for (uint32_t i = 0; i < ops; i++)
        parts += r->payload[2 + i];
    return parts == (double)(r->count - 2 - ops);
}

LpErr lp_line_check_record(const LpRecord *r, uint32_t ops, LpDiag *diag) {
    for (uint32_t i = 0; forms[r->kind].whole && i < r->count; i++) {
        double x = r->payload[i];
        bool minus = x == -1 && (int)i == forms[r->kind].minus;
        minus = minus || (x == LP_RECORD_SHAPE && i == 0 && r->kind == LP_RECORD_PLACE);
        if (!minus && !(x >= 0 && x <= UINT32_MAX && x == floor(x)))
            return impossible(r, diag);
    }
    return fits_ops(r, ops) ? LP_OK : impossible(r, diag);
}
