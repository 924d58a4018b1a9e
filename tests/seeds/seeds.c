/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The corpus of one fuzz target, without a fuzzer: every seed is accepted, so that mutations of it
 * come further than to the first check, and what is called refused is. The program is test_NAME for
 * the target and corpus NAME. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "../fuzz/fuzz.h"

#define CORPUS LP_SOURCEDIR "/tests/fuzz/corpus/"

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Is the seed what its name says? */
static bool check(const char *folder, const char *name) {
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
    bool refused = strncmp(name, "refused", 7) == 0, accepted = lp_fuzz_input(bytes, size);
    printf("%s seed %s is %s\n", accepted != refused ? "ok" : "not ok", name,
           accepted ? "accepted" : "refused");
    return accepted != refused;
}

int main(int count, char **word) {
    char folder[4096];
    struct dirent **entry;
    const char *slash = count > 0 ? strrchr(word[0], '/') : NULL;
    const char *name = strstr(slash != NULL ? slash : "", "test_");
    if (name == NULL)
        return 2;
    snprintf(folder, sizeof folder, CORPUS "%s", name + strlen("test_"));
    int seeds = scandir(folder, &entry, visible, by_name), wrong = 0, accepted = 0;
    for (int i = 0; i < seeds; i++) {
        wrong += !check(folder, entry[i]->d_name);
        accepted += strncmp(entry[i]->d_name, "refused", 7) != 0;
        free(entry[i]);
    }
    if (seeds >= 0)
        free(entry);
    printf("%s there are seeds for %s\n", accepted > 0 ? "ok" : "not ok", name);
    return wrong > 0 || accepted == 0;
}
