/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminals that are no good: one that nobody reads, one that has stopped, one that hangs up, one
 * that says it is enormous. Whoever ends the explorer then finds the session saved, and soon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "group.h"

enum { PATIENCE_MS = 60000, ENDS_MS = 20000 }; /* the machine may be busy */

typedef struct Explorer {
    pid_t pid;
    int master;
    char state[64];
} Explorer;

static const char *program(void) {
    const char *path = getenv("LIGHTPATH");
    return path != NULL ? path : "build/release/lightpath";
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void rest(void) {
    poll(NULL, 0, 10);
}

/* In a terminal of its own, whose size environment and terminal say. */
static void start(Explorer *e, int rows, int cols, bool environment) {
    char text[16];
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    strcpy(e->state, "/tmp/lp-unread.XXXXXX");
    assert_non_null(mkdtemp(e->state));
    e->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(e->master >= 0 && grantpt(e->master) == 0 && unlockpt(e->master) == 0);
    const char *slave = ptsname(e->master);
    assert_non_null(slave);
    e->pid = fork();
    assert_true(e->pid >= 0);
    if (e->pid != 0)
        return;
    setsid();
    int fd = open(slave, O_RDWR);
    ioctl(fd, TIOCSCTTY, 0);
    ioctl(fd, TIOCSWINSZ, &size);
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    setenv("TERM", "xterm-256color", 1);
    setenv("XDG_STATE_HOME", e->state, 1);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    snprintf(text, sizeof text, "%d", rows);
    if (environment)
        setenv("LINES", text, 1);
    snprintf(text, sizeof text, "%d", cols);
    if (environment)
        setenv("COLUMNS", text, 1);
    execl(program(), "lightpath", "scenarios/pac-ml-32.json", (char *)NULL);
    _exit(127);
}

/* What the terminal was sent goes away, for so long, or until there has been nothing for a while.
 */
static void read_away(Explorer *e, int quiet_ms) {
    char bytes[65536];
    struct pollfd end = {.fd = e->master, .events = POLLIN};
    int64_t until = now_ms() + PATIENCE_MS;
    while (now_ms() < until && poll(&end, 1, quiet_ms) > 0 &&
           read(e->master, bytes, sizeof bytes) > 0)
        continue;
}

/* Does it write the text? Reads until it has, or for long enough. */
static bool writes(Explorer *e, const char *text) {
    static char bytes[1 << 22];
    struct pollfd end = {.fd = e->master, .events = POLLIN};
    int64_t until = now_ms() + PATIENCE_MS;
    size_t len = 0;
    bytes[0] = '\0';
    while (strstr(bytes, text) == NULL && now_ms() < until && poll(&end, 1, PATIENCE_MS) > 0) {
        ssize_t got = read(e->master, bytes + len, sizeof bytes - 1 - len);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got; i++) /* strstr reads to the end */
            if (bytes[len + (size_t)i] == '\0')
                bytes[len + (size_t)i] = ' ';
        len += (size_t)got;
        bytes[len] = '\0';
    }
    return strstr(bytes, text) != NULL;
}

static void press(Explorer *e, const char *keys) {
    struct pollfd end = {.fd = e->master, .events = POLLOUT};
    assert_true(poll(&end, 1, PATIENCE_MS) > 0);
    assert_int_equal(write(e->master, keys, strlen(keys)), strlen(keys));
}

/* A file of the session, or the end of it, once it is there. */
static bool session_has(const Explorer *e, const char *text) {
    char folder[96], path[400], line[4096];
    bool found = false;
    snprintf(folder, sizeof folder, "%s/lightpath", e->state);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = strstr(entry->d_name, ".session") != NULL ? fopen(path, "r") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            found = found || strstr(line, text) != NULL;
        if (file != NULL)
            fclose(file);
    }
    if (dir != NULL)
        closedir(dir);
    return found;
}

static void wait_for_session(const Explorer *e, const char *text) {
    int64_t until = now_ms() + PATIENCE_MS;
    while (!session_has(e, text) && now_ms() < until)
        rest();
    assert_true(session_has(e, text));
}

/* Does it wait in the system call that writes to its terminal? */
static bool is_stuck(const Explorer *e) {
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/%ld/wchan", (long)e->pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    fclose(file);
    return strstr(text, "write") != NULL || strstr(text, "tty") != NULL;
}

/* Its status once it has ended, -1: it does not. */
static int ended(const Explorer *e, int64_t ms) {
    int status;
    for (int64_t until = now_ms() + ms; now_ms() < until; rest())
        if (waitpid(e->pid, &status, WNOHANG) == e->pid)
            return status;
    return -1;
}

static void finish(Explorer *e) {
    char command[128];
    close(e->master);
    snprintf(command, sizeof command, "rm -rf '%s'", e->state);
    assert_int_equal(system(command), 0);
}

