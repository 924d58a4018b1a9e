/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of hosts, unfolded and folded. */
#include "import/nets/hosts.h"

#include <stdint.h>
#include <string.h>

enum { HOSTS_MAX = 1 << 20, DIGITS_MAX = 9, HOST_TEXT = 256 };

static LpErr no_list(const char *part, size_t len, LpDiag *diag) {
    char text[HOST_TEXT];
    if (len >= sizeof text)
        len = sizeof text - 1;
    memcpy(text, part, len);
    text[len] = '\0';
    return lp_fail(diag, LP_EPARSE, "\"%s\" is no list of hosts, expected such as node[01-18,20]",
                   text);
}

/* Digits at the text: how many, 0 where there are none or too many. */
static int digits_at(const char *text, uint32_t *value) {
    int digits = 0;
    for (*value = 0; text[digits] >= '0' && text[digits] <= '9'; digits++)
        if (digits < DIGITS_MAX)
            *value = 10 * *value + (uint32_t)(text[digits] - '0');
    return digits <= DIGITS_MAX ? digits : 0;
}

/* A name with one bracket: `open` and `close` are where it stands in part[0..len). */
static LpErr each_of(const char *part, size_t len, size_t open, size_t close, uint32_t *count,
                     LpHostTaker *take, void *user, LpDiag *diag) {
    char host[HOST_TEXT];
    LpBuf name = {0};
    const char *at = part + open + 1;
    LpErr err = LP_OK;
    while (err == LP_OK) {
        uint32_t first, last;
        int width = digits_at(at, &first), more = width;
        last = first;
        at += width;
        if (width > 0 && *at == '-') {
            more = digits_at(at + 1, &last);
            at += 1 + more;
        }
        if (width == 0 || more == 0 || last < first || (*at != ',' && at != part + close)) {
            err = no_list(part, len, diag);
            break;
        }
        if (last - first >= HOSTS_MAX || *count > HOSTS_MAX - (last - first + 1)) {
            err = lp_fail(diag, LP_ELIMIT, "more than %d hosts in a list", (int)HOSTS_MAX);
            break;
        }
        *count += last - first + 1;
        for (uint32_t i = first; err == LP_OK && i <= last; i++) {
            lp_buf_clear(&name);
            lp_buf_add_bytes(&name, part, open);
            lp_buf_addf(&name, "%0*u", width, i);
            lp_buf_add_bytes(&name, part + close + 1, len - close - 1);
            err = lp_buf_ok(&name, diag);
            if (err == LP_OK)
                err = take(user, lp_str_copy(host, sizeof host, lp_buf_text(&name)), diag);
        }
        if (at == part + close)
            break;
        at++;
    }
    lp_buf_fini(&name);
    return err;
}

LpErr lp_hosts_each(const char *list, LpHostTaker *take, void *user, LpDiag *diag) {
    uint32_t count = 0;
    for (const char *part = list; *part != '\0';) {
        char host[HOST_TEXT];
        size_t len = 0, open = SIZE_MAX, close = SIZE_MAX;
        int brackets = 0;
        for (; part[len] != '\0' && (part[len] != ',' || brackets % 2 == 1); len++) {
            if (part[len] != '[' && part[len] != ']')
                continue;
            if ((part[len] == '[') != (brackets % 2 == 0) || brackets >= 2)
                return no_list(part, strlen(part), diag);
            *(part[len] == '[' ? &open : &close) = len;
            brackets++;
        }
        size_t letters = brackets == 2 ? len - (close - open) + DIGITS_MAX : len;
        if (brackets == 1 || letters >= sizeof host)
            return no_list(part, len, diag);
        if (brackets == 2) {
            LP_TRY(each_of(part, len, open, close, &count, take, user, diag));
        } else if (len > 0) {
            memcpy(host, part, len);
            host[len] = '\0';
            if (++count > HOSTS_MAX)
                return lp_fail(diag, LP_ELIMIT, "more than %d hosts in a list", (int)HOSTS_MAX);
            LP_TRY(take(user, host, diag));
        }
        part += len;
        part += *part == ',';
    }
    return LP_OK;
}

/* ---- folding ---- */

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
