/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (FIPS 180-4), by which people name a file's contents: sha256sum prints the same digits.
 */
#ifndef LP_HOST_SHA256_H
#define LP_HOST_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { LP_SHA256_HEX = 65, LP_SHA256_BLOCK = 64 }; /* 64 digits and the NUL; bytes */

/* Bytes come in pieces of any length. */
typedef struct LpSha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[LP_SHA256_BLOCK]; /* what does not fill a block yet */
} LpSha256;

void lp_sha256_begin(LpSha256 *sha);
void lp_sha256_add(LpSha256 *sha, const void *data, size_t len); /* O(len) */
/* Lower-case digits of all that was added; nothing may be added afterwards. Returns out. */
const char *lp_sha256_end(LpSha256 *sha, char out[LP_SHA256_HEX]);
/* Digits of these bytes alone. Returns out. O(len). */
const char *lp_sha256_of(const void *data, size_t len, char out[LP_SHA256_HEX]);

#endif