static void expect_end(Explorer *e, int code) {
    int status = ended(e, ENDS_MS);
    if (status < 0) {
        kill(e->pid, SIGKILL);
        waitpid(e->pid, NULL, 0);
        fail_msg("it has not ended");
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
    assert_true(session_has(e, "\"is\":\"end\""));
}

/* The session is begun, and the screen ready. */
static void open_session(Explorer *e) {
    start(e, 60, 200, false);
    read_away(e, 700);
    press(e, "nnn");
    wait_for_session(e, "\"is\":\"step\"");
    read_away(e, 300);
}

static void test_reading_terminal(void **state) {
    static const struct { int signal, code; } cases[] = {{SIGTERM, 143}, {SIGHUP, 129}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Explorer e;
        char bytes[65536];
        struct termios modes;
        open_session(&e);
        kill(e.pid, cases[i].signal);
        expect_end(&e, cases[i].code);
        ssize_t len = read(e.master, bytes, sizeof bytes - 1); /* the screen is given back */
        assert_true(len > 0);
        bytes[len] = '\0';
        assert_non_null(strstr(bytes, "\033[?1049l"));
        assert_int_equal(tcgetattr(e.master, &modes), 0);
        assert_true((modes.c_lflag & ICANON) != 0 && (modes.c_lflag & ECHO) != 0);
        finish(&e);
    }
}

/* Nobody reads: the explorer waits in the middle of a picture. */
static void test_unread_terminal(void **state) {
    (void)state;
    for (int signal = SIGTERM; signal != 0; signal = signal == SIGTERM ? SIGHUP : 0) {
        Explorer e;
        open_session(&e);
        for (int i = 0; i < 400 && !is_stuck(&e); i++) {
            press(&e, "\f4\f1"); /* whole pictures of two views */
            rest();
        }
        int64_t began = now_ms();
        kill(e.pid, signal);
        expect_end(&e, 128 + signal);
        assert_true(now_ms() - began < ENDS_MS);
        finish(&e);
    }
}

/* Ctrl-S: the terminal takes nothing until Ctrl-Q. */
static void test_stopped_terminal(void **state) {
    Explorer e;
    (void)state;
    open_session(&e);
    press(&e, "\023");
    for (int i = 0; i < 50 && !is_stuck(&e); i++) {
        press(&e, "\f4\f1");
        rest();
    }
    kill(e.pid, SIGTERM);
    expect_end(&e, 143);
    finish(&e);
}

/* The terminal is closed. */
static void test_hang_up(void **state) {
    Explorer e;
    (void)state;
    open_session(&e);
    close(e.master);
    int status = ended(&e, ENDS_MS);
    assert_true(status >= 0 && WIFEXITED(status));
    assert_true(session_has(&e, "\"is\":\"end\""));
    e.master = -1;
    finish(&e);
}

static long most_memory(const Explorer *e) {
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)e->pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %ld kB", &kb) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kb;
}

static void check_memory(const Explorer *e) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    long kb = most_memory(e);
    assert_true(kb > 0);
    if (kb > 120 * 1024)
        fail_msg("%ld kB", kb);
#else
    (void)e;
    (void)most_memory;
#endif
}

/* 30 000 x 30 000 characters, as the environment and as the terminal say it, and a storm of sizes.
 */
static void test_enormous_terminal(void **state) {
    (void)state;
    for (int environment = 0; environment < 2; environment++) {
        Explorer e;
        start(&e, 30000, 30000, environment != 0);
        assert_true(writes(&e, "30000x30000 characters, a picture 1000x400 at most"));
        read_away(&e, 1500);
        press(&e, "n");
        wait_for_session(&e, "\"is\":\"step\"");
        check_memory(&e);
        for (int i = 0; i < 40; i++) {
            struct winsize size = {.ws_row = i % 2 ? 24 : (unsigned short)(1000 * i + 1),
                                   .ws_col = i % 3 ? 80 : 65535};
            ioctl(e.master, TIOCSWINSZ, &size);
        }
        struct winsize last = {.ws_row = 24, .ws_col = 80};
        ioctl(e.master, TIOCSWINSZ, &last);
        read_away(&e, 1500);
        check_memory(&e);
        press(&e, "Q");
        read_away(&e, 1500);
        expect_end(&e, 0);
        finish(&e);
    }
}

TEST_GROUP(test_unread) {
    if (access(program(), X_OK) != 0) {
        printf("skip unread: there is no program %s\n", program());
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_terminal), cmocka_unit_test(test_unread_terminal),
        cmocka_unit_test(test_stopped_terminal), cmocka_unit_test(test_hang_up),
        cmocka_unit_test(test_enormous_terminal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
