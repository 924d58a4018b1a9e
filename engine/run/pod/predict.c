/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a slice's links to its loads and times. */
#include "run/pod/predict.h"

#include "base/mem.h"
#include "base/num.h"
#include "graph/loads.h"
#include "run/pod/read.h"

/* ---- loads of links, by igraph ---- */

typedef struct Links {
    uint32_t *src, *dst, *side; /* side: the direction, 0..5 */
    double *load;
    uint32_t count;
} Links;

static void links_fini(Links *l) {
    lp_free(l->src);
    lp_free(l->dst);
    lp_free(l->side);
    lp_free(l->load);
}

static LpErr links_init(Links *l, const LpPodNet *net, LpDiag *diag) {
    *l = (Links){.src = lp_alloc(net->links, sizeof *l->src),
                 .dst = lp_alloc(net->links, sizeof *l->dst),
                 .side = lp_alloc(net->links, sizeof *l->side),
                 .load = lp_alloc(net->links, sizeof *l->load)};
    if (!l->src || !l->dst || !l->side || !l->load) {
        links_fini(l);
        return lp_fail_memory(diag, "the links of a slice");
    }
    for (uint32_t k = 0; k < 6 * net->nodes; k++)
        if (net->to[k] != LP_NO_INDEX) {
            l->src[l->count] = k / 6;
            l->dst[l->count] = net->to[k];
            l->side[l->count++] = k % 6;
        }
    return LP_OK;
}

/* From one source of a network that looks alike from everywhere: what one direction's links carry
 * of its units is what each of them carries of all. */
static double greatest_direction(const Links *l) {
    double sum[6] = {0}, most = 0;
    for (uint32_t e = 0; e < l->count; e++)
        sum[l->side[e]] += l->load[e];
    for (int k = 0; k < 6; k++)
        most = sum[k] > most ? sum[k] : most;
    return most;
}

static double greatest_link(const Links *l) {
    double most = 0;
    for (uint32_t e = 0; e < l->count; e++)
        most = l->load[e] > most ? l->load[e] : most;
    return most;
}

/* Decimals of a load: sums of thousands of shares are no better. */
enum { LOAD_DECIMALS = 9 };

static LpErr find_load(const LpPodNet *net, bool alike, double *out, LpDiag *diag) {
    Links links;
    LP_TRY(links_init(&links, net, diag));
    LpEdgeList list = {net->nodes, links.count, links.src, links.dst};
    LpErr err = lp_graph_loads(&list, alike ? 1 : net->nodes, links.load, diag);
    if (err == LP_OK)
        *out =
            lp_num_round(alike ? greatest_direction(&links) : greatest_link(&links), LOAD_DECIMALS);
    links_fini(&links);
    return err;
}

static bool is_alike(const LpSlice *s, uint32_t lost) {
    return s->closed[0] && s->closed[1] && s->closed[2] && lost == 0;
}

static LpErr load_of_net(const LpSlice *slice, const LpPodNet *net, double *out, LpDiag *diag) {
    return find_load(net, is_alike(slice, net->lost), out, diag);
}

static LpErr intact_load(const LpPod *pod, const LpSlice *slice, double *out, LpDiag *diag) {
    LpPodNet net;
    LP_TRY(lp_pod_net(pod, slice, NULL, 0, &net, diag));
    LpErr err = load_of_net(slice, &net, out, diag);
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

static LpErr measure(const LpPodNet *net, LpSlicePrediction *p, LpDiag *diag) {
    bool alike = is_alike(&p->slice, net->lost);
    double sum, plain, n = net->nodes, sources = alike ? 1 : n;
    LP_TRY(lp_pod_distances(net, alike ? 1 : net->nodes, &p->diameter, &sum, diag));
    p->mean_distance = n > 1 ? sum / (sources * (n - 1)) : 0;
    for (int d = 0; d < 3; d++)
        LP_TRY(lp_pod_ring(&p->pod, &p->slice, net, d, &p->ring[d], diag));
    LP_TRY(load_of_net(&p->slice, net, &p->load, diag));
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
    if (err == LP_OK)
        *out = p;
    return err;
}
