/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective` from its words to JSON: each algorithm on as many servers as it takes, 50
 * delays. */
#include <stdio.h>
#include <stdlib.h>

#include "ask/collective/collective_report.h"
#include "base/mem.h"
#include "bench.h"

enum { RUNS = 7, DELAYS = 50 };

static double time_of(const char *words, const char *delays) {
    double spent[RUNS];
    for (int i = 0; i < RUNS; i++) {
        LpCollReport *report = NULL;
        LpBuf text = {0};
        LpDiag diag;
        double start = bench_cpu();
        if (lp_coll_report_make(words, delays, &report, &diag) != LP_OK) {
            fprintf(stderr, "%s\n", diag.text);
            exit(1);
        }
        lp_coll_report_json(report, false, &text);
        spent[i] = bench_cpu() - start;
        lp_coll_report_free(report);
        lp_buf_fini(&text);
    }
    return bench_median(spent, RUNS);
}

int main(void) {
    static const struct {
        const char *name;
        int servers;
    } row[] = {{"ring", 1024},    {"halving", 1024}, {"doubling", 1024}, {"bruck", 1024},
               {"ternary", 1024}, {"direct", 256},   {"rotations", 256}, {"matchings", 256}};
    LpBuf delays = {0};
    double most = 0, large = 0, delay = 1e-7;
    for (int i = 0; i < DELAYS; i++, delay *= 1.3)
        lp_buf_addf(&delays, "%s%.3g", i > 0 ? "," : "", delay);
    printf("%-10s %8s %8s\n", "algorithm", "servers", "ms");
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        char words[128];
        snprintf(words, sizeof words, "algorithm=%s servers=%d bytes=1MB rate=50GB/s hop=500ns",
                 row[i].name, row[i].servers);
        double spent = time_of(words, lp_buf_text(&delays));
        most += spent;
        large += row[i].servers == 1024 ? spent : 0;
        printf("%-10s %8d %8.2f\n", row[i].name, row[i].servers, 1e3 * spent);
    }
    printf("%-10s %8d %8.2f\n%-19s %8.2f\n", "those of", 1024, 1e3 * large, "all", 1e3 * most);
    lp_buf_fini(&delays);
    return 0;
}
