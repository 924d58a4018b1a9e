/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

const char *lp_fuzz_file(const void *data, size_t size) {
    static FILE *file; /* without a name: nothing stays behind */
    static char path[40];
    if (file == NULL) {
        lp_fuzz_must((file = tmpfile()) != NULL);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    }
    lp_fuzz_must(ftruncate(fileno(file), 0) == 0 &&
                 pwrite(fileno(file), data, size, 0) == (ssize_t)size);
    return path;
}

char *lp_fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    lp_fuzz_must(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}
