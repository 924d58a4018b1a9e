/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of several test groups. It runs the one that it is called by, as a link has the name of
 * each (build/release/tests/unit/test_sim_hash), or that its first argument names. */
#include <stdio.h>
#include <string.h>

typedef struct Group {
    const char *name;
    int (*run)(void);
} Group;

/* The Makefile says which: -DGROUPS='GROUP(test_sim_hash) GROUP(test_sim_past)' */
#define GROUP(name) int name(void);
GROUPS
#undef GROUP
#define GROUP(name) {#name, name},
static const Group group[] = {GROUPS};

enum { COUNT = sizeof group / sizeof group[0] };

static const Group *find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(group[i].name, name) == 0)
            return &group[i];
    return NULL;
}

int main(int argc, char **argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const Group *chosen = argc > 0 ? find(slash != NULL ? slash + 1 : argv[0]) : NULL;
    if (chosen == NULL && argc > 1)
        chosen = find(argv[1]);
    if (chosen != NULL)
        return chosen->run();
    fprintf(stderr, "no test group is named; there are:\n");
    for (int i = 0; i < COUNT; i++)
        fprintf(stderr, "  %s\n", group[i].name);
    return 2;
}
