/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds of entries are found by brackets and quotes alone; whether what stands between them is
 * JSON is a matter of io/json. */
#include "import/rows/json_list.h"

#include "base/mem.h"
#include "io/files/lines.h"

enum { MOST_BYTES = 16 << 20 };

/* A place in the file; both count from 1. */
typedef struct Place {
    int line, col;
} Place;

struct LpJsonList {
    LpLineFile *lines;
    const char *of;
    const char *block;
    size_t at, len; /* of the block */
    Place place;    /* of the byte at `at` */
    LpBuf text;     /* of an entry */
    Place begin;    /* of it */
    LpJson *json;
    bool any; /* entry was read */
    bool ended;
};

static LpErr fail(const LpJsonList *list, Place place, LpDiag *diag, const char *text) {
    return lp_fail_at(diag, LP_EPARSE, lp_lines_file(list->lines), place.line, place.col, "%s %s",
                      text, list->of);
}

/* The byte that comes next, without taking it; -1 at the end of the file. */
static LpErr peek(LpJsonList *list, int *byte, LpDiag *diag) {
    if (list->at == list->len) {
        list->at = 0;
        LP_TRY(lp_lines_bytes(list->lines, &list->block, &list->len, diag));
    }
    *byte = list->at < list->len ? (unsigned char)list->block[list->at] : -1;
    return LP_OK;
}

static void take(LpJsonList *list) {
    bool end = list->block[list->at++] == '\n';
    list->place.line += end;
    list->place.col = end ? 1 : list->place.col + 1;
}

static LpErr pass_blanks(LpJsonList *list, int *byte, LpDiag *diag) {
    for (;;) {
        LP_TRY(peek(list, byte, diag));
        if (*byte != ' ' && *byte != '\t' && *byte != '\r' && *byte != '\n')
            return LP_OK;
        take(list);
    }
}

static LpErr read_begin(LpJsonList *list, LpDiag *diag) {
    int byte;
    LP_TRY(pass_blanks(list, &byte, diag));
    if (byte != '[')
        return fail(list, list->place, diag,
                    byte < 0 ? "the file is empty: expected a list of" : "expected a list of");
    take(list);
    return LP_OK;
}

LpErr lp_json_list_open(const char *file, uint64_t max, const char *of, LpJsonList **out,
                        LpDiag *diag) {
    LpJsonList *list = lp_alloc(1, sizeof *list);
    if (list == NULL)
        return lp_fail_memory(diag, "an input file");
    list->of = of;
    list->place = (Place){1, 1};
    LpErr err = lp_lines_open(file, max, &list->lines, diag);
    if (err == LP_OK)
        err = read_begin(list, diag);
    if (err != LP_OK) {
        lp_json_list_close(list);
        return err;
    }
    *out = list;
    return LP_OK;
}

void lp_json_list_close(LpJsonList *list) {
    if (list == NULL)
        return;
    lp_json_free(list->json);
    lp_buf_fini(&list->text);
    lp_lines_close(list->lines);
    lp_free(list);
}

/* Where in an entry a byte stands. */
typedef struct Scan {
    int depth;
    bool quoted, escaped, done;
} Scan;

/* Goes on to the next byte, unless the entry has ended before this one. */
static void scan(Scan *s, char byte) {
    if (s->quoted) {
        s->quoted = s->escaped || byte != '"';
        s->escaped = !s->escaped && byte == '\\';
    } else if (s->depth == 0 && (byte == ',' || byte == ']')) {
        s->done = true;
    } else {
        s->quoted = byte == '"';
        s->depth += byte == '{' || byte == '[';
        s->depth -= s->depth > 0 && (byte == '}' || byte == ']');
    }
}

/* Copies the bytes of an entry, and stops at the comma or bracket behind it. */
static LpErr copy_entry(LpJsonList *list, LpDiag *diag) {
    Scan state = {0};
    int byte;
    while (!state.done) {
        LP_TRY(peek(list, &byte, diag));
        if (byte < 0)
            return fail(list, list->begin, diag,
                        "the JSON text ends inside the entry that begins here: it was cut off, "
                        "or a bracket is missing in this list of");
        size_t from = list->at;
        while (list->at < list->len) {
            scan(&state, list->block[list->at]);
            if (state.done)
                break;
            take(list);
        }
        lp_buf_add_bytes(&list->text, list->block + from, list->at - from);
        if (list->text.len > MOST_BYTES)
            return lp_fail_at(diag, LP_ELIMIT, lp_lines_file(list->lines), list->begin.line,
                              list->begin.col, "the entry has more than 16 MiB");
    }
    return lp_buf_ok(&list->text, diag);
}

static LpErr read_end(LpJsonList *list, LpDiag *diag) {
    int byte;
    take(list);
    list->ended = true;
    LP_TRY(pass_blanks(list, &byte, diag));
    return byte < 0 ? LP_OK
                    : fail(list, list->place, diag, "expected nothing behind the JSON list of");
}

static LpErr read_entry(LpJsonList *list, LpDiag *diag) {
    list->begin = list->place;
    LP_TRY(copy_entry(list, diag));
    list->any = true;
    LpErr err = lp_json_parse(lp_lines_file(list->lines), lp_buf_text(&list->text), list->text.len,
                              &list->json, diag);
    if (err != LP_OK)
        lp_json_list_place(list, diag);
    return err;
}

LpErr lp_json_list_next(LpJsonList *list, LpJsonValue *entry, bool *more, LpDiag *diag) {
    int byte;
    *more = false;
    lp_json_free(list->json);
    list->json = NULL;
    lp_buf_clear(&list->text);
    if (list->ended)
        return LP_OK;
    LP_TRY(pass_blanks(list, &byte, diag));
    if (byte == ']')
        return read_end(list, diag);
    if (list->any) { /* the comma at which the entry before ended */
        take(list);
        LP_TRY(pass_blanks(list, &byte, diag));
    }
    if (byte < 0)
        return fail(list, list->place, diag,
                    "the JSON text ends without the bracket that ends its list of");
    LP_TRY(read_entry(list, diag));
    *entry = lp_json_root(list->json);
    *more = true;
    return LP_OK;
}

void lp_json_list_place(const LpJsonList *list, LpDiag *diag) {
    if (diag->line < 1)
        return;
    if (diag->line == 1)
        diag->col += list->begin.col - 1;
    diag->line += list->begin.line - 1;
}
