/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to run the explorer: in a terminal, from a script of keys, as plain text. */
#ifndef LP_UI_FRONT_FRONT_H
#define LP_UI_FRONT_FRONT_H

#include "app/app.h"

/* Opens the terminal and runs until the user quits. The session should keep its events. Returns
 * the exit code: 0, 1 when the run failed, 2 for bad options; with diag filled unless it is 0. */
int lp_ui_run(LpSession *session, const LpUiOptions *options, LpDiag *diag);

/* The same without a terminal, driven by options->keys_file. A script is words and comments:
 *     n ] space Tab Up     keys by name, or a character itself; n*12 presses it twelve times
 *     # ...                a comment, to the end of the line
 *     :wait MS             lets the program's clock run; playing goes on meanwhile
 *     :wait-until TEXT     until the screen shows TEXT (at most 600 s of that clock)
 *     :expect TEXT         fails unless the screen shows TEXT now
 *     :size COLSxROWS      resizes the terminal
 *     :type TEXT           presses every character of TEXT
 *     :pointer press X Y   the mouse: press, drag, release, up, down (the wheel), column and row
 *     :pause TEXT          playing stops, TEXT is what to say (lp_app_demo waits there)
 *     :step 3              any command of the explorer (command.h); one that fails ends the script
 * A command stands alone on its line; the colon may be left out. After `q` the rest of the script
 * is not read. At the end the screen goes to options->save_screen. Exit code as above; 1 also for
 * an expectation not met. */
int lp_ui_run_keys(LpSession *session, const LpUiOptions *options, LpDiag *diag);

/* "100x30" into columns and rows. LP_EINVAL unless they are 1..LP_CANVAS_MAX, 1..LP_CANVAS_ROWS. */
LpErr lp_ui_parse_size(const char *text, int *cols, int *rows, LpDiag *diag) LP_MUST_USE;
/* The mode of options->plain: one event per line, stepped by commands on standard input. Returns
 * the exit code. */
int lp_ui_run_plain(LpSession *session, LpDiag *diag);

#endif
