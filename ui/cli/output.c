/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results to standard output and files, messages to standard error. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { MESSAGE = 4096 };

/* ---- output ---- */

static LpErr fail_io(const char *name, LpDiag *diag) {
    return lp_fail(diag, LP_EIO, "cannot write %s: %s", name, strerror(errno));
}

LpOutput lp_output_standard(void) {
    return (LpOutput){.fd = STDOUT_FILENO, .name = "standard output"};
}

static bool is_file(const LpOutput *output) {
    return lp_writer_is_open(&output->file);
}

LpErr lp_output_begin(LpOutput *output, const LpWriteSpec *spec, LpDiag *diag) {
    *output = (LpOutput){.fd = -1, .name = spec->path};
    if (strcmp(spec->path, "-") == 0)
        return lp_fail(diag, LP_EINVAL,
                       "standard output has the results already: expected the name of a file");
    LP_TRY(lp_writer_open(&output->file, spec, diag));
    output->fd = output->file.fd;
    return LP_OK;
}

LpErr lp_output_open(LpOutput *output, const char *path, const char *input, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .input = {input}};
    return lp_output_begin(output, &spec, diag);
}

LpErr lp_output_try(const char *path, const char *input, LpDiag *diag) {
    LpOutput output;
    LP_TRY(lp_output_open(&output, path, input, diag));
    lp_output_drop(&output);
    return LP_OK;
}

/* Somebody else may have made the pipe or terminal so that writing does not wait. */
static bool wait_until_ready(int fd) {
    struct pollfd end = {.fd = fd, .events = POLLOUT};
    return poll(&end, 1, -1) > 0 || errno == EINTR;
}

LpErr lp_output_write(void *user, const char *bytes, size_t len, LpDiag *diag) {
    LpOutput *output = user;
    if (is_file(output))
        return lp_writer_add(&output->file, bytes, len, diag);
    while (len > 0) {
        ssize_t wrote = write(output->fd, bytes, len);
        if (wrote < 0 && (errno == EINTR || (errno == EAGAIN && wait_until_ready(output->fd))))
            continue;
        if (wrote < 0) {
            output->quiet = errno == EPIPE;
            return fail_io(output->name, diag);
        }
        bytes += wrote;
        len -= (size_t)wrote;
    }
    return LP_OK;
}

LpErr lp_output_add(LpOutput *output, const LpBuf *text, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    return lp_output_write(output, lp_buf_text(text), text->len, diag);
}

LpErr lp_output_close(LpOutput *output, LpDiag *diag) {
    if (!is_file(output))
        return LP_OK;
    output->fd = -1;
    return lp_writer_close(&output->file, diag);
}

void lp_output_drop(LpOutput *output) {
    if (is_file(output))
        output->fd = -1;
    lp_writer_drop(&output->file);
}

/* ---- messages ---- */

static void print_message(const LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT + 64];
    lp_diag_format(diag, text, sizeof text);
    fprintf(stderr, "%s%s\n", diag->file[0] != '\0' ? "" : "lightpath: ", text);
}

int lp_cli_fail(const LpDiag *diag) {
    print_message(diag);
    return diag->code == LP_ENOMEM ? LP_EXIT_FAILED : LP_EXIT_USAGE;
}

int lp_cli_fail_run(const LpDiag *diag) {
    print_message(diag);
    return LP_EXIT_FAILED;
}

int lp_cli_interrupted(const LpCli *cli) {
    return LP_EXIT_SIGNAL + (*cli->interrupted != 0 ? (int)*cli->interrupted : SIGINT);
}

int lp_cli_fail_output(const LpOutput *output, const LpDiag *diag) {
    if (!output->quiet)
        print_message(diag);
    return LP_EXIT_FAILED;
}

int lp_cli_print(LpErr err, LpBuf *text, const LpDiag *diag) {
    LpOutput output = lp_output_standard();
    LpDiag failed;
    int code = LP_EXIT_OK;
    if (err != LP_OK)
        code = lp_cli_fail(diag);
    else if (lp_output_add(&output, text, &failed) != LP_OK)
        code = lp_cli_fail_output(&output, &failed);
    lp_buf_fini(text);
    return code;
}

/* Messages take no memory: it may be what is missing. A line that is longer than any message ends
 * in an ellipsis. */
void lp_cli_tell(const char *text) {
    while (*text != '\0') {
        char line[MESSAGE], safe[2 * MESSAGE];
        size_t len = strcspn(text, "\n");
        lp_str_copy(line, len + 1 < sizeof line ? len + 1 : sizeof line, text);
        fputs(lp_str_show(safe, sizeof safe, line), stderr);
        text += len;
        if (*text == '\n')
            fputc(*text++, stderr);
    }
}

void lp_cli_note(const char *fmt, ...) {
    char text[MESSAGE], safe[2 * MESSAGE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(stderr, "lightpath: %s\n", lp_str_show(safe, sizeof safe, text));
}
