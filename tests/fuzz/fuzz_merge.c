/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the lines of a part, each of which gets the hash that fits it, and an end. What is
 * joined can be told. */
#include "fuzz.h"

#include "base/hash.h"
#include "many/results/part.h"

static void tell(const LpMerged *merged) {
    LpBuf text = {0};
    LpDiag diag;
    lp_fuzz_must(lp_compare_csv(&merged->head, &merged->batch, false, &text, &diag) == LP_OK &&
                 strncmp(lp_buf_text(&text), "policy,", 7) == 0);
    lp_fuzz_must(lp_compare_json(&merged->head, &merged->batch, &text, &diag) == LP_OK);
    lp_fuzz_must(lp_compare_text(&merged->head, &merged->batch, &text, &diag) == LP_OK);
    lp_buf_fini(&text);
}

/* The brace that ends a line gives way to its hash. */
static void add_line(LpBuf *out, const char *line, size_t len) {
    char hash[LP_HASH_HEX];
    size_t body = len > 0 && line[len - 1] == '}' ? len - 1 : len;
    lp_hash_hex(lp_hash_bytes(LP_HASH_INIT, line, body), hash);
    lp_buf_add_bytes(out, line, body);
    lp_buf_addf(out, ",\"check\":\"%s\"}\n", hash);
}

static void add_lines(LpBuf *out, const char *data, size_t size) {
    for (size_t at = 0; at < size;) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t len = end != NULL ? (size_t)(end - data) - at : size - at;
        add_line(out, data + at, len);
        at += len + 1;
    }
    add_line(out, "{\"end\":1}", 9);
}

static bool join(const LpBuf *lines, LpMergeMode mode) {
    LpBuf text = {0};
    LpMerged merged;
    LpDiag diag = {0};
    lp_buf_add_bytes(&text, lp_buf_text(lines), lines->len);
    lp_fuzz_must(!text.failed);
    LpPart part = {.name = "part", .text = text.text, .len = text.len};
    LpErr err = lp_merge(&part, 1, mode, &merged, &diag);
    lp_fuzz_must(err == LP_OK || diag.text[0] != '\0');
    if (err == LP_OK) {
        tell(&merged);
        lp_merged_fini(&merged);
    }
    lp_buf_fini(&text);
    return err == LP_OK;
}

FUZZ_TARGET(merge)(const uint8_t *data, size_t size) {
    LpBuf lines = {0};
    add_lines(&lines, (const char *)data, size);
    lp_fuzz_must(!lines.failed);
    bool whole = join(&lines, LP_MERGE_WHOLE), there = join(&lines, LP_MERGE_THERE);
    lp_fuzz_must(there || !whole); /* what is whole is there */
    lp_buf_fini(&lines);
    return whole;
}
