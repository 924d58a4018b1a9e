/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is one long list in JSON, read entry by entry: the memory is that of one entry. */
#ifndef LP_IMPORT_ROWS_JSON_LIST_H
#define LP_IMPORT_ROWS_JSON_LIST_H

#include "io/json/json.h"

typedef struct LpJsonList LpJsonList;

/* Opens the file, or "-". `of` says what the entries are, "jobs" (a constant); `max` as of
 * lp_lines_open. Errors: those of reading; LP_EPARSE where the file is no list. */
LpErr lp_json_list_open(const char *file, uint64_t max, const char *of, LpJsonList **out,
                        LpDiag *diag) LP_MUST_USE;
void lp_json_list_close(LpJsonList *list); /* NULL allowed */

/* The next entry, valid until the next call; *more false: the list has ended, and nothing but
 * blanks follows it. Errors: LP_EPARSE at file:line:col, LP_ELIMIT for an entry over 16 MiB; those
 * of reading. O(its bytes). */
LpErr lp_json_list_next(LpJsonList *list, LpJsonValue *entry, bool *more, LpDiag *diag) LP_MUST_USE;
/* Turns the place of an error inside the entry that was read last, as functions of io/json give it,
 * into that in the file. */
void lp_json_list_place(const LpJsonList *list, LpDiag *diag);

#endif
