/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 64-bit hashing of plain data: same value on every machine, compiler and optimisation level.
 * Not cryptographic. */
#ifndef LP_BASE_HASH_H
#define LP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { LP_HASH_HEX = 17 }; /* 16 digits and the NUL */

#define LP_HASH_INIT UINT64_C(0x9e3779b97f4a7c15)

/* Mixes one value into a running hash (start with LP_HASH_INIT). */
uint64_t lp_hash_u64(uint64_t h, uint64_t value);
/* Doubles hash by bit pattern, -0.0 as 0.0 and every NaN alike. */
uint64_t lp_hash_f64(uint64_t h, double value);
/* Bytes, independent of alignment and byte order; the length is mixed in. O(len). */
uint64_t lp_hash_bytes(uint64_t h, const void *data, size_t len);
uint64_t lp_hash_text(uint64_t h, const char *text); /* NULL hashes as "" */
/* 16 lower-case hex digits. Returns buf. */
const char *lp_hash_hex(uint64_t h, char buf[LP_HASH_HEX]);

#endif
