/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every fuzz target defines, and what they share. */
#ifndef LP_TESTS_FUZZ_H
#define LP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Takes any bytes; aborts where a promise is broken. True: the input was accepted, as every seed of
 * the corpus has to be whose name does not begin with "refused" (tests/seeds). */
bool lp_fuzz_input(const uint8_t *data, size_t size);

/* The path of a regular file with these bytes, until the next call; for what reads files only. */
const char *lp_fuzz_file(const void *data, size_t size);

/* The bytes in a block of just their size and a NUL (free): a sanitizer sees the byte behind. */
char *lp_fuzz_text(const uint8_t *data, size_t size);

static inline void lp_fuzz_must(bool fine) {
    if (!fine)
        abort();
}

#endif
