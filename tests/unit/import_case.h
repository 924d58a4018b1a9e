/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of import: protocol buffers written, and a file of one format read. Whoever includes it
 * has a name for the file, IMPORT_FILE, and the headers of cmocka. */
#ifndef LP_TESTS_IMPORT_CASE_H
#define LP_TESTS_IMPORT_CASE_H

#include <stdio.h>

#include "import/import.h"
#include "import/steps/chakra.h"

/* ---- writing ---- */

static inline void put_varint(LpBuf *out, uint64_t value) {
    do {
        char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        lp_buf_add_bytes(out, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

static inline void put_number(LpBuf *out, unsigned field, uint64_t value) {
    put_varint(out, field << 3);
    put_varint(out, value);
}

static inline void put_bytes(LpBuf *out, unsigned field, const void *bytes, size_t len) {
    put_varint(out, field << 3 | 2);
    put_varint(out, len);
    lp_buf_add_bytes(out, bytes, len);
}

static inline void put_fixed(LpBuf *out, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        char byte = (char)(value >> (8 * i));
        lp_buf_add_bytes(out, &byte, 1);
    }
}

/* A message with its length in front; empties it. */
static inline void put_message(LpBuf *out, LpBuf *message) {
    put_varint(out, message->len);
    lp_buf_add_bytes(out, lp_buf_text(message), message->len);
    lp_buf_fini(message);
    *message = (LpBuf){0};
}

static inline void put_attr(LpBuf *node, const char *name, unsigned kind, uint64_t value) {
    LpBuf attr = {0};
    put_bytes(&attr, 1, name, strlen(name));
    put_number(&attr, kind, value);
    put_bytes(node, 10, lp_buf_text(&attr), attr.len);
    lp_buf_fini(&attr);
}

static inline void put_text_attr(LpBuf *node, const char *name, const char *value) {
    LpBuf attr = {0};
    put_bytes(&attr, 1, name, strlen(name));
    put_bytes(&attr, 29, value, strlen(value));
    put_bytes(node, 10, lp_buf_text(&attr), attr.len);
    lp_buf_fini(&attr);
}

static inline void put_head(LpBuf *out) {
    LpBuf head = {0};
    put_bytes(&head, 1, "0.0.4", 5);
    put_message(out, &head);
}

/* A node of `micros` us that waits for `needs` ids. */
static inline void put_comp(LpBuf *out, uint64_t id, uint64_t micros, const uint64_t *need,
                            size_t needs, bool packed) {
    LpBuf node = {0}, list = {0};
    if (id != 0)
        put_number(&node, 1, id);
    put_number(&node, 3, LP_CHAKRA_COMP);
    for (size_t i = 0; i < needs; i++)
        if (packed)
            put_varint(&list, need[i]);
        else
            put_number(&node, 5, need[i]);
    if (packed)
        put_bytes(&node, 4, lp_buf_text(&list), list.len);
    put_number(&node, 7, micros);
    lp_buf_fini(&list);
    put_message(out, &node);
}

/* ---- reading ---- */

static inline void write_file(const char *path, const void *bytes, size_t len) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

/* One format's reading of files. */
typedef struct Case {
    LpImport import;
    LpErr err;
    LpDiag diag;
    char shown[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
} Case;

static inline void read_files(Case *c, const char *format, const char *const *file, size_t files,
                              const LpImportOptions *options) {
    static const LpImportOptions none = {0};
    *c = (Case){0};
    c->err = lp_import_read(lp_format_find(format), file, files, options != NULL ? options : &none,
                            &c->import, &c->diag);
    if (c->err != LP_OK)
        lp_diag_format(&c->diag, c->shown, sizeof c->shown);
}

static inline void read_bytes(Case *c, const char *format, const void *bytes, size_t len) {
    const char *file = IMPORT_FILE;
    write_file(IMPORT_FILE, bytes, len);
    read_files(c, format, &file, 1, NULL);
}

static inline void read_buf(Case *c, const char *format, LpBuf *bytes) {
    assert_false(bytes->failed);
    read_bytes(c, format, lp_buf_text(bytes), bytes->len);
    lp_buf_fini(bytes);
    *bytes = (LpBuf){0};
}

static inline void fine(const Case *c) {
    if (c->err != LP_OK)
        fail_msg("%s", c->shown);
}

/* The sentence is the file, then `place` and words. */
static inline void refused(Case *c, const char *sentence) {
    char want[512];
    assert_int_not_equal(c->err, LP_OK);
    snprintf(want, sizeof want, "%s:%s", IMPORT_FILE, sentence);
    assert_string_equal(c->shown, want);
    lp_import_free(&c->import);
}

#endif
