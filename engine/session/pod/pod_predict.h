/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath predict slice:4x4x8`: a slice of a pod as a network. */
#ifndef LP_SESSION_POD_POD_PREDICT_H
#define LP_SESSION_POD_POD_PREDICT_H

#include "base/str.h"
#include "model/pod/slice.h"
#include "model/pod/times.h"

/* Texts are borrowed for the call. */
typedef struct LpSliceSpec {
    const char *slice;                            /* "4x4x8 twisted" */
    const char *fabric;                           /* "pod:64"; NULL: that */
    const char *bandwidth, *latency, *io_latency; /* of a link, a hop, both ends; NULL: as usual */
    const char *dead;                             /* "switch:32"; NULL: nothing */
    const char *bytes;                            /* NULL: 1 GB */
    uint32_t sets;
    const char *const *set; /* cluster.pod.KEY=VALUE */
} LpSliceSpec;

/* Plain data. */
typedef struct LpSlicePrediction {
    LpPod pod;
    LpSlice slice;
    double bytes;
    double load; /* greatest of a directed link under all-to-all of one unit per pair */
    uint32_t diameter;
    double mean_distance; /* over ordered pairs */
    double intact_load;   /* of the same slice with nothing dead */
    double gain;          /* rate of all-to-all over that of the plain, switched, intact slice */
    double all_to_all_time, all_reduce_time;
    uint32_t cross_connects, replaced, lost;
    LpPodRing ring[3];
} LpSlicePrediction;

/* Errors: what cannot be read or is no slice, in one sentence with the numbers; LP_EREFUSED where
 * what is left of it falls apart; LP_ENOMEM. Cost: as lp_slice_loads. */
LpErr lp_slice_predict(const LpSliceSpec *spec, LpSlicePrediction *out, LpDiag *diag) LP_MUST_USE;

/* As lp_slice_predict, for an intact slice of this pod and collectives of `bytes` bytes. Errors:
 * LP_ENOMEM. */
LpErr lp_slice_measure(const LpPod *pod, const LpSlice *slice, double bytes, LpSlicePrediction *out,
                       LpDiag *diag) LP_MUST_USE;

#endif
