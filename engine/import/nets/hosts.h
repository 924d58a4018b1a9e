/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: names as a list such as "node[01-18,20],login". */
#ifndef LP_IMPORT_NETS_HOSTS_H
#define LP_IMPORT_NETS_HOSTS_H

#include "base/str.h"

/* Writes the names as a list that lp_hostlist_expand (model/tree/hostlist.h) reads back. False,
 * with nothing written, where one of them holds a bracket, a comma or a blank, is empty or too
 * long. O(length of all names). */
bool lp_hosts_fold(const char *const *name, size_t count, LpBuf *out);

#endif
