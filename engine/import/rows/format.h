/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a format of others is to lightpath: a row of the table in import/formats.c. A reader is one
 * file that has such a row, and knows nothing of other formats. */
#ifndef LP_IMPORT_ROWS_FORMAT_H
#define LP_IMPORT_ROWS_FORMAT_H

#include "base/json_out.h"
#include "import/rows/rows.h"

typedef enum LpFormatMakes {
    LP_MAKES_JOBS,      /* rows that become jobs */
    LP_MAKES_CLUSTER,   /* servers, switches, cables */
    LP_MAKES_STEP,      /* one training step as ranks saw it */
    LP_MAKES_PROFILE,   /* a graph of lightpath's own */
    LP_MAKES_FAULTS,    /* lines for a scenario's failures.trace */
    LP_MAKES_GENERATOR, /* a scenario that draws its jobs */
} LpFormatMakes;

typedef struct LpNet LpNet; /* import/nets/net.h */

/* An import under way: what is read, and what came of it. */
typedef struct LpReading {
    const char *const *file;
    size_t files;
    const LpImportOptions *options;
    const char *called; /* what the report calls the format; the row's unless the reader says */
    LpJobRows *rows;    /* of LP_MAKES_JOBS: made before the reader is called */
    LpNet *net;         /* of LP_MAKES_CLUSTER: made before the reader is called */
    void *own;          /* whatever else the reader made; freed by its `drop` */
} LpReading;

/* The first bytes of a file, unpacked. */
typedef struct LpHead {
    const char *text; /* not NUL-terminated */
    size_t len;
} LpHead;

typedef struct LpFormat {
    const char *name;   /* on the command line: "slurm-topology" */
    const char *called; /* in reports: "slurm topology"; NULL: the name */
    const char *what;   /* for help: "jobs of Slurm's accounting: sacct -P" */
    LpFormatMakes makes;
    const char *counts; /* what jobs hold, in reports: "processor"; NULL: GPUs, or --unit */
    size_t least, most; /* files; most 0: any number */
    /* Is it this format? NULL: it cannot be told from its contents. */
    bool (*is)(const LpHead *head);
    /* Reads all files. Errors: LP_EPARSE at file:line, or at a byte of a file; LP_EINVAL for an
     * option that does not fit the files; LP_EIO, LP_ELIMIT, LP_ENOMEM. */
    LpErr (*read)(LpReading *reading, LpDiag *diag);
    /* But for jobs, members of the report after "format" as JSON, with `all` the long lists; and as
     * text: lines of two blanks, a word of at most 17 letters, blanks up to column 20, and what
     * there is to say. NULL: there is no more to say. */
    void (*report)(const LpReading *reading, bool all, LpJsonOut *json);
    void (*text)(const LpReading *reading, LpBuf *out);
    /* Of profiles, faults, generators: the file of lightpath's own that becomes of it; NULL: none.
     */
    LpErr (*write)(const LpReading *reading, LpBuf *out, LpDiag *diag);
    /* Of steps: the trace, which stays the reading's unless it is taken; then nothing but `drop`
     * may follow. Errors: LP_EINVAL with the reason where it cannot be run; LP_ENOMEM. */
    LpErr (*step)(const LpReading *reading, bool take, struct LpStepTrace **out,
                  struct LpTraceRules *rules, LpDiag *diag);
    void (*drop)(void *own); /* NULL where the reader makes nothing of its own */
} LpFormat;

/* Does the text stand in the head? */
bool lp_head_has(const LpHead *head, const char *text);
/* Does the head begin with the text? */
bool lp_head_begins(const LpHead *head, const char *text);
/* Does the first line of the head have all these names (NULL ends them) among its fields? */
bool lp_head_columns(const LpHead *head, char separator, const char *const *names);

#endif
