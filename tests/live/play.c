/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a walk in a terminal and without one. Whether all has settled is not a matter of time: the
 * program without a terminal says what must come, which is waited for, and then must stay. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/checks.h"
#include "live/walk.h"
#include "term/canvas.h"

enum {
    SHOWN = 160,
    PATH = 300,
    WIDE_COLS = 320,
    WIDE_ROWS = 90,
    LOOK_MS = 20,        /* for something to be written */
    PATIENCE_MS = 20000, /* for what must come; only a walk that fails takes so long */
    DEMO_MS = 40000,     /* a demo shows each of its lines for a while */
    HURRY_MS = 1000,     /* ... and once it has not come several times */
    TOLD_MOST = 2,       /* failures of a check that are told with the screen */
    COMMAND_MS = 1000    /* of a command in an asciicast of a script (ui/front/headless.c) */
};

/* A walk while it is played. */
typedef struct Play {
    const LiveWalk *walk;
    const char *folder;
    LiveProgram *program;
    LivePicture live, script, plain; /* in a terminal, by a script, and that without marks */
    LiveLexicon *lexicon;
    int tried[LIVE_CHECKS], failed[LIVE_CHECKS];
    int at;
} Play;

/* ---- what fails ---- */

static void show(const LivePicture *picture) {
    for (int y = 0; y < picture->rows; y++) {
        char *text = live_row_text(picture, y);
        printf("# |%s\n", text);
        free(text);
    }
}

/* The keys of a walk in one line. */
static const char *pressed(const Play *play, char text[SHOWN]) {
    if (play->at < 0)
        return "before the first key";
    snprintf(text, SHOWN, "after key %d, %s", play->at + 1, play->walk->key[play->at].script);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    return text;
}

static void judge(Play *play, LiveCheck check, bool holds, const char *what) {
    char text[SHOWN];
    play->tried[check]++;
    if (holds)
        return;
    if (play->failed[check]++ < TOLD_MOST) {
        printf("# %s at %dx%d, %s: %s\n", play->walk->name, play->walk->cols, play->walk->rows,
               pressed(play, text), what);
        show(&play->live);
    }
}

/* ---- both ways ---- */

static bool write_script(const Play *play, const char *path, bool unmarked) {
    FILE *file = fopen(path, "w");
    const LiveWalk *walk = play->walk;
    if (file == NULL)
        return false;
    fprintf(file, ":mouse on\n:wait %ld\n", walk->settle_ms);
    for (int i = 0; i < walk->keys; i++) {
        fprintf(file, "%s\n:wait %ld\n", walk->key[i].script, walk->settle_ms);
        if (unmarked)
            fprintf(file, "%s:wait %ld\n", walk->key[i].marked ? ":mark off\n" : "",
                    walk->settle_ms);
    }
    if (!unmarked)
        fprintf(file, ":wait 1\n:size %dx%d\n:wait %ld\n", WIDE_COLS, WIDE_ROWS, walk->settle_ms);
    for (int i = 0; !unmarked && i < walk->wides; i++)
        fprintf(file, "%s\n:wait %ld\n", walk->wide[i], walk->settle_ms);
    fprintf(file, ":wait 1000\n"); /* the end of a cast comes after the last picture */
    return fclose(file) == 0;
}

static void name_file(const Play *play, bool unmarked, const char *ending, char path[PATH]) {
    snprintf(path, PATH, "%s/%s.%s", play->folder, unmarked ? "unmarked" : "walk", ending);
}

static LiveCast *play_script(const Play *play, bool unmarked) {
    char keys[PATH], cast[PATH];
    name_file(play, unmarked, "keys", keys);
    name_file(play, unmarked, "cast", cast);
    if (!write_script(play, keys, unmarked) ||
        !live_play_keys(&play->walk->scripted, play->walk->cols, play->walk->rows, keys, cast,
                        play->folder))
        return NULL;
    return live_cast_open(cast, play->walk->cols, play->walk->rows);
}

/* The words of the walk where they have room. */
static bool learn_words(Play *play) {
    const LiveWalk *walk = play->walk;
    char path[PATH];
    name_file(play, false, "cast", path);
    LiveCast *cast = live_cast_open(path, walk->cols, walk->rows);
    LivePicture picture = {0};
    long long ms = COMMAND_MS + walk->settle_ms;
    if (cast == NULL)
        return false;
    for (int i = 0; i < walk->keys; i++) {
        ms += walk->key[i].ms + walk->settle_ms;
        live_cast_at(cast, ms, &picture);
        live_lexicon_learn(play->lexicon, &picture, false);
    }
    ms += 1 + walk->settle_ms;
    for (int i = 0; i <= walk->wides; i++) {
        live_cast_at(cast, ms, &picture);
        live_lexicon_learn(play->lexicon, &picture, true);
        ms += COMMAND_MS + walk->settle_ms;
    }
    live_lexicon_sort(play->lexicon);
    live_cast_close(cast);
    live_picture_fini(&picture);
    return true;
}

