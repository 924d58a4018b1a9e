/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a trace of jobs. The first byte says of which format, and whether rows that cannot
 * be read are passed over; a second file stands behind a line of dashes. A refusal has a sentence,
 * rows are taken or left out, and what is written is a scenario's text. */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "import/import.h"
#include "io/json/json.h"

static const char *const formats[] = {"sacct", "swf",      "openb", "philly", "helios",   "acme",
                                      "pai",   "tiresias", "rfold", "csv",    "rfold-mix"};
enum { LENIENT = 16 };

/* Where the second file begins; `size` where there is none. */
static size_t second_file(const uint8_t *data, size_t size) {
    static const char line[] = "\n---\n";
    for (size_t i = 0; i + sizeof line - 1 <= size; i++)
        if (memcmp(data + i, line, sizeof line - 1) == 0)
            return i + 1;
    return size;
}

static void must_be_json(const LpBuf *text) {
    LpJson *json = NULL;
    LpDiag diag;
    lp_fuzz_must(lp_json_parse("out", lp_buf_text(text), text->len, &json, &diag) == LP_OK);
    lp_json_free(json);
}

static LpErr keep(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

static void check_import(const LpImport *import) {
    const LpJobRows *rows = import->reading.rows;
    LpBuf text = {0};
    LpDiag diag = {0};
    double last = 0;
    for (uint64_t i = 0; rows != NULL && i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        double arrival;
        lp_rows_job(rows, i, &job, &arrival);
        lp_fuzz_must(job.servers >= 1 && job.duration > 0 && arrival >= last);
        last = arrival;
    }
    lp_fuzz_must(lp_import_json(import, true, &text, &diag) == LP_OK);
    must_be_json(&text);
    lp_buf_clear(&text);
    lp_fuzz_must(lp_import_text(import, &text, &diag) == LP_OK);
    lp_buf_clear(&text);
    if (lp_import_write(import, NULL, keep, &text, &diag) == LP_OK)
        must_be_json(&text);
    lp_buf_fini(&text);
}

FUZZ_TARGET(jobs)(const uint8_t *data, size_t size) {
    char other[64]; /* of this process alone */
    snprintf(other, sizeof other, "/tmp/lightpath-fuzz-jobs-%d", (int)getpid());
    LpImportOptions options = {.map = "user=who,duration=run:min"};
    LpImport import;
    LpDiag diag = {0};
    if (size == 0)
        return false;
    const LpFormat *format = lp_format_find(formats[data[0] % LENIENT % LP_COUNTOF(formats)]);
    options.lenient = data[0] & LENIENT;
    size_t second = second_file(data + 1, size - 1), behind = second + 4;
    const char *file[] = {lp_fuzz_file(data + 1, second), other};
    if (format->most == 2 && behind <= size - 1) {
        FILE *to = fopen(other, "wb");
        lp_fuzz_must(to != NULL);
        lp_fuzz_must(fwrite(data + 1 + behind, 1, size - 1 - behind, to) == size - 1 - behind);
        lp_fuzz_must(fclose(to) == 0);
    } else if (format->least == 2) {
        return false;
    }
    LpErr err = lp_import_read(format, file, format->most == 2 && behind <= size - 1 ? 2 : 1,
                               &options, &import, &diag);
    if (err == LP_OK)
        check_import(&import);
    else
        lp_fuzz_must(diag.text[0] != '\0' && diag.code == err);
    lp_import_free(&import);
    (void)unlink(other);
    return err == LP_OK;
}
