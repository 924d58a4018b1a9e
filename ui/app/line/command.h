/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the explorer: one table, from which the command line, its completion, the help,
 * the manual and the key scripts come. A new command is one row and one function. */
#ifndef LP_UI_APP_COMMAND_H
#define LP_UI_APP_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* What the words after a command's name are, for completion. */
typedef enum LpUiWords {
    LP_UI_WORDS_NONE,
    LP_UI_WORDS_COMMAND,
    LP_UI_WORDS_VIEW,
    LP_UI_WORDS_SPEED,
    LP_UI_WORDS_THEME,
    LP_UI_WORDS_YANK,
    LP_UI_WORDS_MOUSE,
    LP_UI_WORDS_SETTING,
    LP_UI_WORDS_TOPIC,
    LP_UI_WORDS_CONDITION,
    LP_UI_WORDS_FORK,
    LP_UI_WORDS_CHANGE,
    LP_UI_WORDS_BRANCH,
    LP_UI_WORDS_COMPARE,
    LP_UI_WORDS_POLICY,
    LP_UI_WORDS_FRAME,
    LP_UI_WORDS_LESSON,
    LP_UI_WORDS_PRESENT,
    LP_UI_WORDS_MARK,
    LP_UI_WORDS_ACTION,
    LP_UI_WORDS_SCENARIO,
    LP_UI_WORDS_DEMO,
    LP_UI_WORDS_COUNT
} LpUiWords;

enum { LP_UI_WORDS_MOST = 32 };
/* `most` of a command that takes all that follows its name as one word. */
enum { LP_UI_ANY = 1000 };

/* X(ID, "names", "arguments", words, least, most, "section", "help"): the first name counts, the
 * others are short for it; `least` and `most` words may follow. */
