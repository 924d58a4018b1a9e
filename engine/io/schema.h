/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Schemas of the files that are read, made from the readers' own tables of keys. */
#ifndef LP_IO_SCHEMA_H
#define LP_IO_SCHEMA_H

#include "io/json/json.h"

/* Appends the schema (draft 2020-12) of "scenario", "lesson" (its key in a scenario), "theme" or
 * "keys". Errors: LP_EINVAL for another name; LP_ENOMEM. What is read by a function of its own and
 * has no shape may be anything there: a schema never refuses a good file. */
LpErr lp_schema_add(const char *name, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
