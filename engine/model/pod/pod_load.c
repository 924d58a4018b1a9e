/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads of links from the accelerators that stand for all others. */
#include "model/pod/pod_load.h"

#include "base/mem.h"
#include "base/num.h"
#include "model/pod/net_impl.h"

static LpErr load_links(LpPodSearch *s, const LpPod *pod, const LpSlice *slice, double *load,
                        LpDiag *diag) {
    const LpPodNet *net = s->net;
    for (uint32_t v = 0; v < net->nodes; v++) {
        if (lp_pod_alike(pod, slice, net, v, NULL) != v)
            continue;
        lp_pod_search(s, v, LP_NO_INDEX);
        if (s->found < net->nodes)
            return lp_pod_fail_apart(net, v, s->found, diag);
        lp_pod_search_send(s, load);
    }
    /* Links that look alike carry together, of the units of the accelerators that stand for others,
     * what each of them carries of all: it is entered under the one that stands for them. */
    for (uint32_t link = 0; link < LP_POD_SIDES * net->nodes; link++) {
        uint32_t alike = lp_pod_alike_link(pod, slice, net, link);
        if (alike == link)
            continue;
        load[alike] += load[link];
        load[link] = 0;
    }
    return LP_OK;
}

static LpErr load_alike(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double **out,
                        LpDiag *diag) {
    LpPodSearch s;
    LP_TRY(lp_pod_search_init(&s, net, diag));
    double *load = lp_alloc(net->nodes, LP_POD_SIDES * sizeof *load);
    LpErr err = load == NULL ? lp_fail_memory(diag, "the loads of a slice")
                             : load_links(&s, pod, slice, load, diag);
    lp_pod_search_fini(&s);
    if (err == LP_OK)
        *out = load;
    else
        lp_free(load);
    return err;
}

double lp_pod_loads_greatest(const LpPodNet *net, const double *load) {
    double most = 0;
    for (uint32_t k = 0; k < LP_POD_SIDES * net->nodes; k++)
        most = load[k] > most ? load[k] : most;
    return lp_num_round(most, LP_POD_LOAD_DECIMALS);
}

LpErr lp_pod_greatest_load(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *out,
                           LpDiag *diag) {
    LpPodLoads loads = {0};
    LP_TRY(net->odd ? lp_pod_loads(pod, slice, net, &loads, diag)
                    : load_alike(pod, slice, net, &loads.load, diag));
    *out = lp_pod_loads_greatest(net, loads.load);
    lp_free(loads.load);
    return LP_OK;
}
