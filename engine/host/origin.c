/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the object "provenance" of a result, which anybody may have changed. */
#include "host/origin.h"

#include <string.h>

#include "io/json/json.h"

static const uint64_t INPUT_MOST = (uint64_t)1 << 32;

/* ---- inputs ---- */

/* Traces by the file as it lies there, all others as they are unpacked: as lp_inputs_sources. */
static LpErr digits_of(const LpSource *source, char out[LP_SHA256_HEX], bool *known, LpDiag *diag) {
    LpInputs *inputs;
    LpSource *now;
    uint32_t count;
    char *text = NULL;
    size_t len;
    LP_TRY(lp_inputs_new_passing(&inputs, diag));
    const LpFiles *files = lp_inputs_files(inputs);
    LpErr err = LP_OK;
    if (strcmp(source->kind, "trace") == 0)
        files->note(files->user, source->file);
    else
        err = files->read(files->user, source->file, (size_t)INPUT_MOST, &text, &len, diag);
    lp_free(text);
    LpArena *arena = err == LP_OK ? lp_arena_new(0) : NULL;
    if (err == LP_OK && arena == NULL)
        err = lp_fail_memory(diag, "an input");
    if (err == LP_OK)
        err = lp_inputs_sources(inputs, arena, &now, &count, diag);
    *known = err == LP_OK && count == 1;
    if (*known)
        memcpy(out, now[0].sha256, LP_SHA256_HEX);
    lp_arena_free(arena);
    lp_inputs_free(inputs);
    return err;
}

LpErr lp_origin_check(const LpSource *source, bool *same, LpDiag *diag) {
    char now[LP_SHA256_HEX];
    bool known;
    LP_TRY(digits_of(source, now, &known, diag));
    if (!known)
        return lp_fail_at(diag, LP_EIO, source->file, 0, 0, "cannot be read");
    *same = strcmp(now, source->sha256) == 0;
    return LP_OK;
}

/* ---- reading ---- */

static LpErr keep_text(LpJsonValue object, const char *key, LpArena *arena, const char **out,
                       LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, key);
    const char *text = lp_json_text(value);
    if (text == NULL)
        return lp_json_fail(object, diag, LP_EPARSE, "\"%s\" is no text", key);
    *out = lp_arena_strdup(arena, text);
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "a result's provenance");
}

static LpErr read_words(LpJsonValue list, LpArena *arena, LpOrigin *o, LpDiag *diag) {
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    size_t count = lp_json_count(list);
    o->word = lp_arena_alloc(arena, count + 1, sizeof *o->word);
    if (o->word == NULL)
        return lp_fail_memory(diag, "a result's provenance");
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        const char *text = lp_json_text(v);
        if (text == NULL)
            return lp_json_fail(v, diag, LP_EPARSE, "expected a word of the command");
        if ((o->word[o->words++] = lp_arena_strdup(arena, text)) == NULL)
            return lp_fail_memory(diag, "a result's provenance");
    }
    return o->words > 0 ? LP_OK : lp_json_fail(list, diag, LP_EPARSE, "the command has no words");
}

static LpErr read_inputs(LpJsonValue list, LpArena *arena, LpOrigin *o, LpDiag *diag) {
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    o->source = lp_arena_alloc(arena, lp_json_count(list) + 1, sizeof *o->source);
    if (o->source == NULL)
        return lp_fail_memory(diag, "a result's provenance");
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        LpSource *source = &o->source[o->sources++];
        const char *digits = NULL;
        LP_TRY(keep_text(v, "kind", arena, &source->kind, diag));
        LP_TRY(keep_text(v, "file", arena, &source->file, diag));
        LP_TRY(keep_text(v, "sha256", arena, &digits, diag));
        lp_str_copy(source->sha256, sizeof source->sha256, digits);
    }
    return LP_OK;
}

static LpErr read_shard(LpJsonValue list, LpOrigin *o, LpDiag *diag) {
    uint64_t at, of;
    LpJsonValue first = lp_json_first(list);
    LP_TRY(lp_json_u64(first, 1, UINT32_MAX, &at, diag));
    LP_TRY(lp_json_u64(lp_json_next(first), at, UINT32_MAX, &of, diag));
    o->shard = (uint32_t)at;
    o->shards = (uint32_t)of;
    return LP_OK;
}

static LpErr read_root(const char *name, LpJsonValue root, LpArena *arena, LpOrigin *o,
                       LpDiag *diag) {
    LpJsonValue p = lp_json_member(root, "provenance");
    if (lp_json_kind(p) != LP_JSON_OBJECT)
        return lp_fail_at(diag, LP_EINVAL, name, 0, 0,
                          "does not say where it comes from: expected what --json printed, or a "
                          "file of --out");
    LP_TRY(keep_text(p, "version", arena, &o->version, diag));
    LP_TRY(keep_text(p, "build", arena, &o->build, diag));
    LP_TRY(read_words(lp_json_member(p, "command"), arena, o, diag));
    LP_TRY(read_inputs(lp_json_member(p, "inputs"), arena, o, diag));
    if (!o->part)
        o->complete = lp_json_bool(lp_json_member(root, "complete"));
    return o->part ? read_shard(lp_json_member(root, "shard"), o, diag) : LP_OK;
}

/* The last line of a part that is whole is its end. */
static bool has_end(const char *text, size_t len) {
    static const char END[] = "{\"end\":";
    size_t at = len > 0 ? len - 1 : 0;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return len > 0 && text[len - 1] == '\n' && strncmp(text + at, END, sizeof END - 1) == 0;
}

LpErr lp_origin_read(const char *name, const char *text, size_t len, LpArena *arena, LpOrigin *out,
                     LpDiag *diag) {
    static const char PART[] = "{\"lightpath_part\":";
    LpOrigin o = {.part = strncmp(text, PART, sizeof PART - 1) == 0};
    const char *end = o.part ? strchr(text, '\n') : NULL;
    LpJson *doc;
    /* a text that is parsed ends in a NUL */
    char *head = end != NULL ? lp_arena_alloc(arena, (size_t)(end - text) + 1, 1) : NULL;
    if (end != NULL && head == NULL)
        return lp_fail_memory(diag, "a result's provenance");
    if (end != NULL) {
        memcpy(head, text, (size_t)(end - text));
        o.complete = has_end(text, len);
        len = (size_t)(end - text);
    }
    LP_TRY(lp_json_parse(name, head != NULL ? head : text, len, &doc, diag));
    LpErr err = read_root(name, lp_json_root(doc), arena, &o, diag);
    lp_json_free(doc);
    if (err == LP_OK)
        *out = o;
    return err;
}
