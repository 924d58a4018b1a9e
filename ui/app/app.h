/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer: keys and time go in, commands go to the session, and a canvas comes out. It knows
 * neither terminal nor clock, so that a script of keys drives the very same program. */
#ifndef LP_UI_APP_H
#define LP_UI_APP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "app/demo.h"
#include "app/progress.h"
#include "moment/host.h"
#include "moment/model.h"
#include "run/host/write_file.h"
#include "run/session/breakpoint.h"
#include "run/session/file.h"
#include "run/session/session.h"
#include "run/study/lesson_known.h"
#include "run/whatif/blame.h"
#include "run/whatif/ghost.h"
#include "term/canvas.h"
#include "term/keymap.h"
#include "term/mouse.h"
#include "widgets/prompt.h"

/* What is to be done after a session has been left: nothing, the list, or another one. */
typedef struct LpUiNext {
    bool list, tour;    /* tour: in the session that is opened */
    char open[4096];    /* a scenario's file, "": none */
    LpSession *session; /* this one, which whoever leads on owns then; NULL: none */
} LpUiNext;

typedef struct LpUiOptions {
    bool ascii;           /* ASCII only; also where the locale is not UTF-8 */
    bool no_color;        /* also when NO_COLOR is set */
    bool plain;           /* no screen: one event per line, stepped by commands on standard input */
    bool no_motion;       /* of what is shown in steps only the last frame */
    bool mouse;           /* the explorer has the mouse at first */
    const LpTheme *theme; /* NULL: the built-in one */
    const LpKeymap *keymap;    /* NULL: the default keys */
    const char *scenario_file; /* a theme's file is looked for beside it; NULL: nowhere */
    const char *keys_file;     /* key script, "-" for standard input */
    const char *play_file;     /* key script that plays at first; NULL: none */
    const char *size;          /* "100x30", columns x rows; NULL: 80x24 */
    bool autosave;             /* in a terminal: save the session by itself */
    const char *session_file;  /* the session was opened from this file; NULL: from a scenario */
    uint64_t session_stamp;    /* ... when it was as then (lp_session_file_stamp) */
    bool no_tour;              /* is not offered at the first run */
    bool tour;                 /* begin with the tour */
    LpUiNext *next;            /* leaving may lead on; NULL: it ends the program */
    const char *notice;        /* the first message; NULL: none */
    const char *command_line;  /* that opens the session, for moments; NULL: not known */
    const char *cast;          /* file for an asciicast of all screens; NULL: none */
    const char *save_screen;   /* file for the last screen, "-" for standard output; NULL: none */
} LpUiOptions;

enum { LP_APP_BREAKS = 8, LP_APP_UNDOS = 100 };

/* Moments that can be come back to, and changes of conditions that can be undone. */
typedef struct LpTrail {
    LpMoment moment[LP_APP_UNDOS];
    char change[LP_APP_UNDOS][60]; /* that was made there, to be undone; "": none */
    int count;
} LpTrail;

/* Are decisions and events shown in steps? */
typedef enum LpMotion {
    LP_MOTION_OFF, /* only the last frame of each */
    LP_MOTION_ON
} LpMotion;

