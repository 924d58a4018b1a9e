/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gzip by zlib, which checks each member's sum. */
#include <limits.h>
#define ZLIB_CONST /* input is not written to */
#include <zlib.h>

#include "base/mem.h"
#include "unpack/unpack_impl.h"

enum { GZIP_WINDOW = 15 + 16 }; /* zlib's word for gzip with windows of up to 32 KiB */

static LpErr begin(void **state, LpDiag *diag) {
    z_stream *z = lp_alloc(1, sizeof *z);
    if (z == NULL || inflateInit2(z, GZIP_WINDOW) != Z_OK) {
        lp_free(z);
        return lp_fail_memory(diag, "a packed file");
    }
    *state = z;
    return LP_OK;
}

static void step(void *state, LpUnpackStep *s) {
    z_stream *z = state;
    uInt len = s->len < UINT_MAX ? (uInt)s->len : UINT_MAX;
    uInt room = s->room < UINT_MAX ? (uInt)s->room : UINT_MAX;
    z->next_in = s->in;
    z->avail_in = len;
    z->next_out = s->out;
    z->avail_out = room;
    int result = inflate(z, Z_NO_FLUSH);
    s->used = len - z->avail_in;
    s->made = room - z->avail_out;
    s->ended = result == Z_STREAM_END;
    s->no_memory = result == Z_MEM_ERROR;
    if (result == Z_DATA_ERROR || result == Z_STREAM_ERROR || result == Z_NEED_DICT)
        s->bad = z->msg != NULL ? z->msg : "not what gzip writes";
}

static LpErr again(void *state, LpDiag *diag) {
    return inflateReset(state) == Z_OK ? LP_OK
                                       : lp_fail(diag, LP_EPARSE, "zlib cannot begin a member");
}

static void end(void *state) {
    (void)inflateEnd(state);
    lp_free(state);
}

const LpUnpackKind lp_unpack_gzip = {begin, step, again, end};
