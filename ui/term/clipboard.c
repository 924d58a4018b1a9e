/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "term/clipboard.h"

#include <stdint.h>

/* Base64 of up to three bytes. */
static void encode3(const unsigned char *from, size_t len, char to[4]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t word = (uint32_t)from[0] << 16 | (len > 1 ? (uint32_t)from[1] << 8 : 0) |
                    (len > 2 ? (uint32_t)from[2] : 0);
    for (size_t i = 0; i < 4; i++)
        to[i] = i <= len ? digits[word >> (18 - 6 * i) & 63] : '=';
}

void lp_clipboard_command(const char *text, size_t len, LpBuf *out) {
    const unsigned char *from = (const unsigned char *)text;
    char four[4];
    lp_buf_add(out, "\033]52;c;");
    for (size_t i = 0; i < len; i += 3) {
        encode3(from + i, len - i < 3 ? len - i : 3, four);
        lp_buf_add_bytes(out, four, sizeof four);
    }
    lp_buf_add(out, "\a");
}
