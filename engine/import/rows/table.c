/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines taken apart into fields, columns found by name. */
#include "import/rows/table.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"

enum { MOST_FIELDS = 256, SHOWN = 64 };

/* A table that is being read. */
typedef struct Reader {
    const LpTraceTable *table;
    LpLineFile *lines;
    char *field[MOST_FIELDS + 1];
    size_t fields;
    size_t expected; /* fields of the file */
    bool open;       /* a separator stands behind the last of its names */
    int at[MOST_FIELDS];
} Reader;

static bool blank(char c) {
    return c == ' ' || c == '\t';
}

static char *trim(char *from, char *to) {
    while (from < to && blank(*from))
        from++;
    while (to > from && blank(to[-1]))
        to--;
    *to = '\0';
    return from;
}

/* Takes the quotes off a field that begins with one: "" inside is one quote. Returns where the
 * field ends in the line, NULL where no quote ends it. */
static char *unquote(char *from, char **end) {
    char *to = from;
    for (char *at = from + 1; *at != '\0'; at++) {
        if (*at != '"') {
            *to++ = *at;
        } else if (at[1] == '"') {
            *to++ = '"';
            at++;
        } else {
            *end = to;
            return at + 1;
        }
    }
    return NULL;
}

static void split_blanks(char *line, Reader *r) {
    r->fields = 0;
    for (char *at = line; *at != '\0';) {
        while (blank(*at))
            at++;
        if (*at == '\0')
            break;
        char *from = at;
        while (*at != '\0' && !blank(*at))
            at++;
        if (*at != '\0')
            *at++ = '\0';
        if (r->fields <= MOST_FIELDS)
            r->field[r->fields] = from;
        r->fields++;
    }
}

static LpErr split(char *line, Reader *r, LpDiag *diag) {
    const LpTraceTable *table = r->table;
    r->fields = 0;
    for (char *at = line; at != NULL;) {
        char *from = at, *end = NULL;
        while (table->quotes && blank(*from))
            from++;
        if (table->quotes && *from == '"') {
            at = unquote(from, &end);
            if (at == NULL)
                return lp_lines_fail(r->lines, diag,
                                     "line %d ends inside a quoted field: fields over several "
                                     "lines are not read",
                                     lp_lines_number(r->lines));
            while (blank(*at))
                at++;
            if (*at != table->separator && *at != '\0')
                return lp_lines_fail(r->lines, diag,
                                     "letters behind the quotes of field %zu, expected \"%c\"",
                                     r->fields + 1, table->separator);
            at = *at == '\0' ? NULL : at + 1;
            *end = '\0';
        } else {
            at = strchr(from, table->separator);
            end = at != NULL ? at : from + strlen(from);
            at = at != NULL ? at + 1 : NULL;
            from = trim(from, end);
        }
        if (r->fields <= MOST_FIELDS)
            r->field[r->fields] = from;
        r->fields++;
    }
    return LP_OK;
}

