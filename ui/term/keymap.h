/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys by name and what they do: one table, from which the help screen, the key line and the key
 * scripts come. */
#ifndef LP_UI_TERM_KEYMAP_H
#define LP_UI_TERM_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* A key: a Unicode code point (controls are Ctrl-letters), or one of these. */
typedef uint32_t LpKey;
enum {
    LP_KEY_NONE = 0,
    LP_KEY_TAB = 9,
    LP_KEY_ENTER = 13,
    LP_KEY_ESC = 27,
    LP_KEY_BACKSPACE = 127,
    LP_KEY_UP = 0x110000,
    LP_KEY_DOWN,
    LP_KEY_LEFT,
    LP_KEY_RIGHT,
    LP_KEY_PGUP,
    LP_KEY_PGDN,
    LP_KEY_HOME,
    LP_KEY_END,
    LP_KEY_BACKTAB,
    LP_KEY_DELETE,
    LP_KEY_F1, /* F2 and so on follow */
    LP_KEY_F12 = LP_KEY_F1 + 11,
    LP_KEY_INSERT,
    LP_KEY_RESIZE,
    LP_KEY_MOUSE,
    LP_KEY_PASTE
};

/* "space", "Enter", "C-c", "Up", or the character itself: LP_KEY_NONE when it names no key. */
LpKey lp_key_find(const char *name);
/* The name that lp_key_find reads back. */
const char *lp_key_name(LpKey key, char buf[16]);

