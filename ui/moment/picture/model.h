/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views read: the session's views gathered into one immutable picture, and the state of
 * the screen itself. Views never see the session's commands. */
#ifndef LP_UI_MOMENT_MODEL_H
#define LP_UI_MOMENT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ask/inspect/inspect_light.h"
#include "ask/inspect/inspect_policy.h"
#include "ask/whatif/candidates.h"
#include "ask/whatif/ghost.h"
#include "ask/whatif/whatif.h"
#include "model/fabric/board.h"
#include "model/lesson/limits.h"
#include "model/pointer.h"
#include "moment/parts/draft_parts.h"
#include "moment/parts/letters.h"
#include "moment/parts/marks.h"
#include "moment/parts/motion.h"
#include "moment/parts/network_parts.h"
#include "moment/parts/now.h"
#include "moment/parts/pane_parts.h"
#include "moment/parts/step_parts.h"
#include "moment/parts/time.h"
#include "session/session.h"
#include "sim/sharing/links.h"
#include "term/canvas.h"
#include "term/keymap.h"
#include "widgets/prompt.h"
#include "widgets/search.h"
#include "widgets/show.h"

typedef struct LpLesson LpLesson; /* model/lesson/lesson.h, like its questions */
typedef struct LpLessonQuestion LpLessonQuestion;

/* How fast it plays: up to 2x all frames, at 4x one of each stage, at 16x one of each decision, at
 * max what can be worked out. X(ID, "name") */
#define LP_SPEED_TABLE(X)                                                                          \
    X(TENTH, "0.1x")                                                                               \
    X(QUARTER, "0.25x")                                                                            \
    X(HALF, "0.5x")                                                                                \
    X(1X, "1x")                                                                                    \
    X(2X, "2x")                                                                                    \
    X(4X, "4x")                                                                                    \
    X(16X, "16x")                                                                                  \
    X(MAX, "max")

typedef enum LpSpeed {
#define X(id, name) LP_SPEED_##id,
    LP_SPEED_TABLE(X)
#undef X
        LP_UI_SPEEDS
} LpSpeed;

const char *lp_speed_name(int speed);

enum {
    LP_UI_BOOKMARKS = 32,
    LP_UI_FAR = 1 << 20 /* lines or columns that stand for all the way */
};

/* What is shown of the present step of a lesson. */
typedef enum LpLessonPhase {
    LP_LESSON_TEXT,
    LP_LESSON_ASK,    /* the question of the step */
    LP_LESSON_REVEAL, /* and its answer */
} LpLessonPhase;

typedef struct LpLessonState {
    const LpLesson *lesson;      /* the scenario's; NULL: it tells nothing */
    const char *file;            /* where it was read; NULL: nowhere, it has no figures */
    struct LpLessonKnown *known; /* values of its figures, worked out once; NULL: not kept */
    bool on;                     /* it is shown */
    bool tour;                   /* it is no scenario's: the tour, which Esc leaves */
    bool points;                 /* what it speaks of is shown alone where there is no room */
    bool presenting;             /* PgUp and PgDn go through the run, or the lesson */
    bool blank;                  /* nothing is shown at all */
    bool exercise;               /* the page over the screen is its exercise */
    uint32_t hints;              /* of the exercise, asked for so far */
    uint32_t step;
    LpLessonPhase phase;
    int first;                           /* line of the text that is shown first */
    signed char choice[LP_LESSON_STEPS]; /* the first answer, a prediction; -1: none */
    signed char last[LP_LESSON_STEPS];   /* the last one, -1: none */
    uint8_t wrong[LP_LESSON_STEPS];      /* a bit for each answer that was wrong */
    bool told[LP_LESSON_STEPS];          /* the answer is known: said, or shown */
    bool shown[LP_LESSON_STEPS];         /* the answer was shown, not said */
    bool seen[LP_LESSON_STEPS];          /* the step was come to */
    bool skipped[LP_LESSON_STEPS];       /* its question was passed without an answer */
    bool passing;                        /* that was asked for once: the next time it is done */
    bool moved;                          /* something else than the step shows is looked at */
    LpPane only;                         /* what the step shows alone, LP_PANE_COUNT: all */
} LpLessonState;
enum { LP_UI_WORDS_SHOWN = 320, LP_TOLD_TEXT = 400 };

/* The words that are explained over the screen. */
typedef struct LpWordsState {
    bool open, all; /* all: every word there is, not those of the screen */
    int at, count;
    short word[LP_UI_WORDS_SHOWN]; /* places in the table of words (glossary/glossary.h) */
} LpWordsState;

