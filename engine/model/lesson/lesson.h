/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson: what a scenario tells while it is explored, step by step. Plain data in the scenario's
 * arena, immutable after loading. All texts are untrusted. */
#ifndef LP_MODEL_LESSON_H
#define LP_MODEL_LESSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "model/lesson/exercise.h"
#include "model/lesson/figure.h"
#include "model/lesson/limits.h"

enum { LP_LESSON_CHOICES = 6, LP_LESSON_NEEDS = 16 };

/* The panes that a step can point at; the screen knows them by the same names. X(name) */
#define LP_LESSON_PANE_TABLE(X)                                                                    \
    X("title")                                                                                     \
    X("ledger")                                                                                    \
    X("servers")                                                                                   \
    X("circuits")                                                                                  \
    X("jobs")                                                                                      \
    X("decision")                                                                                  \
    X("curves")                                                                                    \
    X("events")                                                                                    \
    X("what-if")                                                                                   \
    X("policy")                                                                                    \
    X("branches")                                                                                  \
    X("graph")                                                                                     \
    X("step")                                                                                      \
    X("compare")                                                                                   \
    X("traffic")                                                                                   \
    X("tree")                                                                                      \
    X("pod")                                                                                       \
    X("timeline")                                                                                  \
    X("network")                                                                                   \
    X("learning")                                                                                  \
    X("figure")

/* A number that the texts show, and how it is worked out. Its run is the lesson's own at the step,
 * or, with sets or `at`, or for a result, another one of the same scenario. */
typedef struct LpLessonFact {
    const char *shows; /* "18.0 ms": compared to as many digits as stand there */
    LpLessonSource source;
    const char *text; /* the expression, path, or work that is cited */
    const char
        *at; /* moment of that other run (session/moment/moment.h); NULL: its first decision */
    uint32_t sets; /* PATH=VALUE on the scenario */
    const char *const *set;
    int line, col;
} LpLessonFact;

/* A command of the explorer, see ui/command.h. */
typedef struct LpLessonCommand {
    const char *text;
    int line, col;
} LpLessonCommand;

/* An answer that is offered. */
typedef struct LpLessonChoice {
    const char *text;
    const char *why; /* told when it was chosen and is wrong; NULL: nothing */
    uint32_t looks;
    const LpLessonCommand *look; /* and what is then shown */
} LpLessonChoice;

/* What must not be seen while the question is open. */
typedef struct LpLessonHide {
    const char *text; /* wherever a pane draws it, unless: */
    const char *pane; /* all that this pane shows, or */
    bool headings;    /* the numbers in the headings of all panes */
} LpLessonHide;

/* Predict, then reveal. */
typedef struct LpLessonQuestion {
    const char *ask;
    uint32_t choices; /* 2 .. LP_LESSON_CHOICES */
    const LpLessonChoice *choice;
    uint32_t answer; /* index of the right one */
    const char *reveal;
    uint32_t shows, hides;
    const LpLessonCommand *show; /* done once it was answered */
    const LpLessonHide *hide;
} LpLessonQuestion;

typedef struct LpLessonStep {
    const char *title, *text; /* paragraphs are lines */
    const char *highlight;    /* name of a pane; NULL: none */
    const LpLessonSetup *run; /* what it shows; NULL: the lesson's own run */
    uint32_t panes, marks;
    const char *const *pane;     /* that must be seen, the first most */
    const LpLessonCommand *mark; /* what is pointed at (model/pointer.h) */
    uint32_t commands;
    const LpLessonCommand *command;   /* the state that the step speaks about */
    const LpLessonQuestion *question; /* NULL: none */
    uint32_t facts;
    const LpLessonFact *fact;
    const LpLessonFigure *figure; /* NULL: none */
    int line, col;
} LpLessonStep;

typedef struct LpLesson {
    uint32_t number; /* its name among the lessons; 0: none */
    uint32_t order;  /* its place in the list: the number, unless it says otherwise */
    uint32_t needs;
    const uint32_t *need; /* numbers of the lessons that come before it */
    uint32_t minutes;
    const char *goal;
    uint32_t steps; /* 1 .. LP_LESSON_STEPS */
    const LpLessonStep *step;
    const LpLessonExercise *exercise; /* NULL: none */
} LpLesson;

/* What goes on paper. */
typedef struct LpLessonPaper {
    const char *title; /* NULL or "": without one */
    bool student;      /* nothing that gives an answer away: no answers, reveals, hints */
    const char *own;   /* a student's own numbers, as told; NULL: none */
    /* Appends the figure of a step (an index) as a table; NULL: figures are named only. */
    void (*figure)(void *user, uint32_t step, LpBuf *out);
    void *user;
} LpLessonPaper;

/* Appends the lesson as Markdown, to be read on paper: steps, questions, the exercise, and after
 * all of them the answers. */
void lp_lesson_handout(const LpLesson *lesson, const LpLessonPaper *paper, LpBuf *out);
/* Appends a text of one line so that Markdown takes nothing in it for markup. */
void lp_lesson_plain(LpBuf *out, const char *text);

/* The next number from *at on, digits with a point among them: goes there and returns its length, 0
 * at the end. Digits that belong to a name ("vgg16", "x4") are none. */
size_t lp_lesson_next_number(const char **at);

/* Is every number of the lesson's texts among what its facts show? False with the step (counted
 * from 1) and the number that is not. Numbers are words with a digit; answers that are offered and
 * wrong do not count. */
bool lp_lesson_numbers_known(const LpLesson *lesson, uint32_t *step, char *number, size_t size);

/* Does `value`, as Lua or JSON print it, agree with what a fact shows: the same text, or the same
 * number rounded to the digits shown (blanks between digits do not count)? */
bool lp_lesson_agrees(const char *shows, const char *value);

enum { LP_LESSON_PRINTED = 64 };
/* How many of the unit make one of its SI unit: 1e3 of "ms", 100 of "%"; 1 of any other, and of
 * NULL. */
double lp_lesson_per_unit(const char *unit);
/* A computed number as a figure shows it: like `shows` of the value, else with its digits, in its
 * unit or, where it has none, in that of the axis (NULL: none). Returns text. */
const char *lp_lesson_print(const LpLessonValue *value, const char *unit, double number,
                            char text[LP_LESSON_PRINTED]);

#endif
