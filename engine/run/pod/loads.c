/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of a slice as igraph wants them, and their loads back. */
#include "run/pod/loads.h"

#include "base/mem.h"
#include "base/num.h"
#include "graph/loads.h"

typedef struct Links {
    uint32_t *src, *dst, *at; /* at: the link's number, whose rest by 6 is its direction */
    double *load;
    uint32_t count;
} Links;

static void links_fini(Links *l) {
    lp_free(l->src);
    lp_free(l->dst);
    lp_free(l->at);
    lp_free(l->load);
}

static LpErr links_init(Links *l, const LpPodNet *net, LpDiag *diag) {
    *l = (Links){.src = lp_alloc(net->links, sizeof *l->src),
                 .dst = lp_alloc(net->links, sizeof *l->dst),
                 .at = lp_alloc(net->links, sizeof *l->at),
                 .load = lp_alloc(net->links, sizeof *l->load)};
    if (!l->src || !l->dst || !l->at || !l->load) {
        links_fini(l);
        return lp_fail_memory(diag, "the links of a slice");
    }
    for (uint32_t k = 0; k < 6 * net->nodes; k++)
        if (net->to[k] != LP_NO_INDEX) {
            l->src[l->count] = k / 6;
            l->dst[l->count] = net->to[k];
            l->at[l->count++] = k;
        }
    return LP_OK;
}

bool lp_slice_is_alike(const LpSlice *slice, const LpPodNet *net) {
    return slice->closed[0] && slice->closed[1] && slice->closed[2] && net->lost == 0;
}

/* From one source of a network that looks alike from everywhere: what one direction's links carry
 * of its units is what each of them carries of all. */
static void spread_directions(Links *l) {
    double sum[6] = {0};
    for (uint32_t e = 0; e < l->count; e++)
        sum[l->at[e] % 6] += l->load[e];
    for (uint32_t e = 0; e < l->count; e++)
        l->load[e] = sum[l->at[e] % 6];
}

/* Decimals of a load: sums of thousands of shares are no better. */
enum { LOAD_DECIMALS = 9 };

static LpErr find(const LpSlice *slice, const LpPodNet *net, Links *links, LpDiag *diag) {
    bool alike = lp_slice_is_alike(slice, net);
    LpEdgeList list = {net->nodes, links->count, links->src, links->dst};
    LP_TRY(lp_graph_loads(&list, alike ? 1 : net->nodes, links->load, diag));
    if (alike)
        spread_directions(links);
    return LP_OK;
}

LpErr lp_slice_loads(const LpSlice *slice, const LpPodNet *net, double *load, LpDiag *diag) {
    Links links;
    LP_TRY(links_init(&links, net, diag));
    LpErr err = find(slice, net, &links, diag);
    for (uint32_t k = 0; err == LP_OK && k < 6 * net->nodes; k++)
        load[k] = 0;
    for (uint32_t e = 0; err == LP_OK && e < links.count; e++)
        load[links.at[e]] = lp_num_round(links.load[e], LOAD_DECIMALS);
    links_fini(&links);
    return err;
}

LpErr lp_slice_greatest_load(const LpSlice *slice, const LpPodNet *net, double *out, LpDiag *diag) {
    Links links;
    double most = 0;
    LP_TRY(links_init(&links, net, diag));
    LpErr err = find(slice, net, &links, diag);
    for (uint32_t e = 0; e < links.count; e++)
        most = links.load[e] > most ? links.load[e] : most;
    links_fini(&links);
    if (err == LP_OK)
        *out = lp_num_round(most, LOAD_DECIMALS);
    return err;
}