/* Who gets clicks of the mouse. */
typedef enum LpMouseState {
    LP_MOUSE_NONE, /* nobody: no terminal, or --no-mouse */
    LP_MOUSE_ON,   /* the explorer */
    LP_MOUSE_FREE  /* the terminal, to select and copy */
} LpMouseState;

/* The state of the screen: nothing of it matters to the run. */
typedef struct LpUiState {
    int cols, rows;         /* of the whole screen */
    bool at_once;           /* what takes long is waited for: nobody can press a key meanwhile */
    LpPane only;            /* the pane shown alone, LP_PANE_COUNT: the main screen */
    const LpKeymap *keymap; /* NULL: the default keys */
    uint32_t focus_job;     /* 1 + the job put into focus, 0: none */
    LpPane back;            /* where leaving it leads, LP_PANE_COUNT: the main screen */
    LpMouseState mouse;
    bool lists; /* leaving leads back to the list of scenarios */
    bool help;  /* the page is the help */
    LpWordsState words;
    int scroll;           /* first line of help, or of a pane shown alone */
    LpStage stage;        /* of the decision that is due */
    int frame;            /* of the scene, -1: the still */
    int row;              /* marked candidate; -1: the policy's choice */
    LpHandState hand;     /* what is chosen by hand for the decision that is due */
    bool explain;         /* the decision pane shows what the policy weighed */
    uint32_t network;     /* which of the policy's networks is looked at */
    int versus;           /* branch to compare with, -1: none */
    bool focus;           /* Left and Right move along the time line */
    const LpGhost *ghost; /* the run as the saved policy would have decided it; NULL: none */
    LpMoment bookmark[LP_UI_BOOKMARKS];
    double bookmark_time[LP_UI_BOOKMARKS]; /* s */
    int bookmarks;
    char ask[120];       /* a question that y answers; "" for none */
    int pick;            /* marked row of the what-if table, -1: the policy's choice */
    LpSearch search;     /* what is looked for in a view, until Esc */
    int search_line;     /* line of a text where `search` was found, -1: none */
    bool follow;         /* the policy's source is scrolled to the line that decided */
    bool completed_only; /* the curve counts completed jobs only */
    bool playing;
    int speed;         /* LpSpeed */
    char looks[80];    /* while the worst moment is looked for: how far; else "" */
    char passed[80];   /* at 16x: what happened since the bar last changed */
    bool stops;        /* playing stops at every decision */
    uint32_t by_hand;  /* decisions that were not the policy's */
    char message[240]; /* shown in place of the keys; "" for none */
    bool message_bad;
    bool demo;      /* a key script plays here */
    bool demo_runs; /* it does so now; else it waits for whoever presents */
    char
        told[LP_TOLD_TEXT]; /* what whoever presents says, in place of the program's own sentence */
    char unsaved[160];      /* why the session is not saved, beside all else; "" while it is */
    LpLessonState lesson;
    LpPrompt prompt;        /* the command line, in place of the keys while it is open */
    char hint[400];         /* the line above the command line */
    int hint_from, hint_to; /* bytes of the hint that are marked */
    const char *page;       /* a text over the screen, NULL: none */
    char page_title[80];
    LpPointer pointer[LP_LESSON_MARKS]; /* what is pointed at */
    int pointers;
    LpMoment look_at; /* moment of the session for which `look` is meant */
    double look;      /* s, later time before the next event that the screen shows; 0: none */
} LpUiState;

/* A job that runs. */
typedef struct LpRunning {
    const LpJob *job;
    int letter;          /* -1: none left */
    double progress;     /* 0..1 */
    const double *light; /* groups x groups, NULL: uses no circuit */
    const LpTransmitter *tx;
    uint32_t txs;
    const LpPath *path; /* the same by receiver */
    uint32_t paths;
} LpRunning;

/* The ghost's figures and its curve. */
typedef struct LpGhostModel {
    LpGhostReport report;
    double *jct; /* completion times, ascending */
    size_t jct_cap;
    uint32_t jct_count;
    uint64_t arrived;
} LpGhostModel;

