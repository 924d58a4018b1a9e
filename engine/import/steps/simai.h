/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads of SimAI and AICB, which are those of ASTRA-sim 1: a transformer's layers with their
 * times and collectives, a line a layer. */
#ifndef LP_IMPORT_STEPS_SIMAI_H
#define LP_IMPORT_STEPS_SIMAI_H

#include "import/rows/format.h"
#include "sim/ranks/ranks_run.h"

typedef enum LpSimaiPhase {
    LP_SIMAI_FORWARD,
    LP_SIMAI_INPUT_GRADIENT,
    LP_SIMAI_WEIGHT_GRADIENT,
    LP_SIMAI_UPDATE, /* has no collective */
    LP_SIMAI_PHASES
} LpSimaiPhase;

enum { LP_SIMAI_CALL_PHASES = LP_SIMAI_UPDATE };

/* Whom a collective joins. */
typedef enum LpSimaiGroup {
    LP_SIMAI_TENSOR,
    LP_SIMAI_DATA,
    LP_SIMAI_EXPERT,
    LP_SIMAI_EXPERT_DATA,
    LP_SIMAI_GROUPS
} LpSimaiGroup;

typedef struct LpSimaiLayer {
    double ns[LP_SIMAI_PHASES];
    double bytes[LP_SIMAI_CALL_PHASES]; /* 0: no collective */
    uint8_t call[LP_SIMAI_CALL_PHASES]; /* LpTraceCall */
    uint8_t group[LP_SIMAI_CALL_PHASES];
    bool again; /* its forward is computed again before its gradients */
} LpSimaiLayer;

typedef struct LpSimai {
    const char *kind;
    double tensor, expert, pipeline, virtual_pipeline, micro_batches;
    double gpus; /* <= 0: nobody says */
    bool gpus_of_file;
    double pipeline_bytes, mode;
    double data; /* < 0: unknown */
    LpSimaiLayer *layer;
    size_t layers, cap;
    uint64_t empty;     /* collectives of 0 bytes, which are none */
    LpStepTrace *trace; /* made when it is asked for; NULL: not yet */
    bool ran;           /* alone, on the network of the options */
    LpTraceRun run;
} LpSimai;

const char *lp_simai_phase_word(LpSimaiPhase phase); /* "forward" */
const char *lp_simai_group_word(LpSimaiGroup group); /* "tp" */
/* How many ranks a group of the kind has; 0: unknown. */
double lp_simai_group_ranks(const LpSimai *simai, LpSimaiGroup group);
/* Is it a kind of parallelism, as the first word of a file? The kind's own text, or NULL. */
const char *lp_simai_kind(const char *word, size_t len);
/* Reads a file. LP_EPARSE at its line, also for GPUs that its ways do not divide. */
LpErr lp_simai_read(const char *file, const LpImportOptions *options, LpSimai *simai,
                    LpDiag *diag) LP_MUST_USE;
/* Why it is no trace that can be run, in words; NULL: it can be. */
const char *lp_simai_refusal(const LpSimai *simai);
/* The workload as a trace of all its ranks, the caller's (lp_step_trace_free). LP_EINVAL where it
 * is refused; LP_ELIMIT, LP_ENOMEM. */
LpErr lp_simai_trace(const LpSimai *simai, LpStepTrace **out, LpDiag *diag) LP_MUST_USE;

#endif
