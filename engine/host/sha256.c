/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compression function and the padding, with the names of FIPS 180-4. */
#include "host/sha256.h"

#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, unsigned n) {
    return x >> n | x << (32 - n);
}

static void schedule(const uint8_t *block, uint32_t w[64]) {
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void take_block(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64], v[8]; /* v: a to h */
    schedule(block, w);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t e = v[4], a = v[0];
        uint32_t S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        uint32_t ch = (e & v[5]) ^ (~e & v[6]);
        uint32_t T1 = v[7] + S1 + ch + K[t] + w[t];
        uint32_t S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        uint32_t maj = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
        memmove(&v[1], &v[0], 7 * sizeof v[0]);
        v[4] += T1;
        v[0] = T1 + S0 + maj;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void lp_sha256_begin(LpSha256 *sha) {
    static const LpSha256 BEGIN = {.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    *sha = BEGIN;
}

void lp_sha256_add(LpSha256 *sha, const void *data, size_t len) {
    const uint8_t *at = data;
    size_t held = (size_t)(sha->bytes % LP_SHA256_BLOCK);
    sha->bytes += len;
    while (len > 0) {
        if (held == 0 && len >= LP_SHA256_BLOCK) {
            take_block(sha->state, at);
            at += LP_SHA256_BLOCK;
            len -= LP_SHA256_BLOCK;
            continue;
        }
        size_t room = LP_SHA256_BLOCK - held, part = len < room ? len : room;
        memcpy(sha->block + held, at, part);
        at += part;
        len -= part;
        held = (held + part) % LP_SHA256_BLOCK;
        if (held == 0)
            take_block(sha->state, sha->block);
    }
}

const char *lp_sha256_end(LpSha256 *sha, char out[LP_SHA256_HEX]) {
    static const char digits[] = "0123456789abcdef";
    static const uint8_t padding[LP_SHA256_BLOCK] = {0x80};
    uint64_t bits = sha->bytes * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    /* As many zeros after the bit as leave room for the length in the last block. */
    lp_sha256_add(sha, padding, 1 + (119 - (size_t)(sha->bytes % LP_SHA256_BLOCK)) % 64);
    lp_sha256_add(sha, length, sizeof length);
    for (int i = 0; i < 32; i++) {
        uint8_t byte = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
        out[2 * i] = digits[byte >> 4];
        out[2 * i + 1] = digits[byte & 15];
    }
    out[LP_SHA256_HEX - 1] = '\0';
    return out;
}

const char *lp_sha256_of(const void *data, size_t len, char out[LP_SHA256_HEX]) {
    LpSha256 sha;
    lp_sha256_begin(&sha);
    lp_sha256_add(&sha, data, len);
    return lp_sha256_end(&sha, out);
}
