/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding names that differ by a number alone. */
#include "import/nets/hosts.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS_MAX = 9, HOST_TEXT = 256 }; /* as lp_hostlist_expand has them */

/* A name as text, number, text: the last digits of the name that fit. */
typedef struct Split {
    size_t before, width, after; /* bytes; width 0: no number */
    uint32_t number;
} Split;

static Split split(const char *name) {
    size_t len = strlen(name), end = len;
    Split s = {.before = len};
    while (end > 0 && (name[end - 1] < '0' || name[end - 1] > '9'))
        end--;
    while (end > 0 && s.width < DIGITS_MAX && name[end - s.width - 1] >= '0' &&
           name[end - s.width - 1] <= '9') {
        s.width++;
        if (s.width == end)
            break;
    }
    if (s.width == 0)
        return s;
    s.before = end - s.width;
    s.after = len - end;
    for (size_t i = s.before; i < end; i++)
        s.number = 10 * s.number + (uint32_t)(name[i] - '0');
    return s;
}

static bool alike(const char *a, const Split *s, const char *b, const Split *t) {
    return s->width > 0 && t->width > 0 && s->before == t->before && s->after == t->after &&
           memcmp(a, b, s->before) == 0 &&
           memcmp(a + s->before + s->width, b + t->before + t->width, s->after) == 0;
}

/* Does the number t.number, written with s.width digits at least, look as t does? */
static bool next_of(const Split *s, const Split *t, uint32_t number) {
    size_t digits = 1;
    for (uint32_t rest = number; rest >= 10; rest /= 10)
        digits++;
    return t->number == number && t->width == (digits > s->width ? digits : s->width);
}

bool lp_hosts_fold(const char *const *name, size_t count, LpBuf *out) {
    for (size_t i = 0; i < count; i++)
        if (name[i][0] == '\0' || strpbrk(name[i], "[], \t") != NULL ||
            strlen(name[i]) >= HOST_TEXT - DIGITS_MAX)
            return false;
    for (size_t i = 0; i < count;) {
        Split s = split(name[i]), t;
        size_t group = i + 1; /* names that share text before and after */
        lp_buf_add(out, i > 0 ? "," : "");
        while (group < count && (t = split(name[group]), alike(name[i], &s, name[group], &t)))
            group++;
        if (group == i + 1) {
            lp_buf_add(out, name[i++]);
            continue;
        }
        lp_buf_add_bytes(out, name[i], s.before);
        lp_buf_add(out, "[");
        size_t before = s.before + s.width;
        const char *after = name[i] + before;
        for (size_t first = i, run; first < group; first += run) {
            Split a = split(name[first]);
            for (run = 1; first + run < group; run++) {
                t = split(name[first + run]);
                if (!next_of(&a, &t, a.number + (uint32_t)run))
                    break;
            }
            lp_buf_addf(out, "%s%0*u", first > i ? "," : "", (int)a.width, a.number);
            if (run > 1)
                lp_buf_addf(out, "-%0*u", (int)a.width, a.number + (uint32_t)run - 1);
        }
        lp_buf_addf(out, "]%s", after);
        i = group;
    }
    return true;
}
