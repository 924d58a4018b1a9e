/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results to standard output and files, messages to standard error. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* ---- output ---- */

static LpErr fail_io(const char *name, LpDiag *diag) {
    return lp_fail(diag, LP_EIO, "cannot write %s: %s", name, strerror(errno));
}

LpOutput lp_output_standard(void) {
    return (LpOutput){.fd = STDOUT_FILENO, .name = "standard output"};
}

static bool same_file(const struct stat *about, const char *input) {
    struct stat other;
    return input != NULL && stat(input, &other) == 0 && about->st_dev == other.st_dev &&
           about->st_ino == other.st_ino;
}

static LpErr open_in_place(LpOutput *output, const char *path, LpDiag *diag) {
    output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    return output->fd >= 0 ? LP_OK : fail_io(path, diag);
}

/* A name of its own beside the file, so that the last step is a rename. */
static LpErr open_beside(LpOutput *output, const char *path, LpDiag *diag) {
    size_t size = strlen(path) + 40;
    output->temporary = lp_alloc(size, 1);
    if (output->temporary == NULL)
        return lp_fail_memory(diag, "a file name");
    snprintf(output->temporary, size, "%s.%ld.part", path, (long)getpid());
    output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->fd >= 0)
        return LP_OK;
    LpErr err = fail_io(path, diag);
    lp_free(output->temporary);
    output->temporary = NULL;
    return err;
}

LpErr lp_output_open(LpOutput *output, const char *path, const char *input, LpDiag *diag) {
    struct stat about;
    *output = (LpOutput){.fd = -1, .name = path};
    bool there = lstat(path, &about) == 0;
    if (there && S_ISLNK(about.st_mode))
        there = stat(path, &about) == 0;
    if (there && same_file(&about, input))
        return lp_fail(diag, LP_EINVAL, "%s is read and written: expected another output file",
                       path);
    struct stat link;
    bool plain = lstat(path, &link) != 0 || S_ISREG(link.st_mode);
    return plain ? open_beside(output, path, diag) : open_in_place(output, path, diag);
}

LpErr lp_output_write(void *user, const char *bytes, size_t len, LpDiag *diag) {
    LpOutput *output = user;
    while (len > 0) {
        ssize_t wrote = write(output->fd, bytes, len);
        if (wrote < 0 && errno == EINTR)
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
    LpErr err = LP_OK;
    if (output->fd == STDOUT_FILENO)
        return LP_OK;
    if (close(output->fd) != 0)
        err = fail_io(output->name, diag);
    output->fd = -1;
    if (err == LP_OK && output->temporary != NULL && rename(output->temporary, output->name) != 0)
        err = fail_io(output->name, diag);
    if (err == LP_OK) {
        lp_free(output->temporary);
        output->temporary = NULL;
    }
    lp_output_drop(output);
    return err;
}

void lp_output_drop(LpOutput *output) {
    if (output->fd >= 0 && output->fd != STDOUT_FILENO)
        close(output->fd);
    output->fd = -1;
    if (output->temporary != NULL)
        unlink(output->temporary);
    lp_free(output->temporary);
    output->temporary = NULL;
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

void lp_cli_tell(const char *text) {
    LpBuf safe = {0};
    lp_str_escape_lines(&safe, text, strlen(text));
    fputs(lp_buf_text(&safe), stderr);
    lp_buf_fini(&safe);
}

void lp_cli_note(const char *fmt, ...) {
    LpBuf text = {0};
    va_list args;
    lp_buf_add(&text, "lightpath: ");
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    lp_buf_add(&text, "\n");
    lp_cli_tell(lp_buf_text(&text));
    lp_buf_fini(&text);
}
