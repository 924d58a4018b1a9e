/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways in which a policy can fail: one table of names that never change their meaning. They
 * stand in LpDiag.kind, in the results of `run --json` and in messages. */
#ifndef LP_SCRIPT_SANDBOX_FAULT_H
#define LP_SCRIPT_SANDBOX_FAULT_H

/* X(NAME, "name", "meaning"): new ones may come, none is reused. */
#define LP_FAULT_TABLE(X)                                                                          \
    X(SYNTAX, "syntax", "the file is not Lua")                                                     \
    X(LOAD, "load", "the file raised an error while it was loaded")                                \
    X(CONTRACT, "contract", "what the file returned is no policy")                                 \
    X(RUNTIME, "runtime", "a hook raised an error")                                                \
    X(ANSWER, "answer", "what a hook returned, or left in self.mem, cannot be used")               \
    X(REFUSED, "refused", "the cluster's rules refuse an action or order")                         \
    X(BUDGET, "budget", "a hook used up its instructions")                                         \
    X(MEMORY, "memory", "a hook used up its memory")                                               \
    X(WATCHDOG, "watchdog",                                                                        \
      "a hook took too long all the same: the run stops, nothing is decided")                      \
    X(ENGINE, "engine", "the program itself failed")

typedef enum LpFault {
#define X(name, text, meaning) LP_FAULT_##name,
    LP_FAULT_TABLE(X)
#undef X
        LP_FAULT_COUNT
} LpFault;

static inline const char *lp_fault_name(LpFault fault) {
    static const char *const NAMES[] = {
#define X(name, text, meaning) text,
        LP_FAULT_TABLE(X)
#undef X
    };
    return NAMES[fault];
}

#endif
