/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Putting a walk together: what a key is in a script, and what a terminal sends for it. */
#include "live/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a key in an asciicast, and of the wait before another size, which else comes at no time. */
enum { KEY_MS = 150, SIZE_MS = 1 };

LiveWalk live_walk(const char *name, int cols, int rows) {
    LiveWalk walk = {.cols = cols, .rows = rows, .settle_ms = 30000};
    snprintf(walk.name, sizeof walk.name, "%s", name);
    return walk;
}

void live_walk_fini(LiveWalk *walk) {
    free(walk->key);
    free(walk->wide);
    walk->key = NULL;
    walk->wide = NULL;
}

/* Room for one element more. */
static void *grow(void *list, int count, int *room, size_t size) {
    if (count < *room)
        return list;
    *room = *room * 2 + 64;
    list = realloc(list, (size_t)*room * size);
    if (list == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return list;
}

static LiveKey *add(LiveWalk *walk) {
    walk->key = grow(walk->key, walk->keys, &walk->room, sizeof *walk->key);
    LiveKey *key = &walk->key[walk->keys++];
    *key = (LiveKey){.ms = KEY_MS};
    return key;
}

LiveKey *live_walk_press(LiveWalk *walk, const char *name) {
    static const char *const sent[][2] = {
        {"space", " "},      {"Enter", "\r"},      {"Tab", "\t"},      {"S-Tab", "\033[Z"},
        {"Esc", "\033"},     {"Up", "\033OA"},     {"Down", "\033OB"}, {"Right", "\033OC"},
        {"Left", "\033OD"},  {"Home", "\033OH"},   {"End", "\033OF"},  {"PgUp", "\033[5~"},
        {"PgDn", "\033[6~"}, {"F1", "\033OP"},     {"C-r", "\022"},    {"C-l", "\014"},
        {"C-c", "\003"},     {"Backspace", "\177"}};
    LiveKey *key = add(walk);
    snprintf(key->script, sizeof key->script, "%s", name);
    snprintf(key->bytes, sizeof key->bytes, "%s", name);
    for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++)
        if (strcmp(sent[i][0], name) == 0)
            snprintf(key->bytes, sizeof key->bytes, "%s", sent[i][1]);
    return key;
}

LiveKey *live_walk_wait(LiveWalk *walk) {
    LiveKey *key = add(walk);
    key->ms = 0;
    return key;
}

LiveKey *live_walk_type(LiveWalk *walk, const char *command) {
    LiveKey *key = add(walk);
    snprintf(key->script, sizeof key->script, ":type :%s\nEnter", command);
    snprintf(key->bytes, sizeof key->bytes, ":%s\r", command);
    key->ms = KEY_MS * ((int)strlen(command) + 2);
    return key;
}

LiveKey *live_walk_resize(LiveWalk *walk, int cols, int rows) {
    LiveKey *key = add(walk);
    snprintf(key->script, sizeof key->script, ":wait %d\n:size %dx%d", SIZE_MS, cols, rows);
    key->ms = SIZE_MS;
    key->cols = cols;
    key->rows = rows;
    return key;
}

void live_walk_widen(LiveWalk *walk, const char *command) {
    walk->wide = grow(walk->wide, walk->wides, &walk->wide_room, sizeof *walk->wide);
    snprintf(walk->wide[walk->wides++], LIVE_WIDE, "%s", command);
}
