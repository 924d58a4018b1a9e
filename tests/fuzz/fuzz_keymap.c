/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of keys. What is read is written and read again as the same keys. */
#include "fuzz.h"

#include "term/keymap.h"

FUZZ_TARGET(keymap)(const uint8_t *data, size_t size) {
    LpKeymap map, again;
    LpBuf text = {0}, copy = {0};
    LpDiag diag = {0};
    LpErr err = lp_keymap_load(lp_fuzz_file(data, size), &map, &diag);
    lp_fuzz_must(err == LP_OK || diag.text[0] != '\0');
    if (err == LP_OK) {
        lp_keymap_json(&map, &text);
        lp_fuzz_must(lp_keymap_load(lp_fuzz_file(text.text, text.len), &again, &diag) == LP_OK);
        lp_keymap_json(&again, &copy);
        lp_fuzz_must(strcmp(lp_buf_text(&text), lp_buf_text(&copy)) == 0);
    }
    lp_buf_fini(&text);
    lp_buf_fini(&copy);
    return err == LP_OK;
}
