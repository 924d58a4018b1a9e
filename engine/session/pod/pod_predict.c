/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a slice's links to its loads and times. */
#include "session/pod/pod_predict.h"

#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/pod/pod_load.h"
#include "session/pod/loads.h"
#include "session/words/read_pod.h"

/* ---- loads ---- */

static LpErr intact_load(const LpPod *pod, const LpSlice *slice, double *out, LpDiag *diag) {
    LpPodNet net;
    LP_TRY(lp_pod_net(pod, slice, NULL, 0, &net, diag));
    LpErr err = lp_slice_greatest_load(pod, slice, &net, out, diag);
    lp_pod_net_fini(&net);
    return err;
}

/* The same extents, switched and not twisted. */
static LpErr plain_load(const LpPod *pod, const LpSlice *slice, double *out, LpDiag *diag) {
    LpPod switched = *pod;
    LpSlice plain = *slice;
    switched.fixed = plain.twisted = false;
    for (int d = 0; d < 3; d++) {
        plain.closed[d] = slice->cubes > 0;
        for (int e = 0; e < 3; e++)
            plain.shift[d][e] = 0;
    }
    return intact_load(&switched, &plain, out, diag);
}

/* ---- one slice ---- */

static double mean_distance(double sum, uint32_t sources, uint32_t nodes) {
    return nodes > 1 ? sum / ((double)sources * (nodes - 1.0)) : 0;
}

/* From the accelerators that stand for all. */
static LpErr measure_alike(const LpPodNet *net, LpSlicePrediction *p, LpDiag *diag) {
    double sum;
    uint32_t *source = lp_alloc(net->nodes, sizeof *source);
    if (source == NULL)
        return lp_fail_memory(diag, "distances in a slice");
    uint32_t sources = lp_pod_sources(&p->pod, &p->slice, net, source);
    LpErr err = lp_pod_distances(net, source, sources, &p->diameter, &sum, diag);
    lp_free(source);
    if (err == LP_OK)
        p->mean_distance = mean_distance(sum, sources, net->nodes);
    return err != LP_OK ? err : lp_slice_greatest_load(&p->pod, &p->slice, net, &p->load, diag);
}

/* From each of them, distances and loads at once. */
static LpErr measure_each(const LpPodNet *net, LpSlicePrediction *p, LpDiag *diag) {
    LpPodLoads loads;
    LP_TRY(lp_pod_loads(&p->pod, &p->slice, net, &loads, diag));
    p->load = lp_pod_loads_greatest(net, loads.load);
    p->diameter = loads.diameter;
    p->mean_distance = mean_distance(loads.distances, net->nodes, net->nodes);
    lp_free(loads.load);
    return LP_OK;
}

static LpErr measure(const LpPodNet *net, LpSlicePrediction *p, LpDiag *diag) {
    double plain;
    LP_TRY((net->odd ? measure_each : measure_alike)(net, p, diag));
    for (int d = 0; d < 3; d++)
        LP_TRY(lp_pod_ring(&p->pod, &p->slice, net, d, &p->ring[d], diag));
    p->intact_load = p->load;
    if (net->lost > 0)
        LP_TRY(intact_load(&p->pod, &p->slice, &p->intact_load, diag));
    LP_TRY(plain_load(&p->pod, &p->slice, &plain, diag));
    p->gain = p->load > 0 ? plain / p->load : 1;
    p->lost = net->lost;
    p->cross_connects = lp_slice_circuits(&p->pod, &p->slice) - net->lost;
    p->replaced = lp_slice_replaced(&p->pod, &p->slice);
    p->all_to_all_time = lp_pod_all_to_all(&p->pod, &p->slice, p->load, p->diameter, p->bytes);
    p->all_reduce_time = lp_pod_all_reduce(&p->pod, &p->slice, p->ring, p->bytes);
    return LP_OK;
}

static LpErr read_option(const char *name, const char *text, LpDimension dimension, double *out,
                         LpDiag *diag) {
    LpDiag inner;
    double value;
    if (text == NULL)
        return LP_OK;
    if (lp_quantity_parse(text, dimension, &value, &inner) != LP_OK)
        return lp_fail(diag, LP_EINVAL, "%s: %s", name, inner.text);
    if (value < 0)
        return lp_fail(diag, LP_EINVAL, "%s is %s: expected 0 or more", name, text);
    *out = value;
    return LP_OK;
}

static LpErr read_spec(const LpSliceSpec *spec, LpSlicePrediction *p, LpDiag *diag) {
    const char *fabric = spec->fabric == NULL ? "pod:64" : spec->fabric;
    LP_TRY(lp_pod_read(fabric, spec->set, spec->sets, &p->pod, diag));
    p->bytes = 1e9;
    LP_TRY(read_option("--bandwidth", spec->bandwidth, LP_DIM_BANDWIDTH, &p->pod.link_bandwidth,
                       diag));
    LP_TRY(read_option("--latency", spec->latency, LP_DIM_TIME, &p->pod.link_delay, diag));
    LP_TRY(read_option("--io-latency", spec->io_latency, LP_DIM_TIME, &p->pod.io_latency, diag));
    LP_TRY(read_option("--bytes", spec->bytes, LP_DIM_BYTES, &p->bytes, diag));
    return lp_slice_read(spec->slice, &p->pod, &p->slice, diag);
}

LpErr lp_slice_measure(const LpPod *pod, const LpSlice *slice, double bytes, LpSlicePrediction *out,
                       LpDiag *diag) {
    LpSlicePrediction p = {.pod = *pod, .slice = *slice, .bytes = bytes};
    LpPodNet net;
    LP_TRY(lp_pod_net(pod, slice, NULL, 0, &net, diag));
    LpErr err = measure(&net, &p, diag);
    lp_pod_net_fini(&net);
    if (err == LP_OK)
        *out = p;
    return err;
}

static LpErr check_times(const LpSlicePrediction *p, LpDiag *diag) {
    bool all = isfinite(p->all_reduce_time) && isfinite(p->all_to_all_time);
    return all ? LP_OK
               : lp_fail(diag, LP_EINVAL,
                         "%g bytes over links of %g bytes/s with %g s a hop: the time is larger "
                         "than any number",
                         p->bytes, p->pod.link_bandwidth, p->pod.link_delay);
}

LpErr lp_slice_predict(const LpSliceSpec *spec, LpSlicePrediction *out, LpDiag *diag) {
    LpPodDead dead[LP_POD_DEAD_MAX];
    size_t deads;
    LpSlicePrediction p = {0};
    LpPodNet net;
    LP_TRY(read_spec(spec, &p, diag));
    LP_TRY(lp_pod_read_dead(spec->dead, dead, &deads, diag));
    LP_TRY(lp_pod_net(&p.pod, &p.slice, dead, deads, &net, diag));
    LpErr err = measure(&net, &p, diag);
    lp_pod_net_fini(&net);
    LP_TRY(err);
    LP_TRY(check_times(&p, diag));
    *out = p;
    return LP_OK;
}
