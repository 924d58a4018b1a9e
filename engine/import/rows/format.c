/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at the first bytes of a file. */
#include "import/rows/format.h"

#include <string.h>

bool lp_head_begins(const LpHead *head, const char *text) {
    size_t len = strlen(text);
    return head->len >= len && memcmp(head->text, text, len) == 0;
}

bool lp_head_has(const LpHead *head, const char *text) {
    size_t len = strlen(text);
    for (size_t i = 0; i + len <= head->len; i++)
        if (memcmp(head->text + i, text, len) == 0)
            return true;
    return false;
}

static bool has_field(const char *line, size_t len, char separator, const char *name) {
    size_t want = strlen(name);
    for (size_t from = 0; from <= len;) {
        const char *end = memchr(line + from, separator, len - from);
        size_t to = end != NULL ? (size_t)(end - line) : len;
        if (to - from == want && memcmp(line + from, name, want) == 0)
            return true;
        from = to + 1;
    }
    return false;
}

bool lp_head_columns(const LpHead *head, char separator, const char *const *names) {
    const char *end = memchr(head->text, '\n', head->len);
    size_t len = end != NULL ? (size_t)(end - head->text) : head->len;
    if (len > 0 && head->text[len - 1] == '\r')
        len--;
    for (; *names != NULL; names++)
        if (!has_field(head->text, len, separator, *names))
            return false;
    return true;
}
