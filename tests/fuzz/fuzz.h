/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every fuzz target is, and what they share. */
#ifndef LP_TESTS_FUZZ_H
#define LP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Begins lp_fuzz_NAME of fuzz_NAME.c: FUZZ_TARGET(NAME)(const uint8_t *data, size_t size) {. It
 * takes any bytes and aborts where a promise is broken. True: the input was accepted, as every seed
 * of the corpus has to be whose name does not begin with "refused" (tests/seeds). The name by which
 * libFuzzer calls it is weak, as tests/seeds links all targets into one program. */
#define FUZZ_TARGET(name)                                                                          \
    bool lp_fuzz_##name(const uint8_t *data, size_t size);                                         \
    __attribute__((weak)) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);            \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                                 \
        (void)lp_fuzz_##name(data, size);                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    bool lp_fuzz_##name

/* The path of a regular file with these bytes, until the next call; for what reads files only. */
const char *lp_fuzz_file(const void *data, size_t size);

/* The bytes in a block of just their size and a NUL (free): a sanitizer sees the byte behind. */
char *lp_fuzz_text(const uint8_t *data, size_t size);

static inline void lp_fuzz_must(bool fine) {
    if (!fine)
        abort();
}

#endif