#define LP_UI_COMMAND_TABLE(X)                                                                     \
    X(STEP, "step", "[N]", NONE, 0, 1, "Run", "N events on, one without N")                        \
    X(NEXT, "next", "[N]", NONE, 0, 1, "Run", "take N decisions, one without N")                   \
    X(PLAY, "play", "[FILE]", DEMO, 0, LP_UI_ANY, "Run",                                           \
      "play; with FILE: play a key script here, which stops at its pauses until {take} goes on")   \
    X(PAUSE, "pause stop", "", NONE, 0, 0, "Run", "stop playing")                                  \
    X(PACE, "pace speed", "0.1|0.25|0.5|1|2|4|16|max", SPEED, 1, 1, "Run",                         \
      "how fast to play; a decision takes about ten seconds at 1")                                 \
    X(SEEK, "seek", "TIME|dN|eN|jN|worst", NONE, 1, LP_UI_ANY, "Time",                             \
      "to a moment: \"4000 s\", decision d57, event e120, first decision about job j12; alone, "   \
      "without seek, too, and 57 is d57")                                                          \
    X(WORST, "worst", "[remaining|queue|longest]", NONE, 0, 1, "Time",                             \
      "to when waiting was worst in the whole run: those who wait have most still to wait, most "  \
      "jobs wait, or the longest wait ends")                                                       \
    X(BACK, "back", "[N]", NONE, 0, 1, "Time", "N decisions back, one without N")                  \
    X(UNDO, "undo", "", NONE, 0, 0, "Time",                                                        \
      "undo a seek, a fork, a change of branch or of conditions")                                  \
    X(REDO, "redo", "", NONE, 0, 0, "Time", "the undone again")                                    \
    X(FORK, "fork", "[WORD...]", FORK, 0, LP_UI_ANY, "Time",                                       \
      "a new branch from here: degree=8, tensor=8 data=2, servers=0,2, order_ops=srpt:4, "         \
      "circuits=1:0, wait, decline, policy=FILE, param=K=V, bandwidth=2, name=TEXT")               \
    X(POLICY, "policy", "FILE [K=V...]", POLICY, 1, 16, "Time",                                    \
      "a new branch that another policy decides")                                                  \
    X(PARAM, "param", "K=V...", NONE, 1, 16, "Time",                                               \
      "a new branch with other parameters of the policy")                                          \
    X(CHANGE, "change", "NAME=VALUE", CHANGE, 1, LP_UI_ANY, "Time",                                \
      "another condition from here on: bandwidth=0.5, fail_server=3, fail_circuit=3-7 ...")        \
    X(BRANCH, "branch", "NAME", BRANCH, 1, LP_UI_ANY, "Time", "go to a branch")                    \
    X(BRANCHES, "branches", "", NONE, 0, 0, "Time", "the tree of branches")                        \
    X(RENAME, "rename", "[BRANCH] NAME", NONE, 1, 2, "Time", "rename this branch, or another")     \
    X(DELETE, "delete", "BRANCH", BRANCH, 1, LP_UI_ANY, "Time", "delete a branch")                 \
    X(BLAME, "blame", "[JOB]", NONE, 0, 1, "Time",                                                 \
      "which decision, taken otherwise, would have let a job in, or had it in time")               \
    X(GHOST, "ghost", "", NONE, 0, 0, "Time",                                                      \
      "decide the run again by the policy as it is now; after a save this happens by itself")      \
    X(BOOKMARK, "bookmark", "", NONE, 0, 0, "Time", "set a bookmark here, or take it away")        \
    X(COMPARE, "compare", "[BRANCH|policy=FILE...]", COMPARE, 0, LP_UI_ANY, "Time",                \
      "this branch with another beside it at the same time, by default the one left last; with "   \
      "policy=FILE or param=K=V: with the same jobs from the start, decided so")                   \
    X(SEEDS, "seeds", "[N]", NONE, 0, 1, "Time",                                                   \
      "the policies of the two branches that are compared, run from the start with N (5) more "    \
      "seeds: one may be luck")                                                                    \
    X(YANK, "yank y", "[moment|pane|NAME] [FILE]", YANK, 0, 2, "Time",                             \
      "without words the command line that opens this moment (moment FILE adds it there); pane "   \
      "or "                                                                                        \
      "a pane's name: what it shows, FILE.csv: its table, FILE.svg: its picture; to the "          \
      "clipboard "                                                                                 \
      "without FILE")                                                                              \
    X(WRITE, "write w", "[FILE]", NONE, 0, 1, "Time",                                              \
      "save the session in FILE and go on there; without FILE: where it was saved last")           \
    X(RUN_UNTIL, "run-until", "CONDITION", CONDITION, 1, LP_UI_ANY, "Run",                         \
      "go on until it is so: event block, cause deadline, job 12, or Lua such as cluster.free < "  \
      "4")                                                                                         \
    X(BREAK, "break", "[CONDITION|off]", CONDITION, 0, LP_UI_ANY, "Run",                           \
      "playing stops where it is so; without a condition: list them")                              \
    X(LUA, "lua =", "EXPRESSION", NONE, 1, LP_UI_ANY, "Run",                                       \
      "what Lua says of this moment, such as #cluster.running")                                    \
    X(REGROUP, "regroup", "[S=A...]", NONE, 0, LP_UI_WORDS_MOST, "Run",                            \
      "rejoin server S to aggregator A by switching light paths; without words: each job under "   \
      "one aggregator")                                                                            \
    X(WHATIF, "whatif", "[BEST|all]", NONE, 0, 1, "Decision",                                      \
      "every way to decide, in a stage its rows; with a number, run so many of the best to the "   \
      "end")                                                                                       \
    X(EXPLAIN, "explain", "", NONE, 0, 0, "Decision",                                              \
      "what the policy weighed, and what asking it took")                                          \
    X(AS_POLICY, "as-policy", "[job|graph] [FILE]", NONE, 0, 2, "Decision",                        \
      "what was decided by hand on the way here as a policy in FILE: for these jobs, or every "    \
      "job of their graphs; it is run to see whether it does the same")                            \
    X(STORY, "story", "JOB", NONE, 1, 1, "Decision",                                               \
      "a job's story: why, where its time goes, what would make it faster")                        \
    X(FILTER, "filter", "[TEXT]", NONE, 0, LP_UI_ANY, "Screen",                                    \
      "the table of jobs with those only that have the text in graph, state, cause or number; "    \
      "in the log of events those that have it in their line")                                     \
    X(FRAME, "frame", "[N|next|back|last|off]", FRAME, 0, 1, "Decision",                           \
      "one frame of what a decision, start, block or completion shows in steps; without a word "   \
      "the next one")                                                                              \
    X(SEARCH, "search", "TEXT", NONE, 1, LP_UI_ANY, "Screen",                                      \
      "look for a text in jobs, events, the policy or a help text; then n and N")                  \
    X(INSPECT, "inspect", "[JOB]", NONE, 0, 1, "Decision",                                         \
      "one training step of a job that runs or ran, by default of the decision")                   \
    X(GRAPH, "graph", "[JOB]", NONE, 0, 1, "Decision",                                             \
      "the computation graph of a job, by default of the decision: as profiled, and as cut")       \
    X(TREE, "tree", "[JOB]", NONE, 0, 1, "Screen",                                                 \
      "the cluster's tree: who holds its nodes, what fits, who waits and why; marks a job that "   \
      "waits, by default the one that waits longest")                                              \
    X(COLLECTIVE, "collective", "[KEY=VALUE...]", NONE, 0, LP_UI_ANY, "Screen",                    \
      "a collective on circuits: its steps, when its light turns, and what that is worth by the "  \
      "delay of a turn; words as lightpath collective has them, alone the last one again")         \
    X(LEARNING, "learning", "[FILE...]", NONE, 0, 8, "Screen",                                     \
      "learning curves that lightpath train printed, followed while the files grow; several side " \
      "by side")                                                                                   \
    X(SUMMARY, "summary", "", NONE, 0, 0, "Screen",                                                \
      "what the run came to: by model, by cause, its moments, what next")                          \
    X(STUDY, "study", "[FILE]", NONE, 0, 1, "Screen",                                              \
      "curves by load that lightpath experiment pac-ml --study load or metric --json printed, "    \
      "with intervals and crossings; other studies as tables")                                     \
    X(VIEW, "view", "NAME", VIEW, 1, 1, "Screen", "show one view alone, or main for all")          \
    X(THEME, "theme", "NAME|FILE", THEME, 1, 1, "Screen", "other colours: a theme, or a file")     \
    X(SET, "set", "NAME=VALUE", SETTING, 1, 8, "Screen",                                           \
      "set theme=NAME, motion=on or off (slow and fast are the paces 0.25 and 4), ascii=on or "    \
      "off, curve=arrived or completed, axis=log or linear, "                                      \
      "plot=braille or block")                                                                     \
    X(LESSON, "lesson", "[next|back|N|a..f|answer|exercise|hint|off]", LESSON, 0, 1, "Screen",     \
      "what this scenario tells: its steps, a choice, the answer, the exercise and its hints")     \
    X(MARK, "mark", "WHAT|off", MARK, 1, LP_UI_ANY, "Screen",                                      \
      "point at something on the screen: op 2, row 4, server 7, letter L, curve 2, path 0-8, "     \
      "text WORDS; several at once")                                                               \
    X(PRESENT, "present", "[on|off|blank]", PRESENT, 0, 1, "Screen",                               \
      "{page-down} and {page-up} go from decision to decision, or through the lesson; {blank} "    \
      "shows nothing")                                                                             \
    X(MOUSE, "mouse", "[on|off]", MOUSE, 0, 1, "Screen",                                           \
      "the mouse clicks and drags here, or selects and copies as everywhere else")                 \
    X(DO, "do", "ACTION [N]", ACTION, 1, 2, "Screen",                                              \
      "what a key does, by the name of its action (lightpath keys), N times")                      \
    X(RECORD, "record", "[FILE|off]", NONE, 0, 1, "Screen",                                        \
      "write what is done from here on as a key script, which --keys plays")                       \
    X(SAVE_SCREEN, "save-screen", "FILE", NONE, 1, 1, "Screen",                                    \
      "write the screen to FILE as text; FILE.svg, .html and .ansi have its colours, FILE.roles "  \
      "the role of every cell")                                                                    \
    X(HELP, "help h", "[WORD]", TOPIC, 0, LP_UI_ANY, "Screen",                                     \
      "the commands; about one of them, a word of the screen, or a name of the Lua interface")     \
    X(ABOUT, "about", "", NONE, 0, 0, "Screen",                                                    \
      "the program's version, what is open, the branch, and the hash of this moment")              \
    X(OPEN, "open o", "NAME", SCENARIO, 1, LP_UI_ANY, "Screen",                                    \
      "another scenario, lesson or session in place of this one, by name or file")                 \
    X(TOUR, "tour", "[N|off]", NONE, 0, 1, "Screen",                                               \
      "seven stops that show what is on the screen, from the first or the N-th on")                \
    X(QUIT, "quit q", "", NONE, 0, 0, "Screen", "end the program")

