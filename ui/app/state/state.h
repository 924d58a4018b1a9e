/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the explorer is, LpApp, and where in time it stands. Everything else in ui/app stands above
 * this room; private to ui/app and to who runs the explorer (ui/front). */
#ifndef LP_UI_APP_STATE_H
#define LP_UI_APP_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "app/files/progress.h"
#include "app/line/command.h"
#include "app/line/script.h"
#include "ask/blame/blame.h"
#include "ask/whatif/ghost.h"
#include "host/write_file.h"
#include "many/study/lesson_known.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "screen/views.h"
#include "session/breakpoint.h"
#include "session/file.h"
#include "session/session.h"
#include "sim/facts/identity.h"
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
    const LpTheme *theme; /* NULL: in a terminal as that is, else the built-in one */
    const LpKeymap *keymap;    /* NULL: the default keys */
    const char *scenario_file; /* a theme's file is looked for beside it; NULL: nowhere */
    const char *keys_file;     /* key script, "-" for standard input */
    const char *play_file;     /* key script that plays at first; NULL: none */
    const char *size;          /* "100x30", columns x rows; NULL: 80x24 */
    bool autosave;             /* in a terminal: save the session by itself */
    const char *session_file;  /* the session was opened from this file; NULL: from a scenario */
    bool stay;                 /* the session is shown where it stands, not at the next decision */
    const char *look;          /* to be gone to first: "worst", "worst queue" ...; NULL: nothing */
    uint64_t session_stamp;    /* of `session_file` when it was opened (lp_session_file_stamp) */
    bool no_tour;              /* is not offered at the first run */
    bool tour;                 /* begin with the tour */
    LpUiNext *next;            /* leaving may lead on; NULL: it ends the program */
    const char *notice;        /* the first message; NULL: none */
    const char *background;    /* what is known of the terminal's; NULL: nobody asked */
    const char *command_line;  /* that opens the session, for moments; NULL: not known */
    const char *cast;          /* file for an asciicast of all screens; NULL: none */
    const char *save_screen;   /* file for the last screen, "-" for standard output; NULL: none */
} LpUiOptions;

enum { LP_APP_BREAKS = 8, LP_APP_UNDOS = 100 };

/* A pause of a key script: the state that it is come back to, and where the script is read then. */
typedef struct LpDemoStop {
    LpScriptPlace place; /* after the pause */
    size_t made;         /* branches that the script had made */
    const LpSession *session;
    LpMoment moment;
    bool lesson, page; /* a lesson was on; a text lay over the screen */
    bool ran;          /* rows of what-if were run to the end */
    uint32_t step;     /* of the lesson */
    void *views;       /* states of views, one after the other, owned */
    char told[LP_TOLD_TEXT];
    /* As the members of LpUiState. */
    LpPane only, back;
    uint32_t focus_job, network;
    int scroll, frame, row, versus, pick, speed, pointers;
    LpStage stage;
    LpHandState hand;
    bool explain, focus, follow, completed_only, stops;
    LpPointer pointer[LP_LESSON_MARKS];
    LpMoment look_at;
    double look;
} LpDemoStop;

/* A key script that plays in the running program, in front of people: it stops where it says
 * "pause" until whoever presents goes on, and at every key that is not for it; it goes on from
 * where it stopped. {0}: none. */
typedef struct LpDemo {
    LpScript script;
    char path[4096];
    bool on;       /* from the first line to the last */
    bool held;     /* at a pause, or by a key */
    bool paused;   /* at the last of `stop` */
    bool busy;     /* does one of its lines at this moment */
    bool touched;  /* somebody looked at something else meanwhile: `here` is come back to */
    bool meddled;  /* that was so at some time: what fails holds it, and does not end it */
    LpMoment here; /* where it was then, and what was shown */
    LpPane only;
    int64_t hurried;   /* ms, when a key last cut a wait short */
    int64_t at;        /* ms, when it goes on */
    const char *until; /* it waits for this text, NULL: for the time only */
    int64_t patience;  /* ms, when it waits no longer for `until` */
    LpDemoStop *stop;  /* the pauses so far, owned */
    uint32_t *made;    /* the branches that its lines made, owned */
    size_t stops, stop_cap, mades, made_cap;
} LpDemo;

/* Moments that can be come back to, and changes of conditions that can be undone. */
typedef struct LpAppTrail {
    LpMoment moment[LP_APP_UNDOS];
    char change[LP_APP_UNDOS][60]; /* that was made there, to be undone; "": none */
    int count;
} LpAppTrail;

/* Are decisions and events shown in steps? */
typedef enum LpMotion {
    LP_MOTION_OFF, /* only the last frame of each */
    LP_MOTION_ON
} LpMotion;

typedef struct LpApp LpApp;

/* Carries out one line of the command line (app/commands.c). */
typedef LpErr LpAppRun(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag);

/* What is typed: the lines of before, and the choices of a completion. */
typedef struct LpTyped {
    LpHistory history, searches, questions;
    LpBuf choices; /* a line each */
    int choice_count, choice;
    size_t choice_start; /* where the word begins that is completed */
    bool completing;     /* Tab goes to the next choice */
    char keys[8];        /* while something is asked: the keys that answer it */
    char answer[4][300]; /* what each of them does, a command */
} LpTyped;