/* The decision on the screen: due, or the last one taken. */
typedef struct LpDecision {
    uint32_t job; /* LP_NO_INDEX: none yet */
    bool due;
    uint32_t count;
    LpCandidate *candidate; /* owned by the model */
    size_t cap;
    int chosen;             /* index of the policy's choice, or of what was taken; -1: none */
    bool by_hand;           /* what was taken was not the policy's */
    const LpAnswer *answer; /* the policy's pending answer; NULL unless due */
    LpWhy why;
    const LpDiag *error;   /* the policy script failed; NULL: no */
    LpExplained explained; /* what the policy weighed, in `room` */
    LpArena *room;
    uint64_t instructions, predictions; /* what asking the policy at this decision took */
    uint64_t asked;                     /* number of this decision, from 1; 0: not known */
} LpDecision;

typedef struct LpModel LpModel;
typedef struct LpView LpView; /* moment/view.h */
struct LpModel {
    const LpView *const *views; /* by pane; NULL: none is shown */
    void *state[LP_PANE_COUNT]; /* each view's own: what the user did there */
    void *facts[LP_PANE_COUNT]; /* each view's own: what was worked out for it */
    LpModel *beside; /* the branch that is compared with, at this time; NULL: not shown */
    const LpSession *session;
    const LpScenario *scenario;
    const LpContext *context;
    LpBoardPlan board; /* how its fabric lies on boards */
    const LpWorld *world;
    LpWorld *between; /* world that the screen shows between two events, else unused */
    double until;     /* s, the next event that is known; 0: the screen shows an event */
    const LpUiState *ui;
    LpLetters letters;
    LpMarks marks;
    LpTimeModel time;
    bool ahead;         /* `world` is the branch's tip: also what comes after now is known */
    LpGhostModel ghost; /* while there is one */
    LpRunning *running;
    size_t running_cap;
    uint32_t running_count;
    uint32_t *place; /* by job, where it is in `running`; counts only if that one is the job */
    size_t place_cap;
    LpLinkSums *links;     /* what goes over shared links, filled by whoever draws them */
    uint32_t light_groups; /* side of the light matrices */
    LpRunning moving;      /* the light that the motion shows in place of the job's own: of its
                              transmitters those that shine (motion.h) */
    uint32_t focus;        /* the job that stands out on every board, LP_NO_INDEX: none */
    LpDecision decision;
    LpDraftModel drafted;   /* what is chosen by hand, and can be */
    LpNetworkModel network; /* of the decision */
    LpMotionModel motion;   /* the frame of what is shown in steps */
    LpNow now;              /* and what it says */
    LpPolicySummary policy;
    LpWhatIfs whatif;     /* while its view is shown and a decision is due */
    uint64_t whatif_runs; /* whatif_of of the table whose rows run to the end now; 0: none */
    uint64_t
        whatif_of; /* what it was made for: decision, saves of the policy, stage, draft; 0: none */
    uint8_t *pending; /* one bit per server: the marked candidate would take it */
    uint32_t pending_count;
    double *jct; /* completion times, ascending */
    size_t jct_cap;
    uint32_t jct_count;
    uint64_t jct_of; /* completed jobs that jct was made for, + 1 */
};

/* Says whose model it is: what is asked of it before it was first gathered finds a session without
 * rows, branches or decision. Zero-initialise the model before. O(1). */
void lp_model_attach(LpModel *model, LpSession *session, const LpUiState *ui);
/* Zero-initialise the model first. Makes room for the views' states and facts (LP_PANE_COUNT of
 * them). Errors: LP_ENOMEM. */
LpErr lp_model_open(LpModel *model, const LpView *const *views, LpDiag *diag) LP_MUST_USE;
/* The view that has the screen for itself, NULL: the main screen. */
const LpView *lp_model_shown(const LpModel *model);
/* What is to be gathered for what is shown (LP_WANTS_...). */
unsigned lp_model_wants(const LpModel *model);
/* Gathers everything anew. Zero-initialise the model before
 * the first call. Errors: LP_ENOMEM, and
 * what the session answers. */
LpErr lp_model_update(LpModel *model, LpSession *session, const LpUiState *ui,
                      LpDiag *diag) LP_MUST_USE;
void lp_model_fini(LpModel *model);

/* The same picture with the world at the tip of the branch, where that is known: for what is
 * recorded ahead of now. Shares everything with the model and is good as long as that. */
LpModel lp_model_ahead(const LpModel *model);

/* What `focus` is to be: the job of the sentence while a scene is shown, else the one that the user
 * put there, while it runs or is decided, else that of the sentence. None while a run plays fast.
 */
