/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk: what somebody presses one after the other, and what is known of each moment. */
#ifndef LP_TESTS_LIVE_WALK_H
#define LP_TESTS_LIVE_WALK_H

#include "live/program.h"

enum { LIVE_PANES = 8, LIVE_WIDE = 40 };

/* One thing that is done, and what holds once all has settled after it. */
typedef struct LiveKey {
    char script[100]; /* the same in a script of keys */
    char bytes[80];   /* as a terminal sends it */
    int ms;           /* what it takes in an asciicast of the script (ui/front/headless.c) */
    int cols, rows;   /* the terminal gets this size; 0: it stays as it is */
    bool begins;      /* the script's last row tells of its beginning, and is not compared */
    bool told;        /* a message in the last row is what was asked for */
    bool refused;     /* ... and so is an error */
    bool marked;      /* something must be marked, in one of these panes, if any: */
    const char *pane[LIVE_PANES];
    bool pauses; /* a demo may stand at a pause here */
    const char
        *shows; /* so far has the walk got: this is on the screen; NULL: nothing of the kind */
} LiveKey;

typedef struct LiveWalk {
    char name[80];              /* "lesson 1-graph, answers" */
    LiveCommand live, scripted; /* the program in a terminal, and by a script */
    int cols, rows;
    long settle_ms; /* of the program's own time: so long something may move after a key */
    const char *const *narration; /* what a demo says at its pauses; NULL: it is none */
    LiveKey *key;
    int keys, room;
    char (*wide)[LIVE_WIDE]; /* commands that show all of it where no word has to be cut */
    int wides, wide_room;
} LiveWalk;

/* A walk without keys. */
LiveWalk live_walk(const char *name, int cols, int rows);
void live_walk_fini(LiveWalk *walk);
/* Adds a key by its name in scripts of keys, such as "PgDn" or "n"; good until the next is added.
 */
LiveKey *live_walk_press(LiveWalk *walk, const char *name);
/* Adds a moment at which nothing is pressed. */
LiveKey *live_walk_wait(LiveWalk *walk);
/* Adds a command that is typed, with its Enter. */
LiveKey *live_walk_type(LiveWalk *walk, const char *command);
/* Adds another size of the terminal. */
LiveKey *live_walk_resize(LiveWalk *walk, int cols, int rows);

/* Adds a command to those that show all of it. */
void live_walk_widen(LiveWalk *walk, const char *command);

/* Plays it both ways in `folder`, which is its own, compares, and prints a line for each check:
 * "ok NAME at 80x24: same". Returns false if a check failed that is not excused. */
bool live_walk_play(const LiveWalk *walk, const char *folder);

/* Plays all of them, some at a time, each in a process of its own. Frees them. Returns the exit
 * status of a test. */
int live_walks_play(LiveWalk *walk, int walks);

/* ---- the walks (walks.c) ---- */

/* All of a kind are added to the list. */
typedef struct LiveWalks {
    LiveWalk *walk;
    int walks, room;
} LiveWalks;

void live_walks_tour(LiveWalks *walks);
void live_walks_lessons(LiveWalks *walks);
void live_walks_demos(LiveWalks *walks);
void live_walks_random(LiveWalks *walks);
void live_walks_motion(LiveWalks *walks);

#endif
