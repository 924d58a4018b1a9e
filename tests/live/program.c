/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: one behind a pty, which types and listens, and one that plays a script of keys. */
#ifndef _DEFAULT_SOURCE /* for forkpty */
#define _DEFAULT_SOURCE
#endif
#include "live/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUIET_MS = 30, ENDS_MS = 10000 };

struct LiveProgram {
    pid_t pid;
    int pty;
    bool ended;
    LiveScreen *screen;
};

static const char *program_path(void) {
    const char *path = getenv("LIGHTPATH");
    return path != NULL ? path : "build/release/lightpath";
}

/* The environment of a user who has never run it; runs in the child. */
static void settle_in(const char *folder) {
    static const char *const homes[][2] = {{"HOME", "home"},
                                           {"XDG_CONFIG_HOME", "config"},
                                           {"XDG_DATA_HOME", "data"},
                                           {"XDG_STATE_HOME", "state"},
                                           {"XDG_CACHE_HOME", "cache"}};
    char path[400];
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, homes[i][1]);
        setenv(homes[i][0], path, 1);
    }
    unsetenv("LINES");
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    unsetenv("COLORFGBG");
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
}

static void run_command(const LiveCommand *command, const char *const *more) {
    const char *words[2 * LIVE_WORDS + 2] = {program_path()};
    int count = 1;
    for (int i = 0; i < LIVE_WORDS && command->word[i] != NULL; i++)
        words[count++] = command->word[i];
    for (int i = 0; i < LIVE_WORDS && more[i] != NULL; i++)
        words[count++] = more[i];
    execv(words[0], (char **)(uintptr_t)words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

/* ---- live ---- */

/* What the terminal answers. */
static void reply(const char *bytes, size_t len, void *user) {
    live_program_type(user, bytes, len);
}

LiveProgram *live_program_start(const LiveCommand *command, int cols, int rows,
                                const char *folder) {
    static const char *const nothing[LIVE_WORDS] = {NULL};
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    LiveProgram *program = live_alloc(sizeof *program);
    program->screen = live_screen_new(cols, rows, reply, program);
    program->pid = forkpty(&program->pty, NULL, NULL, &size);
    if (program->pid == 0) {
        settle_in(folder);
        if (getenv("LIVE_LATE") != NULL)
            setenv("LD_PRELOAD", getenv("LIVE_LATE"), 1);
        run_command(command, nothing);
    }
    if (program->pid < 0) {
        perror("forkpty");
        live_screen_free(program->screen);
        free(program);
        return NULL;
    }
    fcntl(program->pty, F_SETFD, FD_CLOEXEC);
    return program;
}

void live_program_type(LiveProgram *program, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t wrote = write(program->pty, bytes, len);
        if (wrote < 0 && errno != EINTR)
            return;
        bytes += wrote > 0 ? wrote : 0;
        len -= wrote > 0 ? (size_t)wrote : 0;
    }
}

void live_program_resize(LiveProgram *program, int cols, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    live_screen_resize(program->screen, cols, rows);
    ioctl(program->pty, TIOCSWINSZ, &size);
}

bool live_program_listen(LiveProgram *program, int ms) {
    struct pollfd pty = {.fd = program->pty, .events = POLLIN};
    bool any = false;
    while (!program->ended && poll(&pty, 1, any ? QUIET_MS : ms) > 0) {
        char bytes[16384];
        ssize_t len = read(program->pty, bytes, sizeof bytes);
        if (len > 0)
            live_screen_write(program->screen, bytes, (size_t)len);
        else if (len == 0 || errno != EINTR)
            program->ended = true; /* EIO: nobody has the other end any more */
        any |= len > 0;
    }
    return any;
}

bool live_program_ended(const LiveProgram *program) {
    return program->ended;
}

void live_program_look(LiveProgram *program, LivePicture *out) {
    live_screen_look(program->screen, out);
}

int live_program_end(LiveProgram *program, const char **left) {
    int status = 0;
    for (int ms = 0; !program->ended && ms < ENDS_MS; ms += QUIET_MS)
        live_program_listen(program, QUIET_MS);
    if (!program->ended)
        kill(program->pid, SIGKILL);
    waitpid(program->pid, &status, 0);
    *left = live_screen_left(program->screen);
    close(program->pty);
    live_screen_free(program->screen);
    free(program);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- without a terminal ---- */

bool live_play_keys(const LiveCommand *command, int cols, int rows, const char *keys,
                    const char *cast, const char *folder) {
    char size[32];
    snprintf(size, sizeof size, "%dx%d", cols, rows);
    const char *const more[LIVE_WORDS] = {"--keys", keys, "--size", size, "--cast", cast};
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        settle_in(folder);
        run_command(command, more);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

struct LiveCast {
    LiveScreen *screen;
    char *text, *next; /* the whole file, and the next of its lines */
};

LiveCast *live_cast_open(const char *path, int cols, int rows) {
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (file == NULL)
        return NULL;
    size_t size = fstat(fileno(file), &facts) == 0 ? (size_t)facts.st_size : 0;
    LiveCast *cast = live_alloc(sizeof *cast);
    cast->text = live_alloc(size + 1);
    size = fread(cast->text, 1, size, file);
    fclose(file);
    cast->text[size] = '\0';
    cast->next = strchr(cast->text, '\n'); /* the first line is the head */
    cast->next += cast->next != NULL;
    cast->screen = live_screen_new(cols, rows, NULL, NULL);
    return cast;
}

void live_cast_close(LiveCast *cast) {
    if (cast == NULL)
        return;
    live_screen_free(cast->screen);
    free(cast->text);
    free(cast);
}

/* The string of an event in place, without the escapes of JSON that casts have; its length. */
static size_t unescape(char *text) {
    char *out = text;
    for (char *in = text; *in != '\0' && *in != '"'; in++) {
        if (*in != '\\') {
            *out++ = *in;
        } else if (in[1] == 'u') {
            *out++ = (char)strtol((char[]){in[4], in[5], '\0'}, NULL, 16);
            in += 5;
        } else {
            *out++ = *++in;
        }
    }
    return (size_t)(out - text);
}

void live_cast_at(LiveCast *cast, long long ms, LivePicture *out) {
    /* [SECONDS.MMM, "o", "TEXT"] */
    while (cast->next != NULL && *cast->next == '[') {
        char *line = cast->next, *point, *end = strchr(line, '\n');
        long long at = strtoll(line + 1, &point, 10) * 1000;
        at += *point == '.' ? strtoll(point + 1, &point, 10) : 0;
        if (at > ms)
            break;
        cast->next = end != NULL ? end + 1 : NULL;
        int cols, rows;
        char *text = point + strlen(", \"o\", \"");
        if (point[3] == 'r' && sscanf(text, "%dx%d", &cols, &rows) == 2)
            live_screen_resize(cast->screen, cols, rows);
        else
            live_screen_write(cast->screen, text, unescape(text));
    }
    live_screen_look(cast->screen, out);
}