typedef enum LpUiCommand {
#define X(id, names, arguments, words, least, most, section, help) LP_UI_COMMAND_##id,
    LP_UI_COMMAND_TABLE(X)
#undef X
        LP_UI_COMMAND_COUNT
} LpUiCommand;

typedef struct LpUiCommandInfo {
    const char *names, *arguments;
    LpUiWords words;
    int least, most;
    const char *section, *help;
} LpUiCommandInfo;

const LpUiCommandInfo *lp_ui_command_info(LpUiCommand command);
/* The command's first name. */
const char *lp_ui_command_name(LpUiCommand command, char buf[32]);
/* By any of its names; -1 when there is none. */
int lp_ui_command_find(const char *name);
/* LP_EINVAL with the nearest name. */
LpErr lp_ui_command_unknown(const char *name, LpDiag *diag);
/* "seek TIME|dN|eN" */
void lp_ui_command_usage(LpUiCommand command, LpBuf *out);

/* A line cut into words. */
typedef struct LpUiLine {
    LpUiCommand command;
    const char *rest; /* all that follows the name, without blanks around it */
    int words;        /* of the rest; what stands in "..." is one word */
    const char *word[LP_UI_WORDS_MOST];
    char text[2][1024]; /* what the pointers lead to */
} LpUiLine;

/* Reads "name word ..."; a colon before it is allowed. A moment alone ("d30", "42 s"; "30" is d30)
 * is read as seek. Errors: LP_EINVAL for an unknown name, too many or too few words, a quote that
 * is not closed, and a line that is too long. */
LpErr lp_ui_command_read(const char *text, LpUiLine *out, LpDiag *diag) LP_MUST_USE;

#endif
