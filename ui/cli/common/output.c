/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command came to: results to standard output, messages to standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/cli.h"

enum { MESSAGE = 4096 };

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
