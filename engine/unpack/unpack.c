/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members one after the other, and where in the packed file they are. */
#include "unpack/unpack.h"

#include <string.h>

#include "base/mem.h"
#include "unpack/unpack_impl.h"

struct LpUnpack {
    const LpUnpackKind *kind;
    void *state;
    LpContainer container;
    uint64_t at;                           /* bytes of the packed file that were taken */
    bool inside;                           /* a member has begun and is not at its end */
    bool again;                            /* one has ended */
    unsigned char head[LP_CONTAINER_HEAD]; /* of a member whose first bytes are awaited */
    size_t heads;
};

static const unsigned char MAGIC[][LP_CONTAINER_HEAD] = {
    [LP_CONTAINER_GZIP] = {0x1f, 0x8b},
    [LP_CONTAINER_ZSTD] = {0x28, 0xb5, 0x2f, 0xfd},
};
static const size_t MAGIC_LEN[] = {[LP_CONTAINER_GZIP] = 2, [LP_CONTAINER_ZSTD] = 4};
static const char *const NAME[] = {[LP_CONTAINER_GZIP] = "gzip", [LP_CONTAINER_ZSTD] = "zstd"};

LpContainer lp_container_of(const void *head, size_t len) {
    for (int c = LP_CONTAINER_GZIP; c <= LP_CONTAINER_ZSTD; c++)
        if (len >= MAGIC_LEN[c] && memcmp(head, MAGIC[c], MAGIC_LEN[c]) == 0)
            return (LpContainer)c;
    return LP_CONTAINER_NONE;
}

LpErr lp_unpack_new(LpContainer container, LpUnpack **out, LpDiag *diag) {
    LpUnpack *u = lp_alloc(1, sizeof *u);
    if (u == NULL)
        return lp_fail_memory(diag, "a packed file");
    u->kind = container == LP_CONTAINER_GZIP ? &lp_unpack_gzip : &lp_unpack_zstd;
    u->container = container;
    LpErr err = u->kind->begin(&u->state, diag);
    if (err != LP_OK) {
        lp_free(u);
        return err;
    }
    *out = u;
    return LP_OK;
}

void lp_unpack_free(LpUnpack *u) {
    if (u == NULL)
        return;
    u->kind->end(u->state);
    lp_free(u);
}

static LpErr fail(const LpUnpack *u, const char *what, LpDiag *diag) {
    return lp_fail(diag, LP_EPARSE, "byte %llu: %s", (unsigned long long)u->at, what);
}

/* What follows a member is another one or nothing: its first bytes are looked at before the
 * library sees them, since zlib would call any others an unknown method. */
static LpErr begin_member(LpUnpack *u, const unsigned char *in, size_t len, size_t *used,
                          LpDiag *diag) {
    size_t need = MAGIC_LEN[u->container];
    while (u->heads < need && *used < len)
        u->head[u->heads++] = in[(*used)++];
    if (memcmp(u->head, MAGIC[u->container], u->heads) != 0)
        return fail(u, "what follows the packed data is neither more of it nor the file's end",
                    diag);
    if (u->heads < need)
        return LP_OK;
    if (u->again)
        LP_TRY(u->kind->again(u->state, diag));
    LpUnpackStep step = {.in = u->head, .len = u->heads};
    unsigned char none;
    step.out = &none;
    u->kind->step(u->state, &step);
    if (step.bad != NULL || step.used != u->heads)
        return fail(u, step.bad != NULL ? step.bad : "no packed data", diag);
    u->at += u->heads;
    u->heads = 0;
    u->inside = true;
    return LP_OK;
}

LpErr lp_unpack_step(LpUnpack *u, const void *in, size_t len, size_t *used, void *out, size_t room,
                     size_t *made, LpDiag *diag) {
    const unsigned char *from = in;
    *used = 0;
    *made = 0;
    /* a library may hold output back for which there was no room */
    while ((*used < len || u->inside) && *made < room) {
        if (!u->inside) {
            LP_TRY(begin_member(u, from, len, used, diag));
            continue;
        }
        LpUnpackStep step = {.in = from + *used,
                             .len = len - *used,
                             .out = (unsigned char *)out + *made,
                             .room = room - *made};
        u->kind->step(u->state, &step);
        *used += step.used;
        *made += step.made;
        u->at += step.used;
        if (step.no_memory)
            return lp_fail_memory(diag, "a packed file");
        if (step.bad != NULL)
            return fail(u, step.bad, diag);
        if (step.ended) {
            u->inside = false;
            u->again = true;
        } else if (step.used == 0 && step.made == 0) {
            break;
        }
    }
    return LP_OK;
}

LpErr lp_unpack_end(const LpUnpack *u, LpDiag *diag) {
    if (u->inside || u->heads > 0 || !u->again)
        return lp_fail(diag, LP_EPARSE, "byte %llu: the %s data end before their end",
                       (unsigned long long)(u->at + u->heads), NAME[u->container]);
    return LP_OK;
}
