/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: lists of hosts as Slurm writes them, "node[01-18,20],login". */
#ifndef LP_IMPORT_NETS_HOSTS_H
#define LP_IMPORT_NETS_HOSTS_H

#include "base/str.h"

/* Gets the names of a list one after the other. */
typedef LpErr LpHostTaker(void *user, const char *host, LpDiag *diag);

/* Calls `take` for each name that the list stands for, in order. A name has one bracket at most;
 * numbers keep their leading zeros. Empty names between commas are passed over. Errors: LP_EPARSE
 * naming the part that is no list of hosts; LP_ELIMIT for one that stands for more than 2^20;
 * those of `take`. */
LpErr lp_hosts_each(const char *list, LpHostTaker *take, void *user, LpDiag *diag) LP_MUST_USE;

/* Writes the names as a list that lp_hosts_each reads back. False, with nothing written, where one
 * of them holds a bracket, a comma or a blank, or is empty. O(length of all names). */
bool lp_hosts_fold(const char *const *name, size_t count, LpBuf *out);

#endif
