/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of each kind of record in results: all tables of facts, and their schemas. */
#ifndef LP_SAY_RECORDS_H
#define LP_SAY_RECORDS_H

#include "base/fact.h"

/* All tables, behind the last NULL; those of one record follow each other, all rows have what is
 * not optional of the first. */
extern const LpFacts *const lp_fact_tables[];

/* Appends the JSON Schema of a record, "job" for an entry of jobs[], or of a kind of file
 * (io/schema.h). Errors: LP_EINVAL for another name; LP_ENOMEM. */
LpErr lp_result_schema(const char *name, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends lists of a manual, one for each record. */
void lp_result_man(LpBuf *out);

#endif
