/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of other programs as lightpath's own: which formats there are, reading one, and what is
 * told and made of it. */
#ifndef LP_IMPORT_IMPORT_H
#define LP_IMPORT_IMPORT_H

#include "import/rows/format.h"

/* All formats, as help, completion, `auto` and the manual show them. */
size_t lp_formats(const LpFormat *const **out);
/* NULL: there is none of this name. */
const LpFormat *lp_format_find(const char *name);
/* By name; LP_EINVAL with a suggestion and the names that there are. */
LpErr lp_format_named(const char *name, const LpFormat **out, LpDiag *diag) LP_MUST_USE;
/* Which format a file is of, by its first bytes; *out NULL: none that can be told. Errors:
 * LP_EPARSE where it is empty; those of reading it. */
LpErr lp_format_of(const char *file, const LpFormat **out, LpDiag *diag) LP_MUST_USE;

/* "a scenario", "a trace of failures": what an import makes of it. */
const char *lp_format_becomes(const LpFormat *format);
/* A file that was to be a scenario and is none (its error is in *diag): where it is of one of the
 * formats, the sentence becomes what it is and the command that imports it. Returns its code. */
LpErr lp_format_hint(const char *file, LpErr err, LpDiag *diag);

/* What was read. */
typedef struct LpImport {
    const LpFormat *format;
    LpImportOptions options;
    LpReading reading;
} LpImport;

/* Reads `files` files as `format`; `file` and the texts of `options` stay the caller's and are used
 * until lp_import_free. `out` is to be freed in any case. Errors: LP_EINVAL for a number of files
 * that the format does not have; those of the format. */
LpErr lp_import_read(const LpFormat *format, const char *const *file, size_t files,
                     const LpImportOptions *options, LpImport *out, LpDiag *diag) LP_MUST_USE;
void lp_import_free(LpImport *import);

/* The doctor's report as one JSON object, with `all` the long lists (jobs, links, nodes by rank);
 * and as text for people. */
LpErr lp_import_json(const LpImport *import, bool all, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_import_text(const LpImport *import, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* The policy that the scenario names: one that uses the requested time where most jobs have one. A
 * constant. O(n). */
const char *lp_import_policy(const LpJobRows *rows);
/* One line on the scenario that is made of a trace of jobs: its load on options.servers (0: those
 * that the doctor advises), its policy and the room of its queue; nothing where no job was taken.
 * O(n). Errors: LP_ENOMEM. */
LpErr lp_import_together(const LpImport *import, LpBuf *out, LpDiag *diag) LP_MUST_USE;

typedef struct LpImportOnto LpImportOnto; /* import/onto.h */
/* Writes what was imported as a file of lightpath's own. Jobs become a scenario on the cluster of
 * `onto` (NULL: `ideal` with as many servers as the report proposes), a cluster a scenario with one
 * small job.
 * The text is made in pieces for `sink`. Errors: LP_EINVAL where nothing can be made of it; those
 * of `sink`; LP_ENOMEM. */
LpErr lp_import_write(const LpImport *import, const LpImportOnto *onto, LpSink sink, void *user,
                      LpDiag *diag) LP_MUST_USE;

/* Jobs of traces for scenarios that name one: "jobs": {"import": "swf", "file": "x.swf.gz"}. */
extern const LpTraceSource lp_import_source;

/* Servers on which the jobs' load is about .82, at least those of the widest job. */
uint32_t lp_import_servers(const LpImport *import);

#endif