static LpErr split_line(char *line, Reader *r, LpDiag *diag) {
    if (r->table->separator == ' ')
        split_blanks(line, r);
    else
        LP_TRY(split(line, r, diag));
    if (r->fields > MOST_FIELDS)
        return lp_lines_fail(r->lines, diag, "line %d has %zu fields, the most are %d",
                             lp_lines_number(r->lines), r->fields, MOST_FIELDS);
    return LP_OK;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

const char *lp_text_lower(const char *text, char *out, size_t size) {
    lp_str_copy(out, size, text);
    for (char *at = out; *at != '\0'; at++)
        *at = lower(*at);
    return out;
}

static bool same_name(const char *a, const char *b, bool any_case) {
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if (*a != *b && !(any_case && lower(*a) == lower(*b)))
            return false;
    return *a == *b;
}

static LpErr find_columns(Reader *r, LpDiag *diag) {
    const LpTraceTable *table = r->table;
    r->open = table->open_end && r->fields > 1 && r->field[r->fields - 1][0] == '\0';
    if (r->open)
        r->fields--;
    r->expected = r->fields;
    for (size_t c = 0; c < table->columns; c++) {
        r->at[c] = -1;
        for (size_t f = 0; f < r->fields && r->at[c] < 0; f++)
            if (same_name(table->column[c], r->field[f], table->any_case))
                r->at[c] = (int)f;
    }
    for (size_t c = 0; c < table->needed; c++)
        if (r->at[c] < 0) {
            LpBuf names = {0};
            for (size_t f = 0; f < r->fields; f++)
                lp_buf_addf(&names, "%s%s", f > 0 ? ", " : "", r->field[f]);
            bool advised = table->advice != NULL;
            LpErr err =
                lp_lines_fail(r->lines, diag, "no column %s%s%s%s; the file has %s",
                              table->column[c], advised ? " (" : "", advised ? table->advice : "",
                              advised ? ")" : "", lp_buf_text(&names));
            lp_buf_fini(&names);
            return err;
        }
    return LP_OK;
}

/* The next line that is neither blank nor a comment; NULL: there is none. */
static LpErr next_line(Reader *r, char **line, LpDiag *diag) {
    size_t len;
    for (;;) {
        LP_TRY(lp_lines_next(r->lines, line, &len, diag));
        if (*line == NULL)
            return LP_OK;
        const char *at = *line;
        while (blank(*at))
            at++;
        if (*at != '\0' && (r->table->comment == NULL || strchr(r->table->comment, *at) == NULL))
            return LP_OK;
    }
}

static LpErr read_head(Reader *r, LpDiag *diag) {
    char *line;
    if (r->table->headless) {
        r->expected = r->table->columns;
        for (size_t c = 0; c < r->table->columns; c++)
            r->at[c] = (int)c;
        return LP_OK;
    }
    LP_TRY(next_line(r, &line, diag));
    if (line == NULL)
        return lp_fail_at(diag, LP_EPARSE, lp_lines_file(r->lines), 1, 0,
                          "the file is empty: expected a line with the names of columns");
    LP_TRY(split_line(line, r, diag));
    return find_columns(r, diag);
}

/* Field `at` takes what its text was cut into. Where a field was ended at a blank, its separator is
 * still there. */
static void join_fields(Reader *r, size_t at) {
    size_t surplus = r->fields - r->expected;
    for (size_t i = at; i < at + surplus; i++) {
        char *end = r->field[i] + strlen(r->field[i]);
        size_t gap = (size_t)(r->field[i + 1] - end);
        *end = memchr(end + 1, r->table->separator, gap - 1) != NULL ? ' ' : r->table->separator;
    }
    memmove(&r->field[at + 1], &r->field[at + 1 + surplus],
            (r->fields - at - 1 - surplus) * sizeof r->field[0]);
    r->fields = r->expected;
}

static LpErr read_row(Reader *r, char *line, LpReading *reading, LpRowReader *read, void *user,
                      LpDiag *diag) {
    const LpTraceTable *table = r->table;
    LP_TRY(split_line(line, r, diag));
    if (r->open && r->fields > r->expected && r->field[r->fields - 1][0] == '\0')
        r->fields--;
    if (r->fields > r->expected && table->loose > 0 && r->at[table->loose - 1] >= 0)
        join_fields(r, (size_t)r->at[table->loose - 1]);
    if (r->fields != r->expected)
        return lp_lines_fail(r->lines, diag, "line %d has %zu fields, expected %zu",
                             lp_lines_number(r->lines), r->fields, r->expected);
    LpTraceRow row = {table, r->lines, r->field, r->fields, r->at};
    return read(user, reading, &row, diag);
}

static LpErr read_rows(Reader *r, LpReading *reading, LpRowReader *read, void *user, LpDiag *diag) {
    char *line;
    LpDiag inner;
    LP_TRY(read_head(r, diag));
    for (;;) {
        LP_TRY(next_line(r, &line, diag));
        if (line == NULL)
            return LP_OK;
        inner.file[0] = '\0';
        LpErr err = read_row(r, line, reading, read, user, &inner);
        if (err == LP_EPARSE && inner.file[0] == '\0') { /* said by one who knows no lines */
            lp_str_copy(inner.file, sizeof inner.file, lp_lines_file(r->lines));
            inner.line = lp_lines_number(r->lines);
        }
        if (err == LP_EPARSE && !r->table->uncounted)
            err = lp_rows_bad(reading->rows, reading->options->lenient, &inner);
        if (err != LP_OK) {
            *diag = inner;
            return err;
        }
    }
}

LpErr lp_table_read(LpReading *reading, const char *file, const LpTraceTable *table,
                    LpRowReader *read, void *user, LpDiag *diag) {
    Reader *r = lp_alloc(1, sizeof *r);
    if (r == NULL)
        return lp_fail_memory(diag, "a table");
    r->table = table;
    LpErr err = lp_lines_open(file, reading->options->max_input, &r->lines, diag);
    if (err == LP_OK)
        err = read_rows(r, reading, read, user, diag);
    lp_lines_close(r->lines);
    lp_free(r);
    return err;
}

bool lp_row_has(const LpTraceRow *row, size_t column) {
    return row->at[column] >= 0;
}

const char *lp_row_text(const LpTraceRow *row, size_t column) {
    return row->at[column] >= 0 ? row->field[row->at[column]] : "";
}

LpErr lp_row_number(const LpTraceRow *row, size_t column, double *out, LpDiag *diag) {
    char shown[SHOWN];
    const char *text = lp_row_text(row, column);
    const char *digits = text[0] == '+' ? text + 1 : text;
    if (lp_num_parse(digits, out, NULL) == LP_OK)
        return LP_OK;
    if (same_name(digits, "inf", true) || same_name(digits, "infinity", true) ||
        same_name(digits, "-inf", true) || same_name(digits, "nan", true))
        return lp_lines_fail(row->lines, diag, "%s is \"%s\", expected a finite number",
                             row->table->column[column], lp_str_show(shown, sizeof shown, text));
    return lp_lines_fail(row->lines, diag, "%s is \"%s\", expected a number",
                         row->table->column[column], lp_str_show(shown, sizeof shown, text));
}

LpErr lp_row_when(const LpTraceRow *row, size_t column, int64_t *ns, LpDiag *diag) {
    char shown[SHOWN];
    const char *text = lp_row_text(row, column);
    if (lp_when_parse(text, ns, NULL))
        return LP_OK;
    return lp_lines_fail(row->lines, diag,
                         "%s of line %d is \"%s\", which is no time such as 2026-03-01 18:41:01",
                         row->table->column[column], lp_lines_number(row->lines),
                         lp_str_show(shown, sizeof shown, text));
}

LpErr lp_row_seconds(const LpTraceRow *row, size_t column, int64_t *ns, LpDiag *diag) {
    double seconds;
    LP_TRY(lp_row_number(row, column, &seconds, diag));
    if (!lp_ns_of(seconds, ns))
        return lp_lines_fail(row->lines, diag, "%s is %g s, expected less than %g s",
                             row->table->column[column], seconds, LP_NS_SECONDS);
    return LP_OK;
}
