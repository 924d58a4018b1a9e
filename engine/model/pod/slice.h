/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods: cubes of n x n x n accelerators whose faces are joined by circuit switches, or for good.
 * What a pod is made of, which slices of it there are, and which circuits a slice takes.
 * docs/pods.md has the model; sizes are checked here and nowhere else. */
#ifndef LP_MODEL_POD_SLICE_H
#define LP_MODEL_POD_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Sizes up to which pods are accepted. */
enum { LP_POD_CUBE_MAX = 32, LP_POD_ACCELERATORS_MAX = 65536 };

/* Plain data. Rates in bytes/s, times in s. */
typedef struct LpPod {
    uint32_t cube;    /* accelerators along an edge of a cube, n */
    uint32_t cubes;   /* C */
    uint32_t grid[3]; /* of cubes, for static wiring; its product is `cubes` */
    uint32_t ports;   /* of a switch */
    bool fixed;       /* static wiring: faces joined for good in a torus of `grid` cubes */
    bool sequential;  /* collectives: one dimension after the other, not all three at once */
    double link_bandwidth, link_delay, io_latency, efficiency, twist_efficiency;
} LpPod;

/* A pod of `cubes` cubes with n = 4, switched, the grid with the least longest edge, 136 ports or
 * what the cubes need and 8 more, links of 50 GB/s and 1 us, 1 us at both ends. */
void lp_pod_defaults(LpPod *pod, uint32_t cubes);
/* The grid that lp_pod_defaults takes: factors g0 <= g1 <= g2 with the least g2, then the least g1.
 */
void lp_pod_grid(uint32_t cubes, uint32_t grid[3]);
/* LP_EINVAL with the numbers: what does not fit together. */
LpErr lp_pod_check(const LpPod *pod, LpDiag *diag) LP_MUST_USE;
/* 3 n^2: switches, and also circuits of one cube. */
uint32_t lp_pod_switches(const LpPod *pod);

/* Why a slice has no place in the pod even when it is empty and nothing is broken. */
typedef enum LpSliceMisfit { LP_SLICE_FITS, LP_SLICE_TOO_LARGE, LP_SLICE_NO_BOX } LpSliceMisfit;

/* A slice in slice coordinates, whose extents ascend. Plain data. */
typedef struct LpSlice {
    uint32_t extent[3]; /* accelerators: X <= Y <= Z */
    uint32_t size[3];   /* cubes; 1, 1, 1 for a part */
    uint32_t cubes;     /* of the slice; 0 for a part of one */
    uint32_t accelerators;
    bool twisted;     /* wired so */
    bool asked_twist; /* asked for; on static wiring it runs plain */
    bool closed[3];   /* rings; otherwise lines */
    LpSliceMisfit misfit;
    uint32_t shift[3][3]; /* cubes that passing the end of [d] adds along each dimension */
} LpSlice;

/* Reads "4x4x8" or "4x4x8 twisted" (any order of the extents) and settles what the pod makes of it
 * when it is empty. LP_EINVAL in one sentence with the numbers: no such slice, too large, no twist;
 * *out unchanged then. */
LpErr lp_slice_read(const char *text, const LpPod *pod, LpSlice *out, LpDiag *diag) LP_MUST_USE;

/* The same, but a slice that has no place here is one, too: see misfit. */
LpErr lp_slice_ask(const char *text, const LpPod *pod, LpSlice *out, LpDiag *diag) LP_MUST_USE;
/* The shape of `accelerators` with the least Z, then the least Y, whole cubes or a part; twisted
 * where `twist` and the shape allows it. LP_EINVAL where no shape has that size. O(divisors). */
LpErr lp_slice_of_size(uint32_t accelerators, const LpPod *pod, bool twist, LpSlice *out,
                       LpDiag *diag) LP_MUST_USE;

/* Every slice of `accelerators` accelerators that the pod can have, or could if it were larger: by
 * Z, the longest, then Y, plain before twisted. Writes the first `room` of them into out (NULL
 * allowed with 0) and returns how many there are. O(accelerators divisors). */
uint32_t lp_slice_shapes(uint32_t accelerators, const LpPod *pod, LpSlice *out, uint32_t room);
/* Do both ask for the same? */
bool lp_slice_same(const LpSlice *a, const LpSlice *b);

/* The cube after ordinal `o` along dimension d, as an ordinal; LP_NO_INDEX where the slice ends. */
uint32_t lp_slice_next(const LpSlice *slice, int d, uint32_t o);
/* Circuits of the intact slice: 3 n^2 a cube on switched wiring, none of a part. */
uint32_t lp_slice_circuits(const LpPod *pod, const LpSlice *slice);
/* Circuits that are set when one cube is replaced. */
uint32_t lp_slice_replaced(const LpPod *pod, const LpSlice *slice);
/* "4x4x8 twisted" */
enum { LP_SLICE_TEXT = 64 };
const char *lp_slice_name(const LpSlice *slice, char text[LP_SLICE_TEXT]);

#endif
