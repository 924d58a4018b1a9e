/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a key costs on clusters of 32 and of 65 536 servers, on every fabric that goes so far, with
 * thousands of jobs running: processor time of the key and its frame, and the bytes that curses
 * then sends to a terminal (xterm-256color on a pseudo-terminal of 200x60).
 *
 *   bench_keys [FABRIC [ROW]]        that fabric only, and rows whose names hold a text */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "app/app_impl.h"
#include "bench.h"
#include "term/term.h"

enum { COLS = 200, ROWS = 60, SETTLE_NS = 3000000 };

/* ---- a terminal that counts ---- */

typedef struct Pty {
    int master, slave;
    pthread_t reader;
    atomic_size_t bytes;
} Pty;

static void *read_all(void *user) {
    Pty *pty = user;
    char buffer[4096];
    ssize_t got;
    while ((got = read(pty->master, buffer, sizeof buffer)) > 0)
        atomic_fetch_add(&pty->bytes, (size_t)got);
    return NULL;
}

/* Standard input and output become a terminal. */
static bool open_pty(Pty *pty) {
    char number[16];
    pty->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0)
        return false;
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY);
    if (pty->slave < 0 || pthread_create(&pty->reader, NULL, read_all, pty) != 0)
        return false;
    snprintf(number, sizeof number, "%d", ROWS);
    setenv("LINES", number, 1);
    snprintf(number, sizeof number, "%d", COLS);
    setenv("COLUMNS", number, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    return dup2(pty->slave, STDIN_FILENO) >= 0 && dup2(pty->slave, STDOUT_FILENO) >= 0;
}

/* What came until nothing more does for a while. */
static double bytes_sent(Pty *pty) {
    enum { QUIET = 4 };
    const struct timespec settle = {.tv_nsec = SETTLE_NS};
    size_t all = 0;
    for (int quiet = 0; quiet < QUIET; quiet++) {
        nanosleep(&settle, NULL);
        size_t more = atomic_exchange(&pty->bytes, 0);
        all += more;
        quiet = more ? 0 : quiet;
    }
    return (double)all;
}

/* ---- clusters ---- */

static void ramp(LpBuf *out, bool large) {
    lp_buf_addf(out,
                "\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": %d, "
                "\"racks_per_group\": %d, \"servers_per_rack\": %d, "
                "\"node_bandwidth\": \"1.6 TB/s\"}",
                large ? 32 : 4, large ? 32 : 4, large ? 64 : 2);
}

static void packet(LpBuf *out, bool large) {
    lp_buf_addf(out,
                "\"fabric\": \"packet\", \"packet\": {\"topology\": \"leaf_spine\", \"leaves\": "
                "%d, \"servers_per_leaf\": %d, \"spines\": %d, \"server_bandwidth\": "
                "\"100 GB/s\", \"uplink_bandwidth\": \"100 GB/s\"}",
                large ? 1024 : 4, large ? 64 : 8, large ? 32 : 4);
}

static void ideal(LpBuf *out, bool large) {
    lp_buf_addf(out,
                "\"fabric\": \"ideal\", \"ideal\": {\"servers\": %d, \"node_bandwidth\": "
                "\"1.6 TB/s\"}",
                large ? 65536 : 32);
}

static void zones(LpBuf *out, bool large) {
    int count = large ? 32 : 4;
    lp_buf_add(out, "\"fabric\": \"zones\", \"zones\": {\"inside\": {\"delay\": \"50 us\", "
                    "\"loss\": 0, \"bandwidth\": \"100 Gb/s\"}, \"between\": {\"delay\": "
                    "\"1 ms\", \"loss\": 1e-6, \"bandwidth\": \"400 Gb/s\"}, \"zones\": [");
    for (int z = 0; z < count; z++)
        lp_buf_addf(out, "%s{\"name\": \"z%d\", \"servers\": %d}", z ? ", " : "", z,
                    (large ? 65536 : 32) / count);
    lp_buf_add(out, "], \"links\": [");
    for (int z = 1; z < count; z++)
        lp_buf_addf(out, "%s{\"from\": \"z%d\", \"to\": \"z%d\", \"length\": 1}", z > 1 ? ", " : "",
                    z - 1, z);
    lp_buf_add(out, "]}");
}

