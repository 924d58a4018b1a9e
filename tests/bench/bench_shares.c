/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fair shares of 1 000 flows on 1 000 links: all of them, and again after one flow has changed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "bench.h"
#include "sim/sharing/shares.h"

enum { FLOWS = 1000, LINKS = 1000, RUNS = 201, LONGEST = 16 };

typedef struct Net {
    double capacity[LINKS], cap[FLOWS], rate[FLOWS];
    uint32_t begin[FLOWS + 1], path[FLOWS * LONGEST];
} Net;

/* Random links, mostly one component; `local`: near each other, many small components. */
static void fill(Net *net, LpRng *rng, uint32_t hops, bool local) {
    for (int l = 0; l < LINKS; l++)
        net->capacity[l] = 1 + lp_rng_unit(rng);
    for (uint32_t f = 0; f < FLOWS; f++) {
        uint32_t first = (uint32_t)lp_rng_below(rng, LINKS / hops) * hops;
        for (uint32_t i = 0; i < hops; i++)
            net->path[f * hops + i] =
                local ? first + i : (uint32_t)lp_rng_below(rng, LINKS / hops) * hops + i;
        net->begin[f + 1] = (f + 1) * hops;
        net->cap[f] = 2 * lp_rng_unit(rng);
    }
}

static void run(uint32_t hops, bool local) {
    LpRng rng = lp_rng_stream(1, "bench", hops);
    LpShares *shares = lp_shares_new();
    Net *net = calloc(1, sizeof *net);
    double all[RUNS], one[RUNS];
    uint32_t solved = 0, most = 0;
    if (net == NULL || shares == NULL)
        exit(1);
    fill(net, &rng, hops, local);
    LpShareProblem p = {.links = LINKS,
                        .flows = FLOWS,
                        .capacity = net->capacity,
                        .begin = net->begin,
                        .link = net->path,
                        .cap = net->cap};
    for (int i = 0; i < RUNS; i++) {
        double start = bench_now();
        if (lp_shares_solve(shares, &p, net->rate) != LP_OK)
            exit(1);
        all[i] = bench_now() - start;
        uint32_t f = (uint32_t)lp_rng_below(&rng, FLOWS);
        net->cap[f] = 2 * lp_rng_unit(&rng);
        start = bench_now();
        if (lp_shares_update(shares, &p, &net->path[f * hops], hops, 0, net->rate) != LP_OK)
            exit(1);
        one[i] = bench_now() - start;
        lp_shares_solved(shares, &solved);
        most = solved > most ? solved : most;
    }
    printf("%2u links each, %-8s all %8.1f us   one changed %8.1f us (at most %u flows again)\n",
           hops, local ? "local" : "anywhere", 1e6 * bench_median(all, RUNS),
           1e6 * bench_median(one, RUNS), most);
    lp_shares_free(shares);
    free(net);
}

int main(void) {
    printf("shares of %d flows on %d links, medians of %d\n", FLOWS, LINKS, RUNS);
    for (uint32_t hops = 2; hops <= LONGEST; hops *= 2) {
        run(hops, false);
        run(hops, true);
    }
    return 0;
}
