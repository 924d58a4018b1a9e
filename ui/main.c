/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: makes a sane process and hands over to the command line. */
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

/* The second Ctrl-C finds the default action again and ends the program at once. */
static void watch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

/* A file must never open as standard input, output or error because that one is closed. What is
 * written to a closed output still fails. */
static void fill_standard_files(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd)
            _exit(LP_EXIT_FAILED);
}

int main(int argc, char **argv) {
    LpCli cli = {
        .argc = argc, .argv = argv, .watch = watch_interrupts, .interrupted = &interrupted};
    fill_standard_files();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a full disk is an error like others */
    setlocale(LC_CTYPE, "");
    return lp_cli_main(&cli);
}