static void ocs(LpBuf *out, bool large) {
    lp_buf_addf(out,
                "\"fabric\": \"ocs\", \"ocs\": {\"servers\": %d, \"switches\": 1, \"nics\": 1, "
                "\"server_bandwidth\": \"100 GB/s\", \"server_delay\": \"1 us\", \"io_latency\": "
                "\"1 us\", \"reconfiguration\": \"10 ms\", \"interval\": \"100 s\"}",
                large ? 2048 : 32);
}

static void pod(LpBuf *out, bool large) {
    lp_buf_addf(out, "\"fabric\": \"pod\", \"pod\": {\"cubes\": %d, \"wiring\": \"switched\"}",
                large ? 1024 : 8);
}

typedef struct Fabric {
    const char *name;
    void (*print)(LpBuf *out, bool large);
} Fabric;

static const Fabric fabrics[] = {{"ramp", ramp},   {"packet", packet}, {"ideal", ideal},
                                 {"zones", zones}, {"ocs", ocs},       {"pod", pod}};

static void print_scenario(LpBuf *out, const Fabric *fabric, bool large) {
    bool slices = fabric->print == pod;
    lp_buf_add(out, "{\"lightpath\": 1, \"name\": \"keys\", \"seed\": 1, \"cluster\": {");
    fabric->print(out, large);
    if (slices) {
        lp_buf_addf(out,
                    "}, \"queue\": \"loss\", \"generator\": {\"count\": %d, \"slices\": "
                    "\"table2\", \"load\": %s, \"duration\": {\"exponential\": {\"mean\": "
                    "\"8 h\"}}}}",
                    large ? 6000 : 300, large ? "2" : "0.7");
        return;
    }
    lp_buf_add(out, ", \"server\": {\"device\": \"A100\", \"memory\": \"80 GB\"}}, \"graphs\": [");
    for (int i = 0; i < 5; i++)
        lp_buf_addf(out, "%s{\"id\": \"%s\", \"zoo\": \"%s\"}", i ? ", " : "", bench_models[i],
                    bench_models[i]);
    lp_buf_addf(out,
                "], \"generator\": {\"count\": %d, \"interarrival\": {\"fixed\": \"%s\"}, "
                "\"steps\": 50000, \"max_jct_fraction\": 1}, \"partition\": {\"max_degree\": 16, "
                "\"min_op_time\": \"10 us\"}, \"policy\": {\"script\": \"meets_deadline.lua\"}}",
                large ? 5000 : 300, large ? "100 ms" : "30 s");
}

static LpSession *open_session(const Fabric *fabric, bool large) {
    char path[] = "/tmp/lightpath-bench-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = path, .keep_timeline = true};
    LpDiag diag = {0};
    LpBuf text = {0};
    print_scenario(&text, fabric, large);
    if (!file || fputs(lp_buf_text(&text), file) < 0 || fclose(file) != 0)
        exit(1);
    if (lp_session_open(&spec, &session, &diag) != LP_OK) {
        fprintf(stderr, "%s: %s\n", fabric->name, diag.text);
        exit(1);
    }
    unlink(path);
    lp_buf_fini(&text);
    return session;
}

/* ---- keys ---- */

/* A row of the table: what is pressed before, and what is measured, the median over all of it. */
typedef struct Row {
    const char *name, *before, *keys;
} Row;

static const Row rows[] = {
    {"event: n, main", "", "nnnnnnnnnnn"},
    {"decision: d, main", "", "ddddddd"},
    {"idle: t Esc, main", "", "t\033t\033t\033t\033t\033"},
    {"move: j k, main", "", "jkjkjkjk"},
    {"focus: ;", "", ";;;;;;;"},
    {"servers, n", "1", "nnnnnnnn"},
    {"servers, moves", "1", "jkhljkhl"},
    {"circuits, n", "2", "nnnnnnnn"},
    {"circuits, moves", "2", "jkjkjkjk"},
    {"3, n", "3", "nnnnnnnn"},
    {"4, n", "4", "nnnnnnnn"},
    {"5, n", "5", "nnnnnnnn"},
    {"6, n", "6", "nnnnnnnn"},
    {"7, n", "7", "nnnnnnnn"},
    {"8, n", "8", "nnnnnnnn"},

    {"back: p", "", "pppppppp"},
};

