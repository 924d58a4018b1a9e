/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the lines of a part, which get the end that fits them. What is joined can be told.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "run/shard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(const LpMerged *merged) {
    LpBuf text = {0};
    LpDiag diag;
    if (lp_compare_csv(&merged->head, &merged->batch, &text, &diag) != LP_OK ||
        strncmp(lp_buf_text(&text), "policy,", 7) != 0)
        abort();
    lp_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char hash[LP_HASH_HEX];
    LpBuf text = {0};
    LpMerged merged;
    LpDiag diag = {0};
    for (size_t i = 0; i < size; i++) /* a NUL would end the text */
        lp_buf_add_bytes(&text, data[i] != 0 ? (const char *)&data[i] : " ", 1);
    if (size > 0 && data[size - 1] != '\n')
        lp_buf_add(&text, "\n");
    lp_hash_hex(lp_hash_bytes(LP_HASH_INIT, lp_buf_text(&text), text.len), hash);
    lp_buf_addf(&text, "{\"end\":1,\"check\":\"%s\"}\n", hash);
    LpPart part = {.name = "part", .text = text.text, .len = text.len};
    if (!text.failed && lp_merge(&part, 1, &merged, &diag) == LP_OK) {
        tell(&merged);
        lp_merged_fini(&merged);
    } else if (!text.failed && diag.text[0] == '\0') {
        abort();
    }
    lp_buf_fini(&text);
    return 0;
}