typedef struct LpApp {
    LpSession *session;          /* the one that is shown: */
    LpSession *base;             /* that which was opened, borrowed ... */
    LpSession *own;              /* ... or one of a step of the lesson; NULL: none */
    bool watches;                /* policies are watched */
    const LpHostCalls *services; /* what views may ask */
    LpUiState ui;
    LpModel model;
    LpLessonKnown known; /* what figures and facts of the lesson came to */
    LpCanvas canvas;
    LpHistory history, searches, questions;
    LpBuf page;    /* the text that lies over the screen */
    LpBuf choices; /* of the completion, a line each */
    int choice_count, choice;
    size_t choice_start;          /* where the word begins that is completed */
    bool completing;              /* Tab goes to the next choice */
    LpTrail undo, redo;           /* of seeks */
    char ask_command[300];        /* what y does while something is asked */
    LpBreak *stop[LP_APP_BREAKS]; /* where playing stops */
    int breaks;
    LpGhost *ghost;        /* the run decided again by a saved policy; NULL: none */
    LpMoment ghost_from;   /* where it began */
    double ghost_until;    /* s, where the run was then */
    LpWriter record;       /* a key script of what is done; closed: none */
    bool recorded_playing; /* as it was after its last line ... */
    uint64_t recorded_step;
    LpDemo demo;   /* a key script that plays here */
    LpBlame blame; /* shown on the page while `blamed` */
    bool blamed;
    LpSave *save;             /* the session's file; NULL: none yet */
    LpSession *saved;         /* whose it is */
    bool autosaves;           /* one is to be begun */
    bool save_ended;          /* nothing more goes there */
    const char *session_file; /* as in the options */
    uint64_t session_stamp;
    const char *command_line;     /* likewise */
    LpBuf yanked;                 /* the moment's command line that was asked for last ... */
    bool copy;                    /* ... for the terminal to take */
    int64_t synced_at, sync_cost; /* ms, when the file was last brought to the disk, and how long
                                     that took */
    uint8_t clicked;              /* LpHit of the last click ... */
    uint32_t clicked_what;        /* ... and what it was on */
    LpMoment stuck; /* the tip of a branch that could not be played on to the present time */
    int drag_row, drag_undo;   /* the time line is dragged: its row, -1: not; undos before that */
    LpTheme theme;             /* what a terminal should show */
    LpKeymap keymap;           /* which keys do what */
    const char *scenario_file; /* as in the options */
    const char *keys_file;     /* likewise */
    LpMotion motion;
    bool dirty;  /* the canvas is older than the state */
    bool redraw; /* ... and the terminal is to be drawn from scratch */
    bool quit;
    LpUiNext *next;         /* as in the options */
    LpGoneThrough progress; /* what has been gone through to its end here */
    bool failed;            /* a command failed, see diag */
    LpDiag diag;
    int64_t next_at;        /* ms, when playing goes on */
    int64_t frame_at;       /* ms, when it last did */
    int64_t interrupted_at; /* ms, last Ctrl-C */
    int64_t (*clock)(void); /* ms, to limit work at full speed; NULL: by count */
    bool (*stopped)(void);  /* does the user wish that long work ends? NULL: never */
} LpApp;

/* Goes to the first decision and makes the canvas. Errors: LP_ENOMEM, the session's. */
LpErr lp_app_open(LpApp *app, LpSession *session, const LpUiOptions *options, int rows, int cols,
                  LpDiag *diag) LP_MUST_USE;
/* Ends what is written, the record and the session: notes that all is well and brings it to the
 * disk. Nothing is to be done afterwards. Errors: what is not saved, and why. */
LpErr lp_app_end(LpApp *app, LpDiag *diag) LP_MUST_USE;
void lp_app_fini(LpApp *app);
/* Policies are looked after from now on, also those of runs that steps of a lesson show. */
void lp_app_watch(LpApp *app);
LpErr lp_app_resize(LpApp *app, int rows, int cols, LpDiag *diag) LP_MUST_USE;
/* `now` in ms on any clock that does not go back. A command of the session that fails stops
 * playing and shows its message; app->failed and app->diag keep it. */
void lp_app_key(LpApp *app, LpKey key, int64_t now);
/* Clicks mark, a second click on the same looks into it; the time line can be dragged. */
void lp_app_mouse(LpApp *app, const LpMouse *mouse, int64_t now);
/* One command as on the command line, such as "step 3". Errors: those of reading the line
 * (command.h), LP_EINVAL and others for what the command cannot do; the message is not shown. */
LpErr lp_app_command(LpApp *app, const char *text, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Plays what is due by `now`. */
void lp_app_tick(LpApp *app, int64_t now);
/* Does the next line of a demonstration if it is due by `now`; call after lp_app_tick. */
void lp_app_demo_tick(LpApp *app, int64_t now);
/* Looks whether the policy was saved; call when nothing else happens. */
void lp_app_wake(LpApp *app);
/* When lp_app_tick should be called next, -1: not before the next key. */
int64_t lp_app_deadline(LpApp *app);
/* Brings the canvas up to date; cheap when nothing changed. */
LpErr lp_app_draw(LpApp *app, LpDiag *diag) LP_MUST_USE;

/* The screen into a file ("-": standard output), in the format that its ending says (picture.h);
 * not over the scenario or the script of keys. LP_EINVAL, LP_EIO. */
LpErr lp_ui_save_screen(const LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;

#endif
