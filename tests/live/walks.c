/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walks: the tour, lessons, demos, and keys at random, at four sizes of the terminal. In `make
 * test` lessons and demos are walked at one of them, all sizes taking turns, every third lesson
 * also without answers; LIVE_SEED says where they begin. LP_LIVE=all (make nightly): each at all
 * sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/catalog.h"
#include "host/paths.h"
#include "import/import.h"
#include "io/scenario/scenario.h"
#include "live/walk.h"
#include "model/lesson/lesson.h"

enum { SIZES = 4, SETTLE_DEMO_MS = 600000, RANDOM = 120, RESIZED_EVERY = 40, TURNS = 3 };

static const int sizes[SIZES][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};

static bool wants_all(void) {
    const char *all = getenv("LP_LIVE");
    return all != NULL && strcmp(all, "all") == 0;
}

static int seed(void) {
    const char *text = getenv("LIVE_SEED");
    return text != NULL ? atoi(text) : 0;
}

/* Takes a third of the time of all lessons, by the same code with more jobs. */
static const char longest[] = "5-largest-degree";

/* Is the walk with this number taken at the size? */
static bool is_taken(int number, int size) {
    return wants_all() || (number + seed()) % SIZES == size;
}

static LiveWalk *add(LiveWalks *walks, const char *name, int size) {
    if (walks->walks == walks->room) {
        walks->room = walks->room * 2 + 16;
        walks->walk = realloc(walks->walk, (size_t)walks->room * sizeof *walks->walk);
        if (walks->walk == NULL)
            exit(1);
    }
    LiveWalk *walk = &walks->walk[walks->walks++];
    *walk = live_walk(name, sizes[size][0], sizes[size][1]);
    return walk;
}

/* What is there at first; a key that does nothing but draw then leaves the keys in the last row. */
static void begin(LiveWalk *walk) {
    live_walk_wait(walk)->begins = true;
    live_walk_press(walk, "C-l");
}

/* Every view that may be seen, of the moment at the end. */
static void widen_views(LiveWalk *walk) {
    static const char *const views[] = {"main",    "servers", "circuits", "jobs",   "decision",
                                        "curves",  "events",  "branches", "step",   "graph",
                                        "traffic", "what-if", "compare",  "policy", "summary"};
    char text[LIVE_WIDE];
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        snprintf(text, sizeof text, "view %s", views[i]);
        live_walk_widen(walk, text);
    }
}

/* ---- the tour ---- */

void live_walks_tour(LiveWalks *walks) {
    enum { STOPS = 7 };
    for (int size = 0; size < SIZES; size++) {
        LiveWalk *walk = add(walks, "tour", size);
        walk->live = walk->scripted = (LiveCommand){{"pac-ml-32"}};
        begin(walk);
        live_walk_type(walk, "tour")->shows = "tour, 1 of 7";
        for (int i = 1; i < STOPS; i++)
            live_walk_press(walk, "PgDn");
        for (int i = 1; i < STOPS; i++)
            live_walk_press(walk, "PgUp");
        live_walk_press(walk, "PgUp")->told = true; /* it begins here */
        for (int i = 1; i < STOPS; i++)
            live_walk_press(walk, "PgDn");
        walk->key[walk->keys - 1].shows = "tour, 7 of 7";
        live_walk_press(walk, "PgDn")->told = true; /* it is over */
        for (int i = 1; i <= STOPS; i++) {
            char text[24];
            snprintf(text, sizeof text, "tour %d", i);
            live_walk_widen(walk, text);
        }
    }
}

/* ---- lessons ---- */

static void mark_of(LiveKey *key, const LpLessonStep *step) {
    key->marked = step->marks > 0;
    for (uint32_t i = 0; i < step->panes && i < LIVE_PANES; i++)
        key->pane[i] = step->pane[i];
    if (step->panes == 0)
        key->pane[0] = step->highlight;
}

/* Every answer of every question, the wrong ones first. One of those, or all, are given once more:
 * where text and question have no room beside each other, a letter first goes on to the question.
 */
static void add_answers(LiveWalk *walk, const LpLesson *lesson) {
    enum { ROUNDS = 2 };
    char text[32];
    begin(walk);
    for (uint32_t i = 0; i < lesson->steps; i++) {
        const LpLessonQuestion *question = lesson->step[i].question;
        snprintf(text, sizeof text, "lesson %u", (unsigned)i + 1);
        mark_of(live_walk_type(walk, text), &lesson->step[i]);
        for (int round = 0; question != NULL && round < ROUNDS; round++)
            for (uint32_t c = 0, wrong = 0; c < question->choices; c++)
                if (c != question->answer && (round == 0 || wrong++ == 0 || wants_all()))
                    live_walk_press(walk, (char[]){(char)('a' + (int)c), '\0'});
        if (question != NULL)
            live_walk_press(walk, (char[]){(char)('a' + (int)question->answer), '\0'})->shows =
                ": the answer: ";
        live_walk_widen(walk, text);
    }
}

