/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a frame costs: gathering and drawing after one event, on 32 and on 65 536 servers, and the
 * bytes that curses then sends to a terminal (xterm-256color on a pseudo-terminal). */
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

enum { FRAMES = 61, SETTLE_NS = 3000000 };

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

/* Standard input and output become a terminal of this size. */
static bool open_pty(Pty *pty, int cols, int rows) {
    char number[16];
    pty->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0)
        return false;
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY);
    if (pty->slave < 0 || pthread_create(&pty->reader, NULL, read_all, pty) != 0)
        return false;
    snprintf(number, sizeof number, "%d", rows);
    setenv("LINES", number, 1);
    snprintf(number, sizeof number, "%d", cols);
    setenv("COLUMNS", number, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    return dup2(pty->slave, STDIN_FILENO) >= 0 && dup2(pty->slave, STDOUT_FILENO) >= 0;
}

static double bytes_sent(Pty *pty) {
    const struct timespec settle = {.tv_nsec = SETTLE_NS};
    nanosleep(&settle, NULL);
    return (double)atomic_exchange(&pty->bytes, 0);
}

/* ---- frames ---- */

static LpSession *open_session(const char *scenario) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &session, &diag) != LP_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    return session;
}

typedef struct Case {
    const char *scenario;
    LpPane pane;
    const char *keys;
    int cols, rows, warm;
} Case;

static const Case cases[] = {
    {"scenarios/pac-ml-32.json", LP_PANE_COUNT, "", 100, 30, 20},
    {"scenarios/pac-ml-32.json", LP_PANE_SERVERS, "", 100, 30, 20},
    {"scenarios/pac-ml-32.json", LP_PANE_CIRCUITS, "", 100, 30, 20},
    {"scenarios/pac-ml-32.json", LP_PANE_CURVE, "", 100, 30, 20},
    {"scenarios/pac-ml-32.json", LP_PANE_COUNT, "", 200, 60, 20},
    {"scenarios/pac-ml-32.json", LP_PANE_COUNT, "f\rc", 100, 30, 20}, /* a branch beside this one */
    {"scenarios/pac-ml-32.json", LP_PANE_COUNT, "f\rc", 200, 60, 20},
    {"tests/tui/scenarios/big.json", LP_PANE_COUNT, "", 100, 30, 30},
    {"tests/tui/scenarios/big.json", LP_PANE_COUNT, "f\rc", 200, 60, 30},
    {"tests/tui/scenarios/big.json", LP_PANE_SERVERS, "", 80, 24, 30},
    {"tests/tui/scenarios/big.json", LP_PANE_SERVERS, "zz", 80, 24, 30},
    {"tests/tui/scenarios/big.json", LP_PANE_SERVERS, "z", 200, 60, 30},
    {"tests/tui/scenarios/big.json", LP_PANE_CIRCUITS, "", 200, 60, 30},
};

/* One event, then a frame of it: its time, and what the terminal gets. */
static void measure(const Case *c, Pty *pty, FILE *report) {
    LpSession *session = open_session(c->scenario);
    LpUiOptions options = {.no_motion = true};
    double spent[FRAMES], sent[FRAMES];
    LpTerm *term = NULL;
    LpDiag diag = {0};
    LpApp app;
    if (lp_app_open(&app, session, &options, c->rows, c->cols, &diag) != LP_OK)
        exit(1);
    lp_app_next(&app, true, c->warm);
    lp_app_show(&app, c->pane);
    if (lp_app_draw(&app, &diag) != LP_OK ||
        (pty && lp_term_open(&app.theme, false, &term, &diag) != LP_OK))
        exit(1);
    for (const char *key = c->keys; *key; key++)
        lp_app_key(&app, (LpKey)*key, 0);
    if (term)
        lp_term_show(term, &app.canvas, true);
    if (pty)
        bytes_sent(pty);
    for (int i = 0; i < FRAMES; i++) {
        lp_app_next(&app, false, 1);
        app.dirty = true;
        double start = bench_now();
        if (lp_app_draw(&app, &diag) != LP_OK)
            exit(1);
        spent[i] = bench_now() - start;
        if (term)
            lp_term_show(term, &app.canvas, false);
        sent[i] = pty ? bytes_sent(pty) : 0.0;
    }
    lp_term_close(term);
    char keys[8] = "";
    for (const char *key = c->keys; *key; key++) /* without Enter */
        strncat(keys, key, *key != '\r');
    const char *name = c->pane == LP_PANE_COUNT ? "main" : lp_pane_name(c->pane);
    fprintf(report, "%-30s %-9s %-3s %3dx%-3d %10.3f", strrchr(c->scenario, '/') + 1, name, keys,
            c->cols, c->rows, 1e3 * bench_median(spent, FRAMES));
    fprintf(report, pty ? " %10.0f\n" : "          -\n", bench_median(sent, FRAMES));
    lp_app_fini(&app);
    lp_session_close(session);
}

int main(void) {
    Pty pty = {0};
    int out = dup(STDOUT_FILENO);
    FILE *report = out >= 0 ? fdopen(out, "w") : NULL;
    if (!report)
        return 1;
    fprintf(report, "frames after one event, medians of %d\n", FRAMES);
    fprintf(report, "%-30s %-9s %-3s %7s %10s %10s\n", "scenario", "view", "key", "size", "ms",
            "bytes");
    bool terminal = open_pty(&pty, cases[0].cols, cases[0].rows);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        bool fits = cases[i].cols == cases[0].cols && cases[i].rows == cases[0].rows;
        measure(&cases[i], terminal && fits ? &pty : NULL, report);
        fflush(report);
    }
    fclose(report);
    return 0;
}
