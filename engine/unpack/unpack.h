/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that were packed by gzip or zstd, unpacked piece by piece. Which it is, the first bytes
 * say: a file's name means nothing. zlib is linked; zstd is loaded when first used, and a machine
 * that lacks it reads all but such files. */
#ifndef LP_UNPACK_UNPACK_H
#define LP_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef enum LpContainer {
    LP_CONTAINER_NONE, /* as it is */
    LP_CONTAINER_GZIP, /* 1f 8b (RFC 1952) */
    LP_CONTAINER_ZSTD, /* 28 b5 2f fd (RFC 8878) */
} LpContainer;

enum { LP_CONTAINER_HEAD = 4 }; /* bytes that tell */

/* What a file is that begins with these bytes. */
LpContainer lp_container_of(const void *head, size_t len);

typedef struct LpUnpack LpUnpack;

/* An unpacker of a gzip or zstd file. Errors: LP_ENOMEM; LP_EIO where zstd's library is missing. */
LpErr lp_unpack_new(LpContainer container, LpUnpack **out, LpDiag *diag) LP_MUST_USE;
void lp_unpack_free(LpUnpack *unpack); /* NULL allowed */

/* Unpacks from `in` into `out`: *used of `len` bytes were taken and *made of `room` bytes written;
 * goes on until one of the two is exhausted. Several members (gzip) or frames (zstd) follow one
 * another. Errors: LP_EPARSE, whose sentence names the byte of the packed file, counted from 0;
 * LP_ENOMEM. After an error nothing more can be unpacked. */
LpErr lp_unpack_step(LpUnpack *unpack, const void *in, size_t len, size_t *used, void *out,
                     size_t room, size_t *made, LpDiag *diag) LP_MUST_USE;
/* There is no more input. Errors: LP_EPARSE where a member is not at its end. */
LpErr lp_unpack_end(const LpUnpack *unpack, LpDiag *diag) LP_MUST_USE;

#endif
