/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zstd, whose library few machines lack and no build needs: its functions are declared here as its
 * manual has them ("Streaming decompression"), and found when a file asks for them. Their binary
 * interface is fixed since version 1.0. */
#include "base/mem.h"
#include "late/library.h"
#include "unpack/unpack_impl.h"

static const char *const SONAME = "libzstd.so.1";

typedef struct ZstdIn {
    const void *bytes;
    size_t size, at;
} ZstdIn;

typedef struct ZstdOut {
    void *bytes;
    size_t size, at;
} ZstdOut;

/* In the order of NAMES, pointers alone. */
typedef struct Zstd {
    void *(*make)(void);
    size_t (*drop)(void *stream);
    size_t (*init)(void *stream);
    size_t (*run)(void *stream, ZstdOut *out, ZstdIn *in);
    unsigned (*is_error)(size_t result);
    const char *(*error_name)(size_t result);
} Zstd;

static const char *const NAMES[] = {"ZSTD_createDStream", "ZSTD_freeDStream",
                                    "ZSTD_initDStream",   "ZSTD_decompressStream",
                                    "ZSTD_isError",       "ZSTD_getErrorName"};
_Static_assert(sizeof(Zstd) == LP_COUNTOF(NAMES) * sizeof(void *), "pointers alone");

typedef struct State {
    Zstd zstd;
    void *stream;
} State;

static LpErr begin(void **out, LpDiag *diag) {
    State *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return lp_fail_memory(diag, "a packed file");
    LpErr err =
        lp_library_load(SONAME, NAMES, LP_COUNTOF(NAMES), &s->zstd, "a file packed by zstd", diag);
    if (err == LP_OK && (s->stream = s->zstd.make()) == NULL)
        err = lp_fail_memory(diag, "a packed file");
    if (err != LP_OK) {
        lp_free(s);
        return err;
    }
    (void)s->zstd.init(s->stream);
    *out = s;
    return LP_OK;
}

static void step(void *state, LpUnpackStep *step) {
    State *s = state;
    ZstdIn in = {step->in, step->len, 0};
    ZstdOut out = {step->out, step->room, 0};
    size_t result = s->zstd.run(s->stream, &out, &in);
    step->used = in.at;
    step->made = out.at;
    if (s->zstd.is_error(result))
        step->bad = s->zstd.error_name(result);
    step->ended = result == 0;
}

static LpErr again(void *state, LpDiag *diag) {
    State *s = state;
    (void)diag;
    (void)s->zstd.init(s->stream);
    return LP_OK;
}

static void end(void *state) {
    State *s = state;
    (void)s->zstd.drop(s->stream);
    lp_free(s);
}

const LpUnpackKind lp_unpack_zstd = {begin, step, again, end};