/* Forward without an answer, which a question asks for once more, back, and then with all answers
 * shown. */
static void add_turns(LiveWalk *walk, const LpLesson *lesson) {
    char text[32];
    begin(walk);
    for (uint32_t i = 1; i < 3 * lesson->steps; i++)
        live_walk_press(walk, "PgDn")->told = true;
    live_walk_press(walk, "Esc");
    for (uint32_t i = 1; i < 3 * lesson->steps; i++)
        live_walk_press(walk, "PgUp")->told = true;
    for (uint32_t i = 0; i < lesson->steps; i++) {
        if (lesson->step[i].question == NULL)
            continue;
        snprintf(text, sizeof text, "lesson %u", (unsigned)i + 1);
        live_walk_type(walk, text);
        live_walk_press(walk, "A")->shows = ": the answer: ";
    }
    for (uint32_t i = 0; i < lesson->steps; i++) {
        snprintf(text, sizeof text, "lesson %u", (unsigned)i + 1);
        live_walk_widen(walk, text);
    }
}

static void add_lesson(LiveWalks *walks, const LpCatalogItem *item, const LpLesson *lesson,
                       int number) {
    static void (*const adds[])(LiveWalk *, const LpLesson *) = {add_answers, add_turns};
    static const char *const ways[] = {"answers", "turns"};
    char name[80];
    bool turns = wants_all() || (number + seed()) % TURNS == 0;
    for (int way = 0; way < 2; way++)
        for (int size = 0; size < SIZES; size++) {
            if (!is_taken(2 * number + way + number / 2, size) || (way > 0 && !turns))
                continue;
            snprintf(name, sizeof name, "lesson %.40s, %s", item->name, ways[way]);
            LiveWalk *walk = add(walks, name, size);
            walk->live = (LiveCommand){{"lesson", item->name}};
            walk->scripted = (LiveCommand){{item->path}};
            adds[way](walk, lesson);
        }
}

/* The names are good as long as the test runs. */
void live_walks_lessons(LiveWalks *walks) {
    LpArena *arena = lp_arena_new(0);
    const LpCatalogItem *item;
    LpDiag diag;
    LpPaths paths;
    size_t count;
    int number = 0;
    const LpLoadOptions options = {.data_dirs = lp_paths_dirs(&paths)};
    if (arena == NULL || lp_catalog_read(arena, &lp_import_source, &item, &count, &diag) != LP_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        LpScenario *scenario;
        if (item[i].goal == NULL || (!wants_all() && strcmp(item[i].name, longest) == 0))
            continue;
        if (lp_scenario_load(item[i].path, &options, &scenario, &diag) == LP_OK)
            add_lesson(walks, &item[i], scenario->lesson, number++);
    }
}

/* ---- demos ---- */

/* What is marked where a demo says this. */
static const struct { const char *told, *pane; } pointed[] = {{"Q: late in 2 ways", "decision"}};

/* A demo as it is written; its texts are kept as long as the test runs. */
typedef struct Demo {
    char name[60], scenario[60];
    const char **told; /* at its pauses, NULL at the end */
    int pauses;
} Demo;

/* Its first line says what it expects to be open. */
static void read_demo(Demo *demo) {
    enum { MOST = 60 };
    char path[LP_PATH_TEXT], line[400];
    FILE *file = lp_paths_demo(demo->name, path, sizeof path) ? fopen(path, "r") : NULL;
    demo->told = live_alloc((MOST + 1) * sizeof *demo->told);
    while (file != NULL && demo->pauses < MOST && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (demo->scenario[0] == '\0' && strncmp(line, "expect ", 7) == 0)
            snprintf(demo->scenario, sizeof demo->scenario, "%.59s", line + 7);
        if (strncmp(line, "pause ", 6) != 0)
            continue;
        char *kept = live_alloc(sizeof line);
        strcpy(kept, line + 6);
        demo->told[demo->pauses++] = kept;
    }
    if (file != NULL)
        fclose(file);
}

