/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of a slice as igraph wants them, and their loads back. */
#include "session/pod/loads.h"

#include "base/mem.h"
#include "base/num.h"
#include "graph/loads.h"
#include "model/pod/pod_load.h"

enum { SIDES = 6 };

typedef struct Links {
    uint32_t *src, *dst, *at; /* at: the link's number, whose rest by 6 is its direction */
    double *load;
    uint32_t count;
    uint32_t *source; /* accelerators that stand for all others, the first ones of the graph */
    uint32_t *number; /* each accelerator's number in the graph */
    uint32_t sources;
    double *sum; /* of the links for whom one stands, by that one's number */
} Links;

static void links_fini(Links *l) {
    void *owned[] = {l->src, l->dst, l->at, l->load, l->source, l->number, l->sum};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
}

static LpErr links_init(Links *l, const LpPod *pod, const LpSlice *slice, const LpPodNet *net,
                        LpDiag *diag) {
    *l = (Links){.src = lp_alloc(net->links, sizeof *l->src),
                 .dst = lp_alloc(net->links, sizeof *l->dst),
                 .at = lp_alloc(net->links, sizeof *l->at),
                 .load = lp_alloc(net->links, sizeof *l->load),
                 .source = lp_alloc(net->nodes, sizeof *l->source),
                 .number = lp_alloc(net->nodes, sizeof *l->number),
                 .sum = lp_alloc(net->nodes, SIDES * sizeof *l->sum)};
    if (!l->src || !l->dst || !l->at || !l->load || !l->source || !l->number || !l->sum) {
        links_fini(l);
        return lp_fail_memory(diag, "the links of a slice");
    }
    /* Sources get the lowest numbers. */
    l->sources = lp_pod_sources(pod, slice, net, l->source);
    for (uint32_t i = 0; i < net->nodes; i++)
        l->number[i] = LP_NO_INDEX;
    for (uint32_t i = 0; i < l->sources; i++)
        l->number[l->source[i]] = i;
    for (uint32_t i = 0, next = l->sources; i < net->nodes; i++)
        if (l->number[i] == LP_NO_INDEX)
            l->number[i] = next++;
    for (uint32_t k = 0; k < SIDES * net->nodes; k++)
        if (net->to[k] != LP_NO_INDEX) {
            l->src[l->count] = l->number[k / SIDES];
            l->dst[l->count] = l->number[net->to[k]];
            l->at[l->count++] = k;
        }
    return LP_OK;
}

static LpErr find(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, Links *links,
                  LpDiag *diag) {
    LpEdgeList list = {net->nodes, links->count, links->src, links->dst};
    LP_TRY(lp_graph_loads(&list, links->sources, links->load, diag));
    /* From the sources alone, what links that look alike carry of their units is what each of them
     * carries of all. */
    for (uint32_t e = 0; e < links->count; e++)
        links->sum[lp_pod_alike_link(pod, slice, net, links->at[e])] += links->load[e];
    for (uint32_t e = 0; e < links->count; e++)
        links->load[e] = links->sum[lp_pod_alike_link(pod, slice, net, links->at[e])];
    return LP_OK;
}

static LpErr by_graph(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *load,
                      LpDiag *diag) {
    Links links;
    LP_TRY(links_init(&links, pod, slice, net, diag));
    LpErr err = find(pod, slice, net, &links, diag);
    for (uint32_t e = 0; err == LP_OK && e < links.count; e++)
        load[links.at[e]] = links.load[e];
    links_fini(&links);
    return err;
}

/* igraph begins anew for each source, which takes 17 times as long where all are one. */
static LpErr by_hand(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *load,
                     LpDiag *diag) {
    LpPodLoads loads;
    LP_TRY(lp_pod_loads(pod, slice, net, &loads, diag));
    for (uint32_t k = 0; k < SIDES * net->nodes; k++)
        load[k] = loads.load[k];
    lp_free(loads.load);
    return LP_OK;
}

LpErr lp_slice_loads(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *load,
                     LpDiag *diag) {
    uint32_t links = SIDES * net->nodes;
    double *found = lp_alloc(links, sizeof *found);
    if (found == NULL)
        return lp_fail_memory(diag, "the loads of a slice");
    LpErr err = (net->odd ? by_hand : by_graph)(pod, slice, net, found, diag);
    for (uint32_t k = 0; err == LP_OK && k < links; k++)
        load[k] = lp_num_round(found[k], LP_POD_LOAD_DECIMALS);
    lp_free(found);
    return err;
}

LpErr lp_slice_greatest_load(const LpPod *pod, const LpSlice *slice, const LpPodNet *net,
                             double *out, LpDiag *diag) {
    double most = 0, *load = lp_alloc(net->nodes, SIDES * sizeof *load);
    if (load == NULL)
        return lp_fail_memory(diag, "the loads of a slice");
    LpErr err = lp_slice_loads(pod, slice, net, load, diag);
    for (uint32_t k = 0; err == LP_OK && k < SIDES * net->nodes; k++)
        most = load[k] > most ? load[k] : most;
    lp_free(load);
    if (err == LP_OK)
        *out = most;
    return err;
}
