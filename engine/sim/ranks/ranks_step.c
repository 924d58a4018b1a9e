/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a recorded step and a placement to a run on the fabric, and from the run to tasks. */
#include "sim/ranks/ranks_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/device/device.h"
#include "sim/ranks/ranks_run.h"
#include "sim/ranks/ranks_tasks.h"

static const double NS = 1e-9; /* s */

/* ---- the network of the fabric, as ranks see it ---- */

typedef struct Net {
    const LpStepInput *input;
    uint32_t *server;  /* scratch: of the members of a collective */
    uint32_t from, to; /* servers without a way; LP_NO_INDEX */
} Net;

static uint32_t server_of(const Net *net, uint32_t rank) {
    const LpPlacement *at = net->input->placement;
    return at->group_server[at->group_begin[at->op_group[rank]]];
}

/* s; where there is no way the run goes on, and is refused when it is over. */
static double transfer(Net *net, uint32_t from, uint32_t to, double bytes) {
    const LpFabric *f = net->input->fabric;
    uint32_t src = server_of(net, from), dst = server_of(net, to);
    double time = f->ops->transfer_time(f, src, dst, bytes);
    if (isfinite(time))
        return time;
    net->from = src;
    net->to = dst;
    return 0;
}

static double flow_ns(void *user, uint32_t from, uint32_t to, double bytes) {
    return transfer(user, from, to, bytes) / NS;
}

static double op_ns(void *user, uint32_t rank, double ns) {
    const LpStepInput *in = ((const Net *)user)->input;
    if (in->speed == NULL)
        return ns;
    return ns / in->speed[lp_cluster_type_of(in->fabric->cluster, server_of(user, rank))];
}

static void port(void *user, uint32_t from, uint32_t to, uint32_t *tx, uint32_t *rx) {
    const Net *net = user;
    const LpFabric *f = net->input->fabric;
    uint32_t src = server_of(net, from), dst = server_of(net, to);
    uint32_t per_server = f->tx_ports / f->servers;
    f->ops->ports(f, src, dst, tx, rx);
    *tx -= src * per_server;
    *rx -= dst * per_server;
}

/* One of the fabric's own. */
static double ring(Net *net, LpCollective kind, const uint32_t *member, uint32_t n, double bytes) {
    const LpFabric *f = net->input->fabric;
    for (uint32_t i = 0; i < n; i++)
        net->server[i] = server_of(net, member[i]);
    double time = f->ops->collective_time(f, kind, net->server, n, bytes, HUGE_VAL, HUGE_VAL);
    if (isfinite(time))
        return time;
    net->from = net->server[0];
    net->to = net->server[1];
    return 0;
}

/* In the k-th round each sends to the one k places on. */
static double exchange(Net *net, const uint32_t *member, uint32_t n, double bytes) {
    double sum = 0;
    for (uint32_t k = 1; k < n; k++) {
        double longest = 0;
        for (uint32_t i = 0; i < n; i++)
            longest = fmax(longest, transfer(net, member[i], member[(i + k) % n], bytes));
        sum += longest;
    }
    return sum;
}

/* What a way takes for no bytes at all. */
static double latency(Net *net, uint32_t from, uint32_t to) {
    return 2 * transfer(net, from, to, 1) - transfer(net, from, to, 2);
}

/* Between the first member and each of the others, one after the other on the first one's port. */
static double star(Net *net, LpTraceCall call, const uint32_t *member, uint32_t n, double bytes) {
    bool in = lp_ranks_to_first(call);
    double longest = 0, sum = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t from = in ? member[i] : member[0], to = in ? member[0] : member[i];
        double wait = latency(net, from, to);
        longest = fmax(longest, wait);
        sum += bytes > 0 ? transfer(net, from, to, bytes) - wait : 0;
    }
    return longest + sum;
}

static double call_ns(void *user, LpTraceCall call, const uint32_t *member, uint32_t n,
                      double bytes) {
    LpCollective kind;
    double whole = bytes;
    if (lp_ranks_collective(call, n, &kind, &whole))
        return ring(user, kind, member, n, whole) / NS;
    if (call == LP_TRACE_ALL_TO_ALL)
        return exchange(user, member, n, fmax(bytes / n, DBL_TRUE_MIN)) / NS;
    if (call == LP_TRACE_BARRIER)
        return 2 * star(user, call, member, n, 0) / NS;
    return star(user, call, member, n, call == LP_TRACE_SCATTER ? bytes / n : bytes) / NS;
}

/* ---- the run ---- */

static LpErr run(const LpStepInput *in, LpTraceRun *out, LpDiag *diag) {
    const LpGraph *graph = in->partition->graph;
    const LpFabric *f = in->fabric;
    bool ports = f->tx_ports > 0 && !lp_published(in->options, LP_OPT_CIRCUITS);
    Net net = {.input = in,
               .server = lp_alloc(graph->trace->ranks, sizeof *net.server),
               .from = LP_NO_INDEX};
    const LpTraceNet on = {.user = &net,
                           .flow_ns = flow_ns,
                           .call_ns = call_ns,
                           .op_ns = op_ns,
                           .ports = ports ? f->tx_ports / f->servers : 0,
                           .port = port};
    const LpDevice *device = graph->rates.device;
    const LpTraceRunSpec spec = {.rules = *graph->trace_rules,
                                 .peak_flops = lp_device_rate(device, graph->rates.precision),
                                 .memory = device->bandwidth,
                                 .net = &on,
                                 .log = true};
    if (net.server == NULL)
        return lp_fail_memory(diag, "running a trace");
    LpErr err = lp_trace_run(graph->trace, &spec, out, diag);
    lp_free(net.server);
    if (err != LP_OK)
        return err;
    if (net.from != LP_NO_INDEX)
        err = lp_fail(diag, LP_EREFUSED, "no way leads from server %u to server %u",
                      (unsigned)net.from, (unsigned)net.to);
    else if (out->stuck[0] != '\0')
        err = lp_fail(diag, LP_EREFUSED, "the step never ends: %s", out->stuck);
    else if (!isfinite(out->step_ns))
        err = lp_fail(diag, LP_EREFUSED, "the step would take longer than a number can hold");
    if (err != LP_OK)
        lp_trace_run_free(out);
    return err;
}

LpErr lp_ranks_step(LpStepScratch *scratch, const LpStepInput *input, LpStepGraph *graph,
                    LpStepSummary *out, LpTrace *trace, LpDiag *diag) {
    LpTraceRun ran;
    LpTrace kept = {0};
    LP_TRY(run(input, &ran, diag));
    LpErr err = lp_ranks_tasks(scratch, input, &ran, graph, &kept);
    if (err == LP_OK)
        err = lp_ranks_sums(scratch, input, &ran, graph, &kept, out);
    lp_trace_run_free(&ran);
    if (err != LP_OK || trace == NULL)
        lp_trace_fini(&kept);
    else
        *trace = kept;
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "the tasks of a training step");
}