static void add_demo(LiveWalks *walks, const Demo *demo, int size) {
    char name[80];
    snprintf(name, sizeof name, "demo %s", demo->name);
    LiveWalk *walk = add(walks, name, size);
    walk->live = walk->scripted = (LiveCommand){{demo->scenario, "--play", demo->name}};
    walk->narration = demo->told;
    walk->settle_ms = SETTLE_DEMO_MS;
    for (int k = 0; k <= demo->pauses; k++) {
        LiveKey *key = k == 0 ? live_walk_wait(walk) : live_walk_press(walk, "PgDn");
        key->told = key->pauses = true;
        for (size_t i = 0; k < demo->pauses && i < sizeof pointed / sizeof pointed[0]; i++)
            if (strncmp(demo->told[k], pointed[i].told, strlen(pointed[i].told)) == 0) {
                key->marked = true;
                key->pane[0] = pointed[i].pane;
            }
    }
    widen_views(walk);
}

void live_walks_demos(LiveWalks *walks) {
    LpBuf names = {0};
    LpDiag diag;
    int number = 0;
    if (lp_paths_list_demos(&names, &diag) != LP_OK)
        return;
    for (char *name = strtok(names.text, "\n"); name != NULL; name = strtok(NULL, "\n"), number++) {
        Demo *demo = live_alloc(sizeof *demo);
        snprintf(demo->name, sizeof demo->name, "%.59s", name);
        read_demo(demo);
        for (int size = 0; size < SIZES; size++)
            if (is_taken(number, size))
                add_demo(walks, demo, size);
    }
    lp_buf_fini(&names);
}

/* ---- at random ---- */

static unsigned next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 16 & 0x7fff;
}

/* All but those that end the program, play on by the clock, leave for another scenario, or write
 * files; and a colon, behind which all of that could be typed. */
static const char *const keys[] = {
    "n",   "n",    "]",    "Tab",  "S-Tab", "}",    "{",     "x", "w", "i", "e", "p",    "[",
    "<",   ">",    "t",    "Left", "Right", "u",    "C-r",   "f", "b", "m", "'", "c",    "a",
    "Up",  "Down", "PgUp", "PgDn", "Home",  "End",  ";",     ",", "0", "1", "2", "3",    "4",
    "5",   "6",    "7",    "8",    "o",     "9",    "s",     "S", "/", "N", "z", "Z",    "v",
    "C-l", "?",    "F1",   "Esc",  "Esc",   "Down", "Enter", "+", "-", "n", "n", "Down",
};

void live_walks_random(LiveWalks *walks) {
    static const char *const scenarios[SIZES] = {"pac-ml-32", "pac-ml-32", "zones", "two-servers"};
    int most = wants_all() ? 5 * RANDOM : RANDOM;
    for (int size = 0; size < SIZES; size++) {
        char name[80];
        unsigned state = (unsigned)(seed() * SIZES + size + 1);
        snprintf(name, sizeof name, "random keys, LIVE_SEED=%d, %s", seed(), scenarios[size]);
        LiveWalk *walk = add(walks, name, size);
        walk->live = walk->scripted = (LiveCommand){{scenarios[size]}};
        begin(walk);
        for (int i = 0; i < most; i++) {
            if (i % RESIZED_EVERY == RESIZED_EVERY - 1) {
                int cols = 40 + (int)(next_random(&state) % 160);
                live_walk_resize(walk, cols, 12 + (int)(next_random(&state) % 48))->told = true;
            }
            unsigned key = next_random(&state) % (sizeof keys / sizeof keys[0]);
            LiveKey *pressed = live_walk_press(walk, keys[key]);
            pressed->told = pressed->refused = true;
        }
        for (int i = 0; i < 2; i++)
            live_walk_press(walk, "Esc")->told = true;
        widen_views(walk);
    }
}

/* Motion: playing that stops at each decision, through the frames of what leads there. */
void live_walks_motion(LiveWalks *walks) {
    static const char *const paces[SIZES] = {"16", "4", "16", "max"};
    for (int size = 0; size < SIZES; size++) {
        LiveWalk *walk = add(walks, "motion", size);
        char text[16];
        walk->live = walk->scripted = (LiveCommand){{"pac-ml-32"}};
        begin(walk);
        live_walk_press(walk, "P")->told = true;
        snprintf(text, sizeof text, "pace %s", paces[size]);
        live_walk_type(walk, text)->told = true;
        for (int i = 0; i < 5; i++) {
            live_walk_press(walk, "space");
            live_walk_press(walk, "}");
            live_walk_press(walk, "Tab");
        }
        widen_views(walk);
    }
}