/* X(ID, "keys", "short label for the key line or empty", "section", "help") */
#define LP_UI_ACTION_TABLE(X)                                                                      \
    X(PLAY, "space", "play", "Run", "play or pause")                                               \
    X(NEXT_DECISION, "n", "n/p|decision", "Run", "take this decision, go to the next")             \
    X(NEXT_EVENT, "]", "]/[|event", "Run", "step to the next event")                               \
    X(FASTER, "+ =", "", "Run", "faster: 0.1x, 0.25x, 0.5x, 1x, 2x, 4x, 16x, max")                 \
    X(SLOWER, "-", "", "Run", "slower")                                                            \
    X(STOPS, "P", "", "Run", "playing stops at every decision, or goes on")                        \
    X(REGROUP, "R", "", "Run", "rejoin servers so that each job sits under one aggregator")        \
    X(STAGE, "Tab", "", "Decision", "next stage of this decision")                                 \
    X(STAGE_BACK, "S-Tab", "", "Decision", "previous stage")                                       \
    X(FRAME_ON, "}", "", "Decision", "next frame of the stage, or of what just happened")          \
    X(FRAME_BACK, "{", "", "Decision", "the frame before")                                         \
    X(TAKE, "Enter", "", "Decision", "decide with the marked row: forks")                          \
    X(UNCHOOSE, "Backspace", "", "Decision", "this stage as the policy has it")                    \
    X(AS_POLICY, "X", "", "Decision", "what was decided by hand, written as a policy")             \
    X(EXPLAIN, "x", "", "Decision", "what the policy weighed, and what that took")                 \
    X(WHATIF, "w", "what-if", "Decision",                                                          \
      "every way to decide, in a stage its rows; again: where the best lead")                      \
    X(NETWORK, "i", "", "Decision", "what the policy's network says, and what moved it")           \
    X(POLICY, "e", "", "Decision", "the policy's source, at the line that decided")                \
    X(BACK_DECISION, "p", "", "Time", "back to the decision before")                               \
    X(BACK_EVENT, "[", "", "Time", "one event back")                                               \
    X(PAGE_BACK, "<", "", "Time", "a page back on the time line")                                  \
    X(PAGE_ON, ">", "", "Time", "a page on")                                                       \
    X(FOCUS, "t", "", "Time", "{left}, {right}, {top}, {bottom} move along the time line")         \
    X(LEFT, "Left h", "", "Time", "a column back")                                                 \
    X(RIGHT, "Right l", "", "Time", "a column on")                                                 \
    X(UNDO, "u", "", "Time", "undo a seek, a fork, or a change of branch")                         \
    X(REDO, "C-r", "", "Time", "the undone again")                                                 \
    X(FORK, "f", "fork", "Time", "a new branch, with the marked row if there is one")              \
    X(BLAME, "b", "blame", "Time", "who is to blame for the last job in trouble")                  \
    X(DIFFERENCE, "d", "", "Time",                                                                 \
      "next decision that the saved policy, or the other branch, takes otherwise")                 \
    X(BOOKMARK, "m", "", "Time", "set a bookmark, or take it away")                                \
    X(TO_BOOKMARK, "'", "", "Time", "back to the last bookmark")                                   \
    X(WORST, "W", "", "Time", "the run's worst time; again: its other moments, one by one")        \
    X(YANK, "y", "", "Time", "the command line that opens this moment, to be copied")              \
    X(YANK_PANE, "Y", "", "Time", "what the view shows: as text, a CSV or SVG file, or as a link") \
    X(COMPARE, "c", "compare", "Time", "this branch with another")                                 \
    X(ADJUST, "a", "adjust", "Time", "turn a knob: load, limits, bandwidth, servers, parameters")  \
    X(RENAME, "r", "", "Time", "rename the branch")                                                \
    X(DELETE, "D", "", "Time", "delete the marked branch (asks)")                                  \
    X(UP, "Up k", "", "Move", "row or line up")                                                    \
    X(DOWN, "Down j", "", "Move", "row or line down")                                              \
    X(PAGE_UP, "PgUp", "", "Move", "page up; lesson, demo: back")                                  \
    X(PAGE_DOWN, "PgDn", "", "Move", "page down; in a lesson on, twice past a question")           \
    X(TOP, "Home g", "", "Move", "to the top")                                                     \
    X(BOTTOM, "End G", "", "Move", "to the end")                                                   \
    X(JOB_ON, ";", "", "Move", "the next running job stands out on every board")                   \
    X(JOB_BACK, ",", "", "Move", "the one before")                                                 \
    X(MAIN, "0", "", "View", "the main screen")                                                    \
    X(SERVERS, "1", "", "View", "servers alone: what each computes and holds")                     \
    X(CIRCUITS, "2", "", "View", "circuits alone")                                                 \
    X(JOBS, "3", "", "View", "jobs alone")                                                         \
    X(DECISION, "4", "", "View", "the decision, stage by stage")                                   \
    X(CURVE, "5", "", "View", "JCT curve alone")                                                   \
    X(EVENTS, "6", "", "View", "events alone")                                                     \
    X(BRANCHES, "7", "", "View", "the time line: a tree of branches")                              \
    X(SUMMARY, "E", "", "View", "what the run came to so far; again: at its end")                  \
    X(STEP, "8", "", "View", "one training step: servers, flows, critical path")                   \
    X(GRAPH, "o", "", "View", "ops: the computation graph, as profiled and as cut")                \
    X(TRAFFIC, "9", "", "View", "what each job sends, and how busy its servers are, over time")    \
    X(TREE, "T", "", "View", "the cluster's tree: who holds its nodes, what fits, who waits, why") \
    X(SORT, "s", "", "View", "sort the table of jobs by the next column")                          \
    X(SORT_TURN, "S", "", "View", "... the other way round")                                       \
    X(SEARCH, "/", "", "View",                                                                     \
      "search; then {next-decision} {match-back} go through the matches until {out}")              \
    X(MATCH_BACK, "N", "", "View", "the match before")                                             \
    X(FILTER, "F", "", "View", "only jobs, or events, that have a text in them")                   \
    X(ZOOM_IN, "z", "", "View", "look closer: at servers, a step")                                 \
    X(ZOOM_OUT, "Z", "", "View", "see more at once")                                               \
    X(VARIANT, "v", "", "View", "another look at what is shown: curve, height, rows")              \
    X(MOUSE, "M", "", "View", "copy mode: lets the terminal have the mouse, takes it back")        \
    X(REDRAW, "C-l", "", "View", "draw the screen anew")                                           \
    X(CONSOLE, "`", "", "View", "the console: Lua over this moment")                               \
    X(COMMAND, ":", "cmd", "View", "type a command; Tab completes")                                \
    X(WORDS, "?", "help", "View", "the words of this screen; again: the keys")                     \
    X(HELP, "F1", "", "View", "the keys: this help")                                               \
    X(ANSWER, "A", "", "View", "in a lesson: the answer of the question")                          \
    X(HINT, "H", "", "View", "in a lesson: a hint for its exercise")                               \
    X(BLANK, ".", "", "View", "an empty screen while presenting, until the next key")              \
    X(OUT, "Esc", "", "Leave", "leave a view, or stop playing")                                    \
    X(INTERRUPT, "C-c", "", "Leave", "stop; twice within a second quits")                          \
    X(QUIT, "q", "quit", "Leave", "close the view; on the main screen back to the list")           \
    X(QUIT_NOW, "Q", "", "Leave", "quit from anywhere")

