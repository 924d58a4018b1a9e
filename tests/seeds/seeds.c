/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The corpora of the fuzz targets, without a fuzzer: every seed is accepted, so that mutations of
 * it come further than to the first check, and what is called refused is. The test of the target
 * and corpus NAME is test_NAME. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "../fuzz/fuzz.h"
#include "group.h"

#define CORPUS LP_SOURCEDIR "/tests/fuzz/corpus/"

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Is the seed what its name says? */
static bool check(const char *folder, const char *name, bool (*accepts)(const uint8_t *, size_t)) {
    char path[4096];
    static uint8_t bytes[2 << 20];
    snprintf(path, sizeof path, "%.3800s/%.255s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("not ok %s cannot be read\n", name);
        return false;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    bool refused = strncmp(name, "refused", 7) == 0, accepted = accepts(bytes, size);
    printf("%s seed %s is %s\n", accepted != refused ? "ok" : "not ok", name,
           accepted ? "accepted" : "refused");
    return accepted != refused;
}

/* Asks the target about each seed of the corpus `name`; returns the exit status of the process. */
static int ask(const char *name, bool (*accepts)(const uint8_t *, size_t)) {
    char folder[4096];
    struct dirent **entry;
    snprintf(folder, sizeof folder, CORPUS "%s", name);
    int seeds = scandir(folder, &entry, visible, by_name), wrong = 0, accepted = 0;
    for (int i = 0; i < seeds; i++) {
        wrong += !check(folder, entry[i]->d_name, accepts);
        accepted += strncmp(entry[i]->d_name, "refused", 7) != 0;
        free(entry[i]);
    }
    if (seeds >= 0)
        free(entry);
    printf("%s there are seeds for test_%s\n", accepted > 0 ? "ok" : "not ok", name);
    return wrong > 0 || accepted == 0;
}

/* The Makefile says which targets there are: -DTARGETS='TARGET(theme) TARGET(keymap)' */
#define TARGET(name)                                                                               \
    bool lp_fuzz_##name(const uint8_t *data, size_t size);                                         \
    TEST_GROUP(test_##name) {                                                                      \
        return ask(#name, lp_fuzz_##name);                                                         \
    }
TARGETS