/* ---- what differs by its nature ---- */

/* In a terminal q leads to the list of scenarios, which a script does not have. */
static void lead_to_list(LivePicture *script) {
    static const char quit[] = "q quit", list[] = "q list";
    LiveCell *row = script->cell + (script->rows - 1) * script->cols;
    for (int x = 0, same = 0; x < script->cols; x++) {
        same = row[x].cp == (uint32_t)quit[same] ? same + 1 : row[x].cp == 'q';
        for (int i = 0; quit[same] == '\0' && i < same; i++)
            row[x + 1 - same + i].cp = (uint32_t)list[i];
        same = quit[same] == '\0' ? 0 : same;
    }
}

/* What somebody waited for an answer by the wall clock, which a script has not: rows that begin
 * with the one text are compared as far as the other. */
static void forget_clock(LivePicture *live, const LivePicture *script) {
    static const char *const rows[][2] = {{" \xe2\x96\xb8 ADJUST", "kept yet."}};
    for (int y = 0; y < live->rows; y++) {
        char *text = live_row_text(live, y);
        const char *end = NULL;
        for (size_t i = 0; i < sizeof rows / sizeof rows[0] && end == NULL; i++)
            if (strncmp(text, rows[i][0], strlen(rows[i][0])) == 0)
                end = strstr(text, rows[i][1]);
        int x = end != NULL ? lp_text_width(text) - lp_text_width(end) : live->cols;
        for (int i = y * live->cols + x; i < (y + 1) * live->cols; i++)
            live->cell[i] = script->cell[i];
        free(text);
    }
}

/* Waits for the picture of the script, and until it stays. */
static bool settles(Play *play, const LiveKey *key, int *x, int *y) {
    int patience = play->failed[LIVE_CHECK_SAME] > TOLD_MOST ? HURRY_MS : PATIENCE_MS, rows;
    if (play->walk->narration != NULL)
        patience += DEMO_MS;
    for (int ms = 0; ms <= patience; ms += LOOK_MS) {
        bool more = live_program_listen(play->program, LOOK_MS);
        if (!more && ms > 0 && ms % (10 * LOOK_MS) != 0)
            continue; /* it has been looked at */
        live_program_look(play->program, &play->live);
        rows = play->live.rows - key->begins;
        bool fits = rows > 0 && play->live.rows == play->script.rows &&
                    play->live.cols == play->script.cols;
        if (fits)
            forget_clock(&play->live, &play->script);
        if (fits && !live_differs(&play->live, &play->script, rows, x, y))
            return true;
        if (live_program_ended(play->program))
            break;
    }
    return false;
}

static void tell_difference(Play *play, int x, int y) {
    char what[2 * LIVE_SAYS];
    char *live = live_row_text(&play->live, y), *script = live_row_text(&play->script, y);
    snprintf(what, sizeof what, "row %d column %d differs without a terminal: |%.300s", y + 1,
             x + 1, script);
    judge(play, LIVE_CHECK_SAME, false, what);
    free(live);
    free(script);
}

/* ---- one moment ---- */

static void check_last_row(Play *play, const LiveKey *key) {
    bool bad = false;
    char what[LIVE_SAYS];
    char *message = live_message(&play->live, &bad);
    snprintf(what, sizeof what, "the last row says \"%.160s\"", message != NULL ? message : "");
    judge(play, LIVE_CHECK_SAID, message == NULL || (bad ? key->refused : key->told), what);
    if (play->walk->narration != NULL && key->pauses) {
        bool told = false;
        for (const char *const *text = play->walk->narration; message != NULL && *text; text++)
            told |= strncmp(message + (*message == ' '), *text,
                            strlen(*text) < 20 ? strlen(*text) : 20) == 0;
        judge(play, LIVE_CHECK_TOLD, !told, what);
    }
    free(message);
}

static void check_marks(Play *play, const LiveKey *key) {
    char what[LIVE_SAYS];
    const LivePicture *live = &play->live, *plain = &play->plain;
    judge(play, LIVE_CHECK_MARKED, live_check_marked(live, plain, what), what);
    judge(play, LIVE_CHECK_PANE, live_check_pane(live, plain, key->pane, LIVE_PANES, what), what);
    judge(play, LIVE_CHECK_PAINTED, live_check_painted(live, plain, what), what);
}

static bool shows(const LivePicture *picture, const char *said) {
    bool found = false;
    for (int y = 0; y < picture->rows && !found; y++) {
        char *text = live_row_text(picture, y);
        found = strstr(text, said) != NULL;
        free(text);
    }
    return found;
}

