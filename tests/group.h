/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry of a file of tests. Several files are one program (tests/main.c), which is quicker to
 * link than a program each; each is run as a process of its own all the same. */
#ifndef LP_TESTS_GROUP_H
#define LP_TESTS_GROUP_H

/* Begins the function that runs the tests of a file and returns the exit status of its process.
 * The name is that of the file: TEST_GROUP(test_sim_hash) { ... } in test_sim_hash.c. */
#define TEST_GROUP(name)                                                                           \
    int name(void);                                                                                \
    int name(void)

#endif
