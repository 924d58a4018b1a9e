/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 64-bit hashing: one multiply-xorshift round per eight bytes, read little-endian everywhere. */
#include "base/hash.h"

#include <string.h>

#include "base/assert.h"

uint64_t lp_hash_u64(uint64_t h, uint64_t value) {
    /* A bijection of (h ^ value), the finaliser of splitmix64 (Steele, Lea, Flood 2014): nothing of
     * the running state is lost, and each input bit reaches every output bit. */
    uint64_t z = (h ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t lp_hash_f64(uint64_t h, double value) {
    uint64_t bits;
    if (value == 0.0)
        value = 0.0; /* -0.0 */
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        bits = UINT64_C(0x7ff8000000000000);
    return lp_hash_u64(h, bits);
}

static uint64_t load_le(const unsigned char *bytes, size_t len) {
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

/* Spelt out so that compilers make one load of it where the machine is little-endian. */
static uint64_t load8(const unsigned char *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

uint64_t lp_hash_bytes(uint64_t h, const void *data, size_t len) {
    LP_ASSERT(data != NULL || len == 0);
    const unsigned char *bytes = data;
    size_t left = len;
    for (; left >= 8; left -= 8, bytes += 8)
        h = lp_hash_u64(h, load8(bytes));
    if (left)
        h = lp_hash_u64(h, load_le(bytes, left));
    return lp_hash_u64(h, len);
}

uint64_t lp_hash_text(uint64_t h, const char *text) {
    return lp_hash_bytes(h, text, text ? strlen(text) : 0);
}

const char *lp_hash_hex(uint64_t h, char buf[LP_HASH_HEX]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < LP_HASH_HEX - 1; i++)
        buf[i] = digits[h >> (60 - 4 * i) & 15];
    buf[LP_HASH_HEX - 1] = '\0';
    return buf;
}
