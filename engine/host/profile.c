/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises profile files. */
#include "host/profile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "io/files/file.h"

/* Only the keys of the outermost object count: a graph's op may be called anything. text[len] is
 * 0. */
static bool has_outer_key(const char *text, size_t len, const char *key) {
    size_t want = strlen(key);
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '{' || text[i] == '[')
            depth++;
        else if (text[i] == '}' || text[i] == ']')
            depth--;
        if (text[i] != '"')
            continue;
        size_t start = ++i;
        while (i < len && text[i] != '"')
            i += text[i] == '\\' ? 2 : 1;
        if (depth == 1 && i < len && i - start == want && memcmp(text + start, key, want) == 0 &&
            text[i + 1 + strspn(text + i + 1, " \t\r\n")] == ':')
            return true;
    }
    return false;
}

LpProfileFormat lp_profile_format(const char *text, size_t len) {
    size_t at = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    at += strspn(text + at, " \t\r\n");
    if (at >= len || text[at] != '{')
        return LP_PROFILE_PIPEDREAM;
    return has_outer_key(text + at, len - at, "lightpath_profile") ? LP_PROFILE_OWN
                                                                   : LP_PROFILE_NEITHER;
}

LpErr lp_profile_detect(const char *file, size_t max_input, LpProfileFormat *out, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_file_read(file, max_input, &text, &len, diag));
    *out = lp_profile_format(text, len);
    lp_free(text);
    return LP_OK;
}

/* The last part of a path of len bytes: *start and its length. */
static size_t last_part(const char *path, size_t len, size_t *start) {
    while (len > 1 && path[len - 1] == '/')
        len--;
    *start = len;
    while (*start > 0 && path[*start - 1] != '/')
        --*start;
    return len - *start;
}

const char *lp_profile_name(const char *file, char *buf, size_t size) {
    size_t start, len = last_part(file, strlen(file), &start), folder;
    if (len == strlen("graph.txt") && memcmp(file + start, "graph.txt", len) == 0 && start > 0) {
        size_t outer = last_part(file, start, &folder);
        if (outer > 0 && file[folder] != '.' && file[folder] != '/') {
            snprintf(buf, size, "%.*s", (int)outer, file + folder);
            return buf;
        }
    }
    const char *dot = memchr(file + start, '.', len);
    const char *last = NULL;
    for (; dot != NULL; dot = strchr(dot + 1, '.'))
        last = dot;
    if (last != NULL && last > file + start)
        len = (size_t)(last - (file + start));
    snprintf(buf, size, "%.*s", (int)len, file + start);
    return buf;
}
