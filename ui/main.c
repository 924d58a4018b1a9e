/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: makes a sane process and hands over to the command line. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/cli.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    interrupted = signal_number;
}

/* Ctrl-C, and what ends programs from outside. The second of a kind finds the default action again
 * and ends the program at once; a hang-up that is to be ignored (nohup) stays so. */
static void watch_interrupts(void) {
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] == SIGINT || sigaction(ends[i], NULL, &before) != 0 ||
            before.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
}

/* A file must never open as standard input, output or error because that one is closed. What is
 * written to a closed output still fails. */
static void fill_standard_files(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd)
            _exit(LP_EXIT_FAILED);
}

/* Some file systems tell only when a file is closed that it could not be written. */
static int close_output(int code) {
    if (close(STDOUT_FILENO) == 0 || errno == EBADF || errno == EINTR || code != LP_EXIT_OK)
        return code;
    lp_cli_note("cannot write standard output: %s", strerror(errno));
    return LP_EXIT_FAILED;
}

int main(int argc, char **argv) {
    LpCli cli = {
        .argc = argc, .argv = argv, .watch = watch_interrupts, .interrupted = &interrupted};
    fill_standard_files();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a full disk is an error like others */
    setlocale(LC_CTYPE, "");
    int code = lp_cli_main(&cli);
    return close_output(code);
}