typedef struct Bench {
    LpApp app;
    LpTerm *term;
    Pty *pty;
    bool sends;
} Bench;

/* Processor time of a key and its frame, s. */
static double press(Bench *b, LpKey key) {
    LpDiag diag = {0};
    double start = bench_cpu();
    lp_app_key(&b->app, key, 0);
    if (lp_app_draw(&b->app, &diag) != LP_OK)
        exit(1);
    double spent = bench_cpu() - start;
    if (b->term)
        lp_term_show(b->term, &b->app.canvas, false);
    return spent;
}

static void measure_row(Bench *b, const Row *row, FILE *report) {
    enum { MOST = 64 };
    double spent[MOST], sent[MOST], most = 0;
    int count = 0;
    lp_app_show(&b->app, LP_PANE_COUNT);
    press(b, LP_KEY_ESC);
    for (const char *key = row->before; *key; key++)
        press(b, (LpKey)*key);
    bytes_sent(b->pty);
    for (const char *key = row->keys; *key && count < MOST; key++, count++) {
        spent[count] = press(b, *key == '\033' ? LP_KEY_ESC : (LpKey)*key);
        sent[count] = b->sends ? bytes_sent(b->pty) : 0;
        most = sent[count] > most ? sent[count] : most;
    }
    fprintf(report, "  %-24s %9.2f %9.0f %9.0f\n", row->name, 1e3 * bench_median(spent, count),
            bench_median(sent, count), most);
    fflush(report);
}

static void measure(const Fabric *fabric, bool large, const char *part, Pty *pty, FILE *report) {
    LpUiOptions options = {.no_motion = true};
    Bench b = {.pty = pty, .sends = pty->slave > 0};
    LpDiag diag = {0};
    if (lp_app_open(&b.app, open_session(fabric, large), &options, ROWS, COLS, &diag) != LP_OK)
        exit(1);
    for (int i = 0; large && i < 4; i++)
        lp_app_next(&b.app, true, 1000);
    if (!large)
        lp_app_next(&b.app, true, 30);
    if (lp_app_draw(&b.app, &diag) != LP_OK ||
        (b.sends && lp_term_open(&b.app.theme, false, &b.term, &diag) != LP_OK))
        exit(1);
    if (b.term)
        lp_term_show(b.term, &b.app.canvas, true);
    const LpWorld *world = lp_session_world(b.app.session);
    fprintf(report, "%s, %u servers, %u running: ms of a key, bytes, most bytes\n", fabric->name,
            (unsigned)lp_world_servers(world), (unsigned)lp_world_tally(world)->running);
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        if (strstr(rows[i].name, part))
            measure_row(&b, &rows[i], report);
    lp_app_show(&b.app, LP_PANE_COUNT);
    press(&b, LP_KEY_ESC);
    press(&b, 't'); /* then they lead to the ends of the time line */
    fprintf(report, "  Home %.1f ms", 1e3 * press(&b, LP_KEY_HOME));
    fprintf(report, ", End %.1f ms\n", 1e3 * press(&b, LP_KEY_END));
    lp_term_close(b.term);
    LpSession *session = b.app.session;
    lp_app_fini(&b.app);
    lp_session_close(session);
}

int main(int argc, char **argv) {
    Pty pty = {0};
    int out = dup(STDOUT_FILENO);
    FILE *report = out >= 0 ? fdopen(out, "w") : NULL;
    if (!report)
        return 1;
    if (!open_pty(&pty))
        pty.slave = 0;
    for (size_t i = 0; i < LP_COUNTOF(fabrics); i++)
        for (int large = 0; large < 2; large++)
            if (argc < 2 || strcmp(argv[1], fabrics[i].name) == 0)
                measure(&fabrics[i], large, argc < 3 ? "" : argv[2], &pty, report);
    fclose(report);
    return 0;
}
