/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When components of a cluster break and are mended: processes of chance, each component with a
 * clock and a random stream of its own, and traces. Which kinds a fabric has says
 * model/fabric/component.h. The list that comes of them depends on the seed and
 * on nothing else: not on jobs, policies or the order in which it is asked. */
#ifndef LP_MODEL_POD_OUTAGE_H
#define LP_MODEL_POD_OUTAGE_H

#include <stddef.h>

#include "base/rng.h"
#include "model/pod/slice.h"

/* X(ID, word): in the order in which those of one instant happen. */
#define LP_OUTAGE_KINDS(X)                                                                         \
    X(DOMAIN, domain)                                                                              \
    X(CUBE, cube)                                                                                  \
    X(HOST, host)                                                                                  \
    X(ACCELERATOR, accelerator)                                                                    \
    X(SERVER, server)                                                                              \
    X(LINK, link)                                                                                  \
    X(CIRCUIT, circuit)                                                                            \
    X(SWITCH, switch)                                                                              \
    X(CABLE, cable)
typedef enum LpOutageKind {
#define X(id, word) LP_OUTAGE_##id,
    LP_OUTAGE_KINDS(X)
#undef X
        LP_OUTAGE_COUNT
} LpOutageKind;
const char *lp_outage_word(LpOutageKind kind);
int lp_outage_find(const char *word); /* -1 when unknown */
/* Names of the kinds whose count is not 0: "server, link or switch". Cut off at size. Returns buf.
 */
const char *lp_outage_kinds(const uint32_t counts[LP_OUTAGE_COUNT], char *buf, size_t size);

/* A time that is drawn, s. */
typedef enum LpOutageLaw {
    LP_OUTAGE_NEVER,
    LP_OUTAGE_FIXED,       /* a */
    LP_OUTAGE_EXPONENTIAL, /* mean a */
    LP_OUTAGE_WEIBULL,     /* scale a, shape b: a exp(ln(-ln u)/b) */
    LP_OUTAGE_LOGNORMAL    /* median a, sigma b: a exp(b z) */
} LpOutageLaw;
typedef struct LpOutageTime {
    LpOutageLaw law;
    double a, b;
} LpOutageTime;
/* INFINITY of LP_OUTAGE_NEVER, and where it is larger than any number. */
double lp_outage_mean(const LpOutageTime *time);

/* What is drawn is at most so long, s: sums of accelerator-seconds stay numbers. */
#define LP_OUTAGE_LONGEST 1e15

typedef struct LpOutageProcess {
    LpOutageTime fails, repair;
} LpOutageProcess;

/* A line of a trace. */
typedef struct LpOutageFault {
    double time, duration;
    uint32_t kind, index;
} LpOutageFault;

/* Components with a process. */
enum { LP_OUTAGE_CLOCKS_MAX = 1 << 20 };

/* What a scenario says; plain data, the faults are the caller's. */
typedef struct LpOutages {
    bool any;
    LpOutageProcess process[LP_OUTAGE_COUNT];
    uint32_t faults;
    const LpOutageFault *fault; /* ascending in kind, index, time; those of one component apart */
} LpOutages;

/* Reads lines `time_s,kind,index,duration_s`, # begins a comment, and a first line of these very
 * words is the header; sorts them, and joins those of
 * one component that overlap or touch. Kinds of which counts has none are unknown. *out (room for a
 * line each) and *count. LP_EINVAL with the number of the line, at `file` (NULL: the lines are of
 * none).
 */
LpErr lp_outage_trace(const char *file, const char *text, const uint32_t counts[LP_OUTAGE_COUNT],
                      LpOutageFault *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* The preset "nsdi24": per day .08 % of hosts, .04 % of switches, .005 % of cables; a day to mend.
 */
void lp_outage_nsdi24(LpOutages *outages);

/* One thing that happens. At one instant: mends, then failures, by kind, then index. */
typedef struct LpOutageEvent {
    double time;
    uint32_t kind, index;
    uint32_t number; /* of the component's failures, from 0 */
    uint32_t fails;  /* else it is mended */
} LpOutageEvent;

/* The list of one seed, made as far as it is asked for. */
typedef struct LpOutageList LpOutageList;
LpErr lp_outage_list_new(const LpOutages *outages, const uint32_t counts[LP_OUTAGE_COUNT],
                         uint64_t seed, LpOutageList **out) LP_MUST_USE; /* LP_ENOMEM */
void lp_outage_list_free(LpOutageList *list);                            /* NULL allowed */
uint64_t lp_outage_list_seed(const LpOutageList *list);
/* Event number `at` from 0; NULL in *out: the list has no more than `at`. Valid until the next
 * call. Errors: LP_ENOMEM. O(log components) for each that is made. */
LpErr lp_outage_list_at(LpOutageList *list, uint32_t at, const LpOutageEvent **out) LP_MUST_USE;

#endif
