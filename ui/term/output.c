/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results to standard output and files. */
#include "term/output.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

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

/* Waits until it can be written: another process may have set the pipe or terminal to non-blocking.
 */
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
