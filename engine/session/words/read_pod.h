/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pod, a slice and what is dead as people write them on a command line. */
#ifndef LP_SESSION_WORDS_READ_POD_H
#define LP_SESSION_WORDS_READ_POD_H

#include "model/pod/net.h"

enum { LP_POD_DEAD_MAX = 64 };

/* "pod:64" or "pod:64:static", and then every PATH=VALUE, whose paths begin with cluster.pod. and
 * whose keys are those of docs/pods.md. LP_EINVAL in one sentence; *out unchanged then. */
LpErr lp_pod_read(const char *fabric, const char *const *set, uint32_t sets, LpPod *out,
                  LpDiag *diag) LP_MUST_USE;
/* "switch:32,switch:33,cable:5"; a number alone is of the kind before it. NULL: nothing. */
LpErr lp_pod_read_dead(const char *text, LpPodDead dead[LP_POD_DEAD_MAX], size_t *count,
                       LpDiag *diag) LP_MUST_USE;

#endif
