/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/common/log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/common/cli.h"
#include "host/write_file.h"

/* Runs of a batch write to it from several threads. */
struct LpCliLog {
    LpDebugLog to;
    pthread_mutex_t lock;
    LpWriter file; /* closed: standard error */
    bool failed;
    LpDiag diag; /* why */
};

/* A line is on its way as a whole before the next one is begun: the last one before a crash is
 * there. Names in it may hold anything. */
static void write_line(void *user, LpDebugRoom room, unsigned level, const char *line) {
    LpCliLog *log = user;
    char safe[2 * LP_DEBUG_LINE];
    (void)room, (void)level;
    lp_str_show(safe, sizeof safe - 1, line);
    size_t len = strlen(safe);
    safe[len++] = '\n';
    pthread_mutex_lock(&log->lock);
    if (!lp_writer_is_open(&log->file))
        fwrite(safe, 1, len, stderr);
    else if (!log->failed)
        log->failed = lp_writer_add(&log->file, safe, len, &log->diag) != LP_OK;
    pthread_mutex_unlock(&log->lock);
}

static LpErr open_file(LpCliLog *log, LpDiag *diag) {
    const char *path = getenv("LP_LOG_FILE");
    if (path == NULL || path[0] == '\0')
        return LP_OK;
    LpWriteSpec spec = {.path = path};
    return lp_writer_append(&log->file, &spec, diag);
}

LpErr lp_cli_log_open(const char *list, LpCliLog **out, LpDiag *diag) {
    *out = NULL;
    if (list == NULL || list[0] == '\0')
        return LP_OK;
    LpCliLog *log = lp_alloc(1, sizeof *log);
    if (log == NULL)
        return lp_fail_memory(diag, "the log");
    log->to.write = write_line;
    log->to.user = log;
    pthread_mutex_init(&log->lock, NULL);
    LpErr err = lp_debug_parse(&log->to, list, diag);
    if (err == LP_OK)
        err = open_file(log, diag);
    if (err == LP_OK)
        *out = log;
    else
        lp_cli_log_close(log);
    return err;
}

LpErr lp_cli_log_open_asked(LpCliLog **out, LpDiag *diag) {
    LpDiag inner;
    LpErr err = lp_cli_log_open(getenv("LP_LOG"), out, &inner);
    if (err == LP_OK)
        return LP_OK;
    return lp_fail(diag, err, "LP_LOG: %s", inner.text);
}

const LpDebugLog *lp_cli_log_to(const LpCliLog *log) {
    return log != NULL ? &log->to : NULL;
}

bool lp_cli_log_on_terminal(const LpCliLog *log) {
    return log != NULL && !lp_writer_is_open(&log->file) && isatty(STDERR_FILENO);
}

void lp_cli_log_close(LpCliLog *log) {
    LpDiag diag;
    if (log == NULL)
        return;
    bool lost = log->failed;
    if (!lost && lp_writer_is_open(&log->file) && lp_writer_close(&log->file, &diag) != LP_OK) {
        lost = true;
        log->diag = diag;
    }
    if (lost)
        lp_cli_note("lines of the log are lost: %s", log->diag.text);
    lp_writer_drop(&log->file);
    pthread_mutex_destroy(&log->lock);
    lp_free(log);
}
