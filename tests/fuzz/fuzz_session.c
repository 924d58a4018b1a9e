/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any lines as a session file with the right hashes: opened as far as they make sense, or refused
 * with one sentence. The corpus has lines without their hashes. */
#include "fuzz.h"

#include "io/files/chain.h"
#include "session/file.h"

/* Each line without its last byte (its closing brace) gets its hash. */
static void chain_lines(const char *text, size_t len, LpBuf *out) {
    uint64_t chain = LP_CHAIN_START;
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t line = end != NULL ? (size_t)(end - text) - at : len - at;
        lp_chain_line(out, &chain, text + at, line > 0 ? line - 1 : 0);
        at += line + 1;
    }
}

/* Accepted: opened to its end, and every state was the recorded one. */
FUZZ_TARGET(session)(const uint8_t *data, size_t size) {
    LpBuf text = {0};
    LpSession *session = NULL;
    LpLoadReport report;
    LpDiag diag = {0};
    chain_lines((const char *)data, size, &text);
    if (text.len == 0)
        return false;
    LpLoadSpec spec = {.path = "/nowhere/fuzz.session",
                       .max_memory = (size_t)32 << 20,
                       .verify = data[size - 1] % 2 != 0};
    LpErr err = lp_session_load_text(&spec, text.text, text.len, &session, &report, &diag);
    lp_fuzz_must((err == LP_OK) == (session != NULL) && (err == LP_OK || diag.text[0] != '\0'));
    lp_session_close(session);
    lp_buf_fini(&text);
    return err == LP_OK && report.damage_line == 0 && report.differences == 0 &&
           !report.policy_failed;
}
