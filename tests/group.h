/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry of a file of tests. Several files are one program (tests/main.c), which is quicker to
 * link than a program each; each is run as a process of its own all the same. */
#ifndef LP_TESTS_GROUP_H
#define LP_TESTS_GROUP_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Begins the function that runs the tests of a file and returns the exit status of its process.
 * The name is that of the file: TEST_GROUP(test_sim_hash) { ... } in test_sim_hash.c. */
#define TEST_GROUP(name)                                                                           \
    int name(void);                                                                                \
    int name(void)

/* Cases that differ by their seed or their size alone: `make test` tries every third of them, with
 * LP_CASES=few (under sanitizers, where each takes five times as long) every eighth, and with
 * LP_CASES=all (make nightly) every one. CASES_SEED says where it begins to count. */
static inline unsigned test_every(void) {
    const char *cases = getenv("LP_CASES");
    if (cases == NULL)
        return 3;
    return strcmp(cases, "all") == 0 ? 1 : strcmp(cases, "few") == 0 ? 8 : 3;
}

/* Are they so few that nothing can be said of their mean? */
static inline bool test_few(void) {
    return test_every() > 3;
}

/* Is the case with this number tried? */
static inline bool test_taken(unsigned number) {
    const char *seed = getenv("CASES_SEED");
    return (number + (seed != NULL ? (unsigned)atoi(seed) : 0)) % test_every() == 0;
}

/* How many of `all` are tried, at least one. */
static inline unsigned test_share(unsigned all) {
    unsigned share = (all + test_every() - 1) / test_every();
    return share > 0 ? share : 1;
}

#endif
