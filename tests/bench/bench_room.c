/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the first free block on RAMP by the index of free room, by asking server by
 * server, and in plain Python, on the same clusters: time of a search, and the words of the index
 * that it reads beside those that the block itself lies in, which no search can do without. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "bench.h"
#include "model/fabric/fabric.h"

enum { SIZES = 4, SEARCHES = 12, SERVERS = 8, AGAIN = 2000, AGAIN_NAIVE = 20, NONE = -1 };

static const uint32_t SIZE[SIZES][3] = {{4, 4, 2}, {8, 8, 8}, {16, 16, 16}, {32, 32, 64}};

typedef struct Case {
    LpCluster cluster;
    LpFabric fabric;
    LpRoom *room;
    int first[SEARCHES]; /* server of each block found */
    double indexed, naive, words, least;
} Case;

/* Between nine and ten of ten servers are busy, so that a search has to go on for some time. */
static void occupy(Case *c, LpRng *rng) {
    uint32_t busy = 900 + (uint32_t)lp_rng_below(rng, 90);
    for (uint32_t s = 0; s < c->fabric.servers; s++)
        lp_room_set(c->room, s, lp_rng_below(rng, 1000) >= busy);
}

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    (void)position;
    return lp_room_has(context, server);
}

static uint32_t words_of(const Case *c, const uint32_t *block, uint32_t n) {
    uint32_t words = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t word =
            block[i] / c->fabric.per_rack * c->room->row_words + block[i] % c->fabric.per_rack / 64;
        words += word != last;
        last = word;
    }
    return words;
}

static void search(Case *c, uint32_t n, int *first) {
    LpBlockSearch by;
    uint32_t block[SERVERS];
    bool found = false;
    double start = bench_cpu();
    for (int i = 0; i < AGAIN; i++) {
        lp_block_search_in(&by, &c->fabric, n, false, c->room, NULL, NULL);
        found = lp_block_next(&by, block);
    }
    double middle = bench_cpu();
    c->words += (double)by.looked / SEARCHES;
    c->least += (found ? (double)words_of(c, block, n) : 0) / SEARCHES;
    *first = found ? (int)block[0] : NONE;
    for (int i = 0; i < AGAIN_NAIVE; i++) {
        lp_block_search(&by, &c->fabric, n, false, is_free, c->room);
        if (lp_block_next(&by, block) != found || (found && (int)block[0] != *first))
            exit(1);
    }
    c->indexed += 1e6 * (middle - start) / AGAIN / SEARCHES;
    c->naive += 1e6 * (bench_cpu() - middle) / AGAIN_NAIVE / SEARCHES;
}

static void tell(const Case *c, uint32_t n, FILE *file) {
    LpBlockSearch by;
    lp_block_search_in(&by, &c->fabric, n, false, c->room, NULL, NULL);
    fprintf(file, "%" PRIu32 " %" PRIu32 " %" PRIu32, c->fabric.groups, c->fabric.racks,
            c->fabric.per_rack);
    for (uint32_t i = 0; i < by.shapes; i++)
        fprintf(file, " %" PRIu32 "x%" PRIu32 "x%" PRIu32, by.shape[i].groups, by.shape[i].racks,
                by.shape[i].servers);
    fputc('\n', file);
    for (uint32_t s = 0; s < c->fabric.servers; s++)
        fputc(lp_room_has(c->room, s) ? '1' : '0', file);
    fputc('\n', file);
}

static void measure(Case *c, const uint32_t *size, FILE *file) {
    LpRng rng = lp_rng_stream(1, "room", size[2]);
    *c = (Case){.cluster = {.fabric = LP_FABRIC_RAMP, .every_shape = true}};
    c->cluster.ramp =
        (LpRampParams){size[0], size[1], size[2], 1.6e12, 50e-9, 100e-9, 1, true, 20e-9};
    lp_fabric_init(&c->fabric, &c->cluster);
    c->room = lp_alloc(lp_room_bytes(&c->fabric), 1);
    if (c->room == NULL)
        exit(1);
    lp_room_init(c->room, &c->fabric);
    for (int i = 0; i < SEARCHES; i++) {
        occupy(c, &rng);
        uint32_t n = 2 + (uint32_t)lp_rng_below(&rng, SERVERS - 1);
        search(c, n, &c->first[i]);
        tell(c, n, file);
    }
}

/* Mean time of the searches in Python, us; negative where there is no Python. */
static double in_python(const char *path, const Case *c) {
    char command[160];
    double sum = 0;
    snprintf(command, sizeof command, "python3 tests/bench/plain_fit.py %s 2>/dev/null", path);
    FILE *answers = popen(command, "r");
    if (answers == NULL)
        return -1;
    for (int i = 0; i < SEARCHES; i++) {
        double spent;
        int first;
        if (fscanf(answers, "%lf %d", &spent, &first) != 2) {
            sum = -SEARCHES;
            break;
        }
        if (first != c->first[i]) {
            fprintf(stderr, "plain_fit.py finds server %d, the engine %d\n", first, c->first[i]);
            exit(1);
        }
        sum += spent;
    }
    pclose(answers);
    return sum / SEARCHES;
}

int main(void) {
    printf("first block of 2 to %d servers on RAMP, more than nine of ten servers busy\n", SERVERS);
    printf("%8s %12s %14s %12s %14s %14s\n", "servers", "index, us", "words read", "of the block",
           "one by one, us", "Python, us");
    for (int i = 0; i < SIZES; i++) {
        char path[] = "/tmp/lightpath-bench-XXXXXX";
        int fd = mkstemp(path);
        FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
        Case c;
        if (file == NULL)
            return 1;
        measure(&c, SIZE[i], file);
        fclose(file);
        double python = in_python(path, &c);
        unlink(path);
        printf("%8" PRIu32 " %12.2f %14.1f %12.1f %14.1f %14.0f\n", c.fabric.servers, c.indexed,
               c.words, c.least, c.naive, python);
        lp_free(c.room);
    }
    return 0;
}