/* The moments of a run that one goes through, worst time first, and which of them is shown. */
enum { LP_APP_MOMENTS = 5 };
typedef struct LpGoneTo {
    char place[LP_APP_MOMENTS][64], said[LP_APP_MOMENTS][160];
    int count, at;
    LpMoment moment; /* where the last one led */
} LpGoneTo;

/* The worst moment of the run is looked for. */
typedef struct LpLooking {
    bool on, opening;
    int64_t shown,
        wait;   /* ms, when the screen last said how far, and how long until it may again */
    bool drawn; /* and it has been drawn since */
    char moment[32];
    LpMoment from;
} LpLooking;

/* The session's file. */
typedef struct LpSaving {
    LpSave *save;                 /* NULL: none yet */
    LpSession *of;                /* whose it is */
    bool autosaves;               /* one is to be begun */
    bool ended;                   /* nothing more goes there */
    const char *path;             /* as in the options */
    uint64_t stamp;               /* of the file at `path` */
    int64_t synced_at, sync_cost; /* ms, when it was last brought to the disk, and how long that
                                     took */
} LpSaving;

/* The moment's command line that was asked for last. */
typedef struct LpCopied {
    const char *command_line; /* as in the options */
    LpBuf text;
    bool due; /* for the terminal to take */
} LpCopied;

/* The run decided again by a saved policy. */
typedef struct LpOtherRun {
    LpGhost *ghost; /* NULL: none */
    LpMoment from;  /* where it began */
    double until;   /* s, where the run was then */
} LpOtherRun;

/* A key script of what is done. */
typedef struct LpRecording {
    LpWriter writer; /* closed: none */
    bool playing;    /* as it was after the script's last line */
    uint64_t step;   /* as it was after the script's last line */
} LpRecording;

typedef struct LpBlamed {
    LpBlame blame;
    bool shown; /* on the page */
} LpBlamed;

/* What the mouse did last. */
typedef struct LpPointed {
    uint8_t clicked;         /* LpHit */
    uint32_t what;           /* what the click was on */
    int drag_row, drag_undo; /* the time line is dragged: its row, -1: not; undos before that */
    bool carries, carried;   /* an op or a flow is under the pressed button; and was moved */
} LpPointed;

/* Where playing stops. */
typedef struct LpPlayStops {
    LpBreak *at[LP_APP_BREAKS];
    int count;
} LpPlayStops;

/* At 16x: from where on the bar counts what happens. */
typedef struct LpPassing {
    bool on;
    int64_t at;                /* ms of the wall clock */
    double from;               /* s of the run */
    uint64_t came, done, lost; /* jobs until then */
} LpPassing;

/* Times in ms. */
typedef struct LpDue {
    int64_t next;        /* when playing goes on */
    int64_t frame;       /* when it last did */
    int64_t interrupted; /* last Ctrl-C */
} LpDue;

struct LpApp {
    LpSession *session;          /* the one that is shown: `base` or `own` */
    LpSession *base;             /* the session that was opened, borrowed */
    LpSession *own;              /* the session of a step of the lesson; NULL: none */
    const LpHostCalls *services; /* what views may ask */
    LpAppRun *run;               /* the commands, for what stands below them: steps of lessons */
    LpUiState ui;
    LpModel model;
    LpCanvas canvas;
    LpBuf page;             /* the text that lies over the screen */
    LpLessonKnown known;    /* what figures and facts of the lesson came to */
    LpGoneThrough progress; /* what has been gone through to its end here */
    LpAppTrail undo, redo;  /* of seeks */
    LpHandState kept;       /* the draft that was left last */
    LpMoment stuck;         /* the tip of a branch that could not be played on to the present */
    /* What the rooms of ui/app keep, each its own. */
    LpTyped typed;
    LpSaving file;
    LpCopied copied;
    LpOtherRun other;
    LpLooking looking;
    LpRecording record;
    LpDemo demo; /* a key script that plays here */
    LpBlamed blamed;
    LpGoneTo gone_to;
    LpPointed pointed;
    LpPlayStops stops;
    LpDue due;
    LpPassing passing;

    LpTheme theme;             /* what a terminal should show */
    LpKeymap keymap;           /* which keys do what */
    const char *background;    /* as in the options */
    const char *scenario_file; /* likewise: a theme's file is looked for beside it */
    const char *keys_file;     /* as in the options */
    LpUiNext *next;            /* as in the options */
    LpMotion motion;
    bool watches; /* policies are watched */
    bool dirty;   /* the canvas is older than the state */
    bool redraw;  /* the terminal is to be drawn from scratch */
    bool quit;
    bool failed; /* a command failed, see diag */
    LpDiag diag;
    int64_t (*clock)(void); /* ms, to limit work at full speed; NULL: by count */
    bool (*stopped)(void);  /* does the user wish that long work ends? NULL: never */
};

/* ---- app/state/state.c: where the explorer is, and the message in place of the keys ---- */

