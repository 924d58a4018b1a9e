/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a trace of a training step, of which format the first byte says. What is read can be
 * told and run alone, and is refused with a sentence otherwise. */
#include "fuzz.h"

#include "import/import.h"

static void tell(const LpImport *import) {
    LpBuf text = {0};
    LpDiag diag;
    lp_fuzz_must(lp_import_json(import, true, &text, &diag) == LP_OK && text.len > 0);
    lp_fuzz_must(lp_import_text(import, &text, &diag) == LP_OK);
    lp_buf_fini(&text);
}

FUZZ_TARGET(steps)(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"chakra", "goal", "simai"};
    const LpImportOptions options = {
        .max_input = 1 << 24, .server_bandwidth = 1e9, .latency = 1e-6};
    LpImport import = {0};
    LpDiag diag = {0};
    if (size == 0)
        return false;
    const char *file = lp_fuzz_file(data + 1, size - 1);
    const LpFormat *format = lp_format_find(formats[data[0] % LP_COUNTOF(formats)]);
    LpErr err = lp_import_read(format, &file, 1, &options, &import, &diag);
    lp_fuzz_must(err == LP_OK || diag.text[0] != '\0');
    if (err == LP_OK)
        tell(&import);
    lp_import_free(&import);
    return err == LP_OK;
}
