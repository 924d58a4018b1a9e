/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the lines of a part, which get the end that fits them. What is joined can be told.
 */
#include "fuzz.h"

#include "base/hash.h"
#include "many/study/shard.h"

static void tell(const LpMerged *merged) {
    LpBuf text = {0};
    LpDiag diag;
    lp_fuzz_must(lp_compare_csv(&merged->head, &merged->batch, false, &text, &diag) == LP_OK &&
                 strncmp(lp_buf_text(&text), "policy,", 7) == 0);
    lp_fuzz_must(lp_compare_json(&merged->head, &merged->batch, &text, &diag) == LP_OK);
    lp_fuzz_must(lp_compare_text(&merged->head, &merged->batch, &text, &diag) == LP_OK);
    lp_buf_fini(&text);
}

FUZZ_TARGET(merge)(const uint8_t *data, size_t size) {
    char hash[LP_HASH_HEX];
    LpBuf text = {0};
    LpMerged merged;
    LpDiag diag = {0};
    lp_buf_add_bytes(&text, (const char *)data, size);
    if (size > 0 && data[size - 1] != '\n')
        lp_buf_add(&text, "\n");
    lp_hash_hex(lp_hash_bytes(LP_HASH_INIT, lp_buf_text(&text), text.len), hash);
    lp_buf_addf(&text, "{\"end\":1,\"check\":\"%s\"}\n", hash);
    lp_fuzz_must(!text.failed);
    LpPart part = {.name = "part", .text = text.text, .len = text.len};
    LpErr err = lp_merge(&part, 1, &merged, &diag);
    lp_fuzz_must(err == LP_OK || diag.text[0] != '\0');
    if (err == LP_OK) {
        tell(&merged);
        lp_merged_fini(&merged);
    }
    lp_buf_fini(&text);
    return err == LP_OK;
}