/* The message in place of the keys. */
void lp_app_say(LpApp *app, bool bad, const char *fmt, ...) LP_PRINTF(3, 4);
/* What a job that has arrived is called (lp_job_label). */
LpLabel lp_app_label(const LpApp *app, uint32_t job);
/* A message with keys by their defaults in braces (lp_keymap_text). */
void lp_app_tell(LpApp *app, const char *text);
/* Is all well? Else playing stops, the message is shown, and app->failed is set. */
bool lp_app_check(LpApp *app, LpErr err, const LpDiag *diag);
/* The message of what was refused, if it was. */
void lp_app_attempt(LpApp *app, LpErr err, const LpDiag *diag);
bool lp_app_has_time(const LpApp *app);
bool lp_app_is_due(const LpApp *app);
bool lp_app_is_over(const LpApp *app);
/* Something else is to be seen: the cursor is where it begins. */
void lp_app_arrive(LpApp *app);

/* ---- app/state/time.c: the time machine; lp_app_has_time must hold ---- */

void lp_app_undo(LpApp *app, bool redo);
/* One event, or decision, back. */
void lp_app_back(LpApp *app, bool decision);
/* Goes to a moment in words (session/moment/moment.h). */
LpErr lp_app_seek(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_seek_time(LpApp *app, double time);
void lp_app_to_end(LpApp *app, bool tip);
/* Goes to a step of this branch. */
void lp_app_visit(LpApp *app, uint64_t step);
/* Goes to a moment of any branch; undo does not know of it. Errors: the session's. */
LpErr lp_app_return(LpApp *app, LpMoment moment, LpDiag *diag) LP_MUST_USE;
/* Call after leaving a moment: it can be come back to with undo. */
void lp_app_left(LpApp *app, LpMoment from);
/* A fork, or a change of conditions, in words (session/moment/moment.h). */
LpErr lp_app_fork(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_fork_answer(LpApp *app, const LpAnswer *answer, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_change(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_switch_to(LpApp *app, uint32_t branch, LpDiag *diag) LP_MUST_USE;

/* ---- app/state/keep_up.c ---- */

/* Plays another branch to the present time, if it has not got there; the present moment stays. */
LpErr lp_app_catch_up(LpApp *app, uint32_t branch, LpDiag *diag) LP_MUST_USE;
/* Plays the branch beside to the present time, where it is shown; says why where that cannot be. */
void lp_app_keep_up(LpApp *app);

/* ---- app/state/motion.c: frames of a decision and of events (motion.h) ---- */

/* How long what is shown stays while playing, ms; 0: not at all. */
int64_t lp_app_shown_ms(const LpApp *app);
/* While playing: the first frame of a new moment, and the next one of the same; false after the
 * last one. */
void lp_app_first_frame(LpApp *app);
bool lp_app_next_shown_frame(LpApp *app);
/* While playing at 16x: counts what happened, which the bar says twice a second. */
void lp_app_pass(LpApp *app, int64_t now);
/* Another LpSpeed, from what is shown now on. */
void lp_app_pace(LpApp *app, int speed, int64_t now);
/* Playing stops at the first frame of what is shown. */
void lp_app_stop_here(LpApp *app);
/* One frame on or back, over the stages too. */
void lp_app_frame(LpApp *app, int by);
/* "3", "last", "next", "back", "off". */
LpErr lp_app_frame_to(LpApp *app, const char *word, LpDiag *diag) LP_MUST_USE;

/* ---- app/state/ghost.c: what the saved policy would have decided; and bookmarks ---- */

/* Calls up the ghost of the run so far, from the last bookmark on the way here, or the start. */
LpErr lp_app_ghost(LpApp *app, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_ghost(LpApp *app);
/* Has the ghost work to do? */
bool lp_app_ghost_works(const LpApp *app);
/* Lets it work for a while. */
void lp_app_ghost_tick(LpApp *app);
/* Goes to the decision about the next job whose outcome differs. */
void lp_app_next_difference(LpApp *app);
/* Makes the ghost a branch. */
void lp_app_take_ghost(LpApp *app);
/* Sets a bookmark here, or takes it away. */
void lp_app_bookmark(LpApp *app);
/* Goes to the bookmark before this moment, or to the last one. */
void lp_app_to_bookmark(LpApp *app);
void lp_app_forget_bookmarks(LpApp *app, uint32_t branch);

/* ---- app/state/host.c: what views may ask of the program, and what it asks of them ---- */

/* Good for one call: `now` in ms. */
LpHost lp_app_host(LpApp *app, int64_t now);
/* The view that has the screen for itself; `here` only while nothing lies over it. Without one, a
 * view of which nothing is known. Never NULL. */
const LpView *lp_app_shown(const LpApp *app);
const LpView *lp_app_here(const LpApp *app);
/* Stops what views have at work in the background; false when nothing was. */
bool lp_app_stop(LpApp *app);
/* When a view wants time to go on, -1: none does; and lets it. */
int64_t lp_app_views_deadline(LpApp *app);
void lp_app_views_tick(LpApp *app, int64_t now);

#endif
