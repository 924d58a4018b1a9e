/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of JSON lines in which each line carries a hash of itself and of all lines before it, so
 * that damage is found and located; made for appending. */
#ifndef LP_IO_FILES_CHAIN_H
#define LP_IO_FILES_CHAIN_H

#include <stdint.h>

#include "base/hash.h"
#include "io/json/json.h"

#define LP_CHAIN_START LP_HASH_INIT

/* Appends a line: `body`, a JSON object without its closing brace and without line ends, then
 * ,"chain":"0123456789abcdef"} and a line end. *chain goes on. */
void lp_chain_line(LpBuf *out, uint64_t *chain, const char *body, size_t len);

/* ---- reading ---- */

typedef struct LpChainReader {
    const char *file; /* for messages; borrowed */
    char *text;       /* borrowed, is written to; text[len] is 0 */
    size_t len, at;
    uint64_t chain;
    int line;  /* number of the line that was read last */
    bool cut;  /* the line that failed has no end: so it is after a crash */
    char *end; /* of that line; private */
} LpChainReader;

/* The next line as a document, owned by the caller, who frees it before the next call; NULL at the
 * end of the file. Errors: LP_EIO where the line's hash is not right or its end is missing;
 * LP_EPARSE, LP_ELIMIT; all with the line's number. After an error nothing more can be read. */
LpErr lp_chain_next(LpChainReader *reader, LpJson **out, LpDiag *diag) LP_MUST_USE;

/* Does the file begin as a session does? Never blocks; false where it cannot be read: errno then
 * says why, and is 0 where it was read. */
bool lp_chain_is_session(const char *path);

#endif
