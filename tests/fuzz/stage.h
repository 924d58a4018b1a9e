/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run whose every text is given, the explorer on it, and what must hold of all that is shown: on
 * the canvas every cell is one column wide, and in reports and messages is no byte below 0x20, no
 * DEL and no C1 that came with the text. What breaks it aborts. */
#ifndef LP_TESTS_STAGE_H
#define LP_TESTS_STAGE_H

#include "app/app.h"
#include "fuzz.h"

/* Texts are cut here; and how many keys and commands there are to choose from. */
enum { LP_FUZZ_TEXT = 160, LP_FUZZ_KEYS = 17, LP_FUZZ_COMMANDS = 11 };

/* A run and the explorer on it; zero before it is first opened. */
typedef struct LpFuzzStage {
    LpBuf script; /* the policy */
    LpFiles files;
    LpSession *session;
    LpApp app;
    bool open; /* false: the scenario was refused, with a diagnosis that is fit to be shown */
} LpFuzzStage;

/* A text without NULs, at most LP_FUZZ_TEXT bytes, from any bytes. */
void lp_fuzz_line(const uint8_t *data, size_t size, char text[LP_FUZZ_TEXT + 1]);

/* A scenario of four jobs whose names, notes and graph are lp_fuzz_line of the bytes, and whose
 * policy says the bytes themselves wherever it says something; six events played. */
void lp_fuzz_open(LpFuzzStage *stage, const uint8_t *data, size_t size);
void lp_fuzz_close(LpFuzzStage *stage);

/* What is said of a failure: one line. Nothing is checked where there is none. */
void lp_fuzz_diag(LpErr err, const LpDiag *diag);

/* Presses one of the keys that show something else (below LP_FUZZ_KEYS) and looks at the screen. */
void lp_fuzz_key(LpApp *app, size_t key);

/* Gives one of the commands (below LP_FUZZ_COMMANDS) with the text, and looks at the screen; none
 * that writes files. */
void lp_fuzz_command(LpApp *app, size_t command, const char *text);

/* Looks at all reports and failures of the run. */
void lp_fuzz_reports(LpSession *session);

#endif