typedef enum LpUiAction {
    LP_UI_ACTION_NONE,
#define X(id, keys, label, section, help) LP_UI_ACTION_##id,
    LP_UI_ACTION_TABLE(X)
#undef X
        LP_UI_ACTION_COUNT
} LpUiAction;

enum { LP_UI_ACTION_NAME = 32 };

typedef struct LpUiActionInfo {
    const char *name; /* "NEXT_DECISION" */
    const char *keys; /* by default: names, separated by blanks */
    const char *label, *section, *help;
} LpUiActionInfo;

/* action is not NONE. */
const LpUiActionInfo *lp_ui_action_info(LpUiAction action);
/* Its name in files and messages: "next-decision". */
const char *lp_ui_action_name(LpUiAction action, char buf[LP_UI_ACTION_NAME]);
/* NONE when there is no such action. */
LpUiAction lp_ui_action_find(const char *name);

/* ---- which keys do what ---- */

enum { LP_KEYS_EACH = 4 };

/* The keys of each action, LP_KEY_NONE after the last. Where a map is expected NULL stands for the
 * table above. */
typedef struct LpKeymap {
    LpKey key[LP_UI_ACTION_COUNT][LP_KEYS_EACH];
} LpKeymap;

void lp_keymap_defaults(LpKeymap *out);
/* The keys of a file (lightpath-keys(5)) instead of the defaults of the actions that it names.
 * Errors: those of reading it, LP_EINVAL at file:line:col for an unknown action or key, a key of
 * two actions, more than LP_KEYS_EACH keys; `out` is unchanged then. */
LpErr lp_keymap_load(const char *path, LpKeymap *out, LpDiag *diag) LP_MUST_USE;
/* keys.json in the folder of the configuration, where it is; else the defaults. Errors likewise. */
LpErr lp_keymap_load_default(LpKeymap *out, LpDiag *diag) LP_MUST_USE;

/* NONE when the key does nothing. */
LpUiAction lp_keymap_action(const LpKeymap *map, LpKey key);
bool lp_keymap_has(const LpKeymap *map, LpUiAction action);
/* The first key's name; "(no key)" where there is none. */
const char *lp_keymap_key(const LpKeymap *map, LpUiAction action, char buf[16]);
/* All its keys' names with blanks between them; "" where there is none. */
void lp_keymap_keys(const LpKeymap *map, LpUiAction action, LpBuf *out);
/* A sentence that names keys by what they do, "{next-decision} goes to the next one", with the keys
 * that are bound to these actions; other braces stay as they are. Returns out. */
const char *lp_keymap_text(const LpKeymap *map, const char *text, char *out, size_t size);
/* Such a sentence added to out. */
void lp_keymap_add(const LpKeymap *map, const char *text, LpBuf *out);
/* The map as a file of keys. */
void lp_keymap_json(const LpKeymap *map, LpBuf *out);

#endif
