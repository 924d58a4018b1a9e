/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chained JSON lines: the hash of a line is that of the line before, gone on with its bytes. */
#include "io/files/chain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MIDDLE[] = ",\"chain\":\"", END[] = "\"}";

enum { MIDDLE_LEN = sizeof MIDDLE - 1, DIGITS = LP_HASH_HEX - 1, END_LEN = sizeof END - 1 };
enum { TAIL_LEN = MIDDLE_LEN + DIGITS + END_LEN };

void lp_chain_line(LpBuf *out, uint64_t *chain, const char *body, size_t len) {
    char hex[LP_HASH_HEX];
    *chain = lp_hash_bytes(*chain, body, len);
    lp_buf_add_bytes(out, body, len);
    lp_buf_addf(out, "%s%s%s\n", MIDDLE, lp_hash_hex(*chain, hex), END);
}

/* ---- reading ---- */

static LpErr fail_line(const LpChainReader *r, LpErr code, const char *what, LpDiag *diag) {
    return lp_fail_at(diag, code, r->file, r->line, 0, "%s", what);
}

static bool tail_is_right(const char *line, size_t len, uint64_t chain) {
    char tail[TAIL_LEN + 1], hex[LP_HASH_HEX];
    snprintf(tail, sizeof tail, "%s%s%s", MIDDLE, lp_hash_hex(chain, hex), END);
    return memcmp(line + len - TAIL_LEN, tail, TAIL_LEN) == 0;
}

LpErr lp_chain_next(LpChainReader *r, LpJson **out, LpDiag *diag) {
    if (r->end != NULL) /* the text is left as it was found */
        *r->end = '\n';
    r->end = NULL;
    if (r->at >= r->len) {
        *out = NULL;
        return LP_OK;
    }
    char *line = r->text + r->at, *end = memchr(line, '\n', r->len - r->at);
    size_t len = end != NULL ? (size_t)(end - line) : r->len - r->at;
    r->line++;
    r->at += len + 1;
    r->cut = end == NULL;
    if (len < TAIL_LEN)
        return fail_line(r, LP_EIO, end == NULL ? "the line is cut off" : "the line is damaged",
                         diag);
    uint64_t chain = lp_hash_bytes(r->chain, line, len - TAIL_LEN);
    if (!tail_is_right(line, len, chain))
        return fail_line(r, LP_EIO,
                         end == NULL ? "the line is cut off"
                                     : "the line is damaged, or is not the one that was written "
                                       "after the line before",
                         diag);
    line[len] = '\0';
    r->end = end;
    LpErr err = lp_json_parse(r->file, line, len, out, diag);
    if (err != LP_OK) {
        if (diag != NULL)
            diag->line = r->line;
        return err;
    }
    r->chain = chain;
    return LP_OK;
}

bool lp_chain_is_session(const char *path) {
    static const char head[] = "{\"lightpath-session\":";
    char begin[sizeof head - 1];
    struct stat about;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false; /* errno says why */
    errno = 0;
    bool is = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
              read(fd, begin, sizeof begin) == (ssize_t)sizeof begin &&
              memcmp(begin, head, sizeof begin) == 0;
    (void)close(fd);
    return is;
}
