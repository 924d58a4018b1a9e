/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Key scripts, as they are written: what comes next, whoever does it. */
#ifndef LP_UI_APP_SCRIPT_H
#define LP_UI_APP_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "term/keymap.h"
#include "term/mouse.h"

typedef enum LpScriptKind {
    LP_SCRIPT_END,        /* nothing is left */
    LP_SCRIPT_KEY,        /* `key` */
    LP_SCRIPT_COMMAND,    /* `text`, a command of the explorer */
    LP_SCRIPT_WAIT,       /* `ms` */
    LP_SCRIPT_WAIT_UNTIL, /* `text` is on the screen */
    LP_SCRIPT_EXPECT,     /* `text` is on the screen */
    LP_SCRIPT_SIZE,       /* `text`, such as 100x30 */
    LP_SCRIPT_POINTER,    /* `mouse` */
    LP_SCRIPT_PAUSE       /* whoever presents goes on; `text` is what to say, or "" */
} LpScriptKind;

/* `text` is good until the script is freed. */
typedef struct LpScriptStep {
    LpScriptKind kind;
    LpKey key;
    LpMouse mouse;
    int64_t ms;
    const char *text;
    int line, col; /* where it stands, from 1 */
} LpScriptStep;

/* A script while it is read; {0} is none. */
typedef struct LpScript {
    const char *name;  /* borrowed: of its file */
    char *text, *next; /* the whole of it, cut into lines as it is read; the next line */
    char *whole;       /* the same, not cut, `size` bytes with its end */
    size_t size;
    char *rest; /* of the line that is read, NULL: it is done */
    bool typed; /* every character of the rest is a key */
    long again; /* so often the last key comes once more */
    LpKey key;
    int col;           /* of the last key */
    const char *start; /* of the last key's line */
    int line;          /* number of that line, from 1 */
} LpScript;

/* Between two lines of a script. */
typedef struct LpScriptPlace {
    size_t offset; /* of the line that is next; the script's size: none is */
    int line;      /* number of the line before it, from 1; 0: none */
} LpScriptPlace;

/* Reads the file ("-": standard input); `name` is borrowed. Errors: LP_EIO and others of the file,
 * LP_ELIMIT beyond 1 MiB, LP_EPARSE for what is no text. */
LpErr lp_script_open(const char *name, LpScript *out, LpDiag *diag) LP_MUST_USE;
void lp_script_free(LpScript *script);
/* What comes next. Errors: LP_EPARSE for what is wrong there, with its place. */
LpErr lp_script_next(LpScript *script, LpScriptStep *step, LpDiag *diag) LP_MUST_USE;
/* Where it is read; nothing may be left of the line that was read last. */
LpScriptPlace lp_script_place(const LpScript *script);
/* Reads on from a place of the same script. Texts of earlier steps are no longer good. O(size). */
void lp_script_go(LpScript *script, LpScriptPlace place);

#endif