uint32_t lp_model_find_focus(const LpModel *model, bool fast);
/* The job among those that run; NULL: it does not. O(1). */
const LpRunning *lp_model_running(const LpModel *model, uint32_t job);
/* Does the job run, or is it decided, in this picture? */
bool lp_model_shows(const LpModel *model, uint32_t job);
/* Does the job recede, since another one is in focus? */
bool lp_model_is_quiet(const LpModel *model, uint32_t job);
/* How a cell of a job is filled: in the colour of its letter, dark where another one is in focus;
 * the one that is decided has the accent. */
LpStyle lp_model_fill(const LpModel *model, uint32_t job);
/* The same without a fill, for a letter in a line. */
LpStyle lp_model_ink(const LpModel *model, uint32_t job);
/* Is the transmitter of one of `running`, or of `moving`, lit in what is shown? */
bool lp_model_shines(const LpModel *model, const LpRunning *job, const LpTransmitter *tx);
/* Is the light path of one of them lit: does its transmitter shine? O(log transmitters). */
bool lp_model_path_shines(const LpModel *model, const LpRunning *job, const LpPath *path);
/* Was it lit in this very frame? */
bool lp_model_is_newest(const LpModel *model, const LpRunning *job, const LpTransmitter *tx);
/* Transmitters that send in the steps of the jobs on the board. O(running jobs), and those of the
 * job that moves. */
uint32_t lp_model_lit(const LpModel *model);
/* The running job after (by > 0) or before the one in focus, the one that is decided among them;
 * LP_NO_INDEX: none. */
uint32_t lp_model_next_focus(const LpModel *model, int by);
/* Colour of one of `running`, or of `moving`: of the present decision while it is only planned. */
LpStyle lp_model_job_style(const LpModel *model, const LpRunning *job);
/* Letter of the job that is decided, -1: none. */
int lp_model_deciding(const LpModel *model);
bool lp_model_is_pending(const LpModel *model, uint32_t server);
/* What the frame of the motion makes of a server. */
LpServerMark lp_model_mark(const LpModel *model, uint32_t server);
/* Index of the candidate that the cursor marks; -1 without candidates. */
int lp_model_marked(const LpModel *model);
/* What is chosen by hand for the decision that is due, the marked row of the first stage among it.
 */
void lp_model_draft(const LpModel *model, LpDraft *out);
/* The forecast of what is chosen by hand, where it is worked out and can be; else NULL. */
const LpForecast *lp_model_drafted(const LpModel *model);
/* What the decision that is due would come to: as chosen by hand, else as the marked row says; NULL
 * where that cannot be, or none is due. */
const LpForecast *lp_model_plan(const LpModel *model);
/* The row of the stage's choices that the draft has, their number: none of them, it is by hand; -1
 * without choices. */
int lp_model_choice(const LpModel *model);
/* Has the stage things that can be chosen one by one? */
bool lp_model_has_board(const LpModel *model);
/* Ops of the job that is due, or the numbers of its plan, which the first stage changes one by one;
 * 0: none, it is not split or no decision is due. */
uint32_t lp_model_split_rows(const LpModel *model);
/* What the cursor of the stage goes over: servers, bars of the step, crossings of ports; at
 * the first one ops, or numbers of a plan, from 0. */
LpHit lp_model_board_hit(const LpModel *model);
/* Row of the what-if table that the cursor marks; -1 without a table. */
int lp_model_picked(const LpModel *model);
/* The panes that the present step wants to be seen, the first most; 0: whatever there is. They
 * count until the reader looks at something else. */
int lp_model_panes(const LpUiState *ui, LpPane pane[LP_LESSON_PANES]);
/* The question of the present step while its answer is not known; NULL: none. */
const LpLessonQuestion *lp_model_asked(const LpUiState *ui);
/* Is a lesson's step, or a stop of the tour, on the screen as it was staged, so that the keys that
 * go on everywhere go on in it? */
bool lp_model_tells(const LpUiState *ui);
/* The screen without what is told. */
LpRect lp_model_rest(const LpUiState *ui);
/* The job asked for (LP_NO_INDEX: none); else the marked row of the decision; else the job decided
 * last, or any that runs. False when there is none that was placed. */
bool lp_model_step_subject(const LpModel *model, uint32_t asked, LpStepSubject *out);
/* Scrolls to a match in a text: a few lines above it are shown as well. */
void lp_ui_scroll_to(LpUiState *ui, int line);
/* Line of the policy's own file that decided, 0 when not known. */
int lp_model_deciding_line(const LpModel *model);
/* Jobs that will arrive in all, 0 when that is open. */
uint64_t lp_model_expected_jobs(const LpScenario *scenario);

#endif
