/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/debug_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { SHOWN = 60 };

static const char *const rooms[LP_DEBUG_COUNT] = {
#define X(id, name, first, second) [LP_DEBUG_##id] = name,
    LP_DEBUG_ROOMS(X)
#undef X
};

/* ---- lists of rooms ---- */

static LpErr fail_room(const char *word, size_t len, LpDiag *diag) {
    char own[SHOWN], shown[SHOWN];
    LpBuf names = {0};
    snprintf(own, sizeof own, "%.*s", (int)(len < SHOWN ? len : SHOWN - 1), word);
    for (int i = 0; i < LP_DEBUG_COUNT; i++)
        lp_buf_addf(&names, "%s%s", i > 0 ? ", " : "", rooms[i]);
    LpErr err = lp_fail(diag, LP_EINVAL,
                        "\"%s\" is no room of the log: expected some of %s, or all, with commas "
                        "between them, each with a level such as :2 or without",
                        lp_str_show(shown, sizeof shown, own), lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

static bool names_room(const char *name, const char *word, size_t len) {
    return strlen(name) == len && strncmp(name, word, len) == 0;
}

/* Reads `word` of `len` bytes: "light:2", "sim" or "all:1". */
static LpErr parse_room(uint8_t level[LP_DEBUG_COUNT], const char *word, size_t len, LpDiag *diag) {
    const char *colon = memchr(word, ':', len);
    size_t name = colon != NULL ? (size_t)(colon - word) : len;
    int wanted = colon != NULL && len == name + 2 ? colon[1] - '0' : 1;
    bool all = names_room("all", word, name), found = all;
    if (colon != NULL && (len != name + 2 || wanted < 1 || wanted > LP_DEBUG_LEVELS))
        return lp_fail(diag, LP_EINVAL, "the level of a room of the log is 1 or %d, as in sim:%d",
                       LP_DEBUG_LEVELS, LP_DEBUG_LEVELS);
    for (int i = 0; i < LP_DEBUG_COUNT; i++) {
        if (!all && !names_room(rooms[i], word, name))
            continue;
        level[i] = (uint8_t)wanted;
        found = true;
    }
    return found ? LP_OK : fail_room(word, name, diag);
}

LpErr lp_debug_parse(LpDebugLog *log, const char *list, LpDiag *diag) {
    uint8_t level[LP_DEBUG_COUNT] = {0};
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        LP_TRY(parse_room(level, at, len, diag));
        at += len;
        if (*at == '\0')
            break;
    }
    memcpy(log->level, level, sizeof level);
    return LP_OK;
}

/* ---- lines ---- */

void lp_debug_line(const LpDebugLog *log, LpDebugRoom room, unsigned level, const char *fmt, ...) {
    char line[LP_DEBUG_LINE];
    va_list args;
    if (log->write == NULL)
        return;
    int len = snprintf(line, sizeof line, "%.9g s %s ", log->now, rooms[room]);
    va_start(args, fmt);
    vsnprintf(line + len, sizeof line - (size_t)len, fmt, args);
    va_end(args);
    log->write(log->user, room, level, line);
}

const char *lp_debug_numbers(const uint32_t *number, uint32_t count, char buf[LP_DEBUG_NUMBERS]) {
    size_t len = 0;
    buf[0] = '\0';
    for (uint32_t i = 0; i < count && i < LP_DEBUG_SHOWN; i++)
        len += (size_t)snprintf(buf + len, LP_DEBUG_NUMBERS - len, " %u", number[i]);
    if (count > LP_DEBUG_SHOWN)
        snprintf(buf + len, LP_DEBUG_NUMBERS - len, " and %u more", count - LP_DEBUG_SHOWN);
    return buf;
}