static void check_moment(Play *play, const LiveKey *key) {
    char what[LIVE_SAYS];
    int x = 0, y = 0;
    if (settles(play, key, &x, &y))
        judge(play, LIVE_CHECK_SAME, true, NULL);
    else if (live_program_ended(play->program))
        judge(play, LIVE_CHECK_SAME, false, "the program has ended");
    else
        tell_difference(play, x, y);
    check_last_row(play, key);
    if (key->marked)
        check_marks(play, key);
    if (key->shows != NULL) {
        snprintf(what, sizeof what, "\"%.80s\" is not on the screen", key->shows);
        judge(play, LIVE_CHECK_REACHED, shows(&play->live, key->shows), what);
    }
    judge(play, LIVE_CHECK_CUT, live_check_cut(&play->live, play->lexicon, what), what);
}

/* ---- a walk ---- */

/* Goes through it; the clocks of both casts run as the scripts were written. */
static void go_through(Play *play, LiveCast *cast, LiveCast *unmarked) {
    const LiveWalk *walk = play->walk;
    long long ms = COMMAND_MS + walk->settle_ms, plain_ms = ms;
    play->at = -1;
    live_cast_at(cast, ms, &play->script);
    for (int i = 0; i < walk->keys && !live_program_ended(play->program); i++) {
        const LiveKey *key = &walk->key[i];
        if (i == 0) /* what is there before it: the program has begun */
            live_program_listen(play->program, PATIENCE_MS);
        play->at = i;
        if (key->cols > 0)
            live_program_resize(play->program, key->cols, key->rows);
        live_program_type(play->program, key->bytes, strlen(key->bytes));
        ms += key->ms + walk->settle_ms;
        live_cast_at(cast, ms, &play->script);
        lead_to_list(&play->script);
        plain_ms += key->ms + 2 * walk->settle_ms;
        plain_ms += key->marked ? COMMAND_MS : 0;
        if (key->marked)
            live_cast_at(unmarked, plain_ms, &play->plain);
        check_moment(play, key);
    }
}

/* Lines of a file, each "CHECK PATTERN" and after it the reason: what fails for a reason that is
 * known. PATTERN is of names such as "demo one-fast-job at 80x24", with ? for each blank. */
static bool is_excused(const LiveWalk *walk, LiveCheck check) {
    char line[400], name[128], pattern[160], what[20];
    FILE *file = fopen("tests/live/excused.txt", "r");
    bool found = false;
    snprintf(name, sizeof name, "%s at %dx%d", walk->name, walk->cols, walk->rows);
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = line[0] != '#' && sscanf(line, "%19s %159s", what, pattern) == 2 &&
                strcmp(what, live_check_name(check)) == 0 && fnmatch(pattern, name, 0) == 0;
    if (file != NULL)
        fclose(file);
    return found;
}

static bool tell_result(const Play *play) {
    bool good = true;
    for (int check = 0; check < LIVE_CHECKS; check++) {
        int failed = play->failed[check];
        bool excused = failed > 0 && is_excused(play->walk, (LiveCheck)check);
        if (play->tried[check] == 0)
            continue;
        if (excused)
            printf("# excused (tests/live/excused.txt):\n");
        printf("%s %s at %dx%d: %s (%d of %d moments)\n", failed == 0 || excused ? "ok" : "not ok",
               play->walk->name, play->walk->cols, play->walk->rows,
               live_check_name((LiveCheck)check), play->tried[check] - failed, play->tried[check]);
        good &= failed == 0 || excused;
    }
    return good;
}

bool live_walk_play(const LiveWalk *walk, const char *folder) {
    Play play = {.walk = walk, .folder = folder, .at = -1};
    const char *left;
    bool marks = false;
    char what[LIVE_SAYS];
    for (int i = 0; i < walk->keys; i++)
        marks |= walk->key[i].marked;
    LiveCast *cast = play_script(&play, false), *unmarked = marks ? play_script(&play, true) : NULL;
    if (cast == NULL || (marks && unmarked == NULL) ||
        (play.program = live_program_start(&walk->live, walk->cols, walk->rows, folder)) == NULL) {
        printf("not ok %s at %dx%d: it does not run\n", walk->name, walk->cols, walk->rows);
        return false;
    }
    play.lexicon = live_lexicon_new();
    if (!learn_words(&play))
        printf("not ok %s at %dx%d: it is not read\n", walk->name, walk->cols, walk->rows);
    go_through(&play, cast, unmarked);
    live_program_type(play.program, "\033\033\033", 3);
    live_program_type(play.program, "Q", 1);
    int status = live_program_end(play.program, &left);
    snprintf(what, sizeof what, "exit status %d; it leaves %s", status, left);
    judge(&play, LIVE_CHECK_LEFT, status == 0 && left[0] == '\0', what);
    bool good = tell_result(&play);
    live_cast_close(cast);
    live_cast_close(unmarked);
    live_lexicon_free(play.lexicon);
    live_picture_fini(&play.live);
    live_picture_fini(&play.script);
    live_picture_fini(&play.plain);
    return good;
}
