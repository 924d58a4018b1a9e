/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting, copying the process, and the report. */
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 24, LOG_FD = 900, PATIENCE_MS = 20000, LINE = 4096, SEEN_MAX = 12 };

/* What a copy tells, in memory that it shares with the process. */
typedef struct Told {
    int frames;
    bool mute;
    void *frame[FRAMES];
} Told;

static struct {
    FaultKind kind;
    bool armed, rest, copy, failing; /* copy: this is one; failing: calls fail now */
    bool threads;                    /* the process has had threads */
    long at, every, count, tried, same, bad, left_out; /* every: n-th is tried */
    FaultRun run;
    Told *told;
    int log;
    pid_t self;
    unsigned long seen[SEEN_MAX]; /* places that were reported already */
    int seen_count;
} f;

static _Thread_local int busy;

void fault_busy(bool on) {
    busy += on ? 1 : -1;
}

FaultKind fault_kind(void) {
    return f.kind;
}

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *fmt, ...) {
    char line[LINE];
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (len > 0)
        (void)!syscall(SYS_write, f.log, line, (size_t)len < sizeof line ? (size_t)len : LINE - 1);
}

/* ---- where ---- */

static int add_frame(char *text, size_t size, void *frame) {
    Dl_info about;
    if (!dladdr(frame, &about) || about.dli_fname == NULL)
        return snprintf(text, size, " ?");
    const char *file = strrchr(about.dli_fname, '/');
    file = file != NULL ? file + 1 : about.dli_fname;
    unsigned long at = (unsigned long)frame - (unsigned long)about.dli_fbase;
    if (strstr(file, ".so") == NULL)
        return snprintf(text, size, " +0x%lx", at - 1); /* of the program: for addr2line */
    return snprintf(text, size, " %s", about.dli_sname != NULL ? about.dli_sname : file);
}

/* Frames above this library; false: the same place was reported before. */
static bool describe_place(const char *what, char *text, size_t size) {
    unsigned long hash = 5381;
    size_t used = 0;
    for (int i = 3; i < f.told->frames && i < 9; i++)
        hash = hash * 33 ^ (unsigned long)f.told->frame[i];
    for (const char *c = what; *c != '\0'; c++)
        hash = hash * 33 ^ (unsigned char)*c;
    for (int i = 0; i < f.seen_count; i++)
        if (f.seen[i] == hash)
            return false;
    if (f.seen_count == SEEN_MAX)
        return false;
    f.seen[f.seen_count++] = hash;
    for (int i = 2; i < f.told->frames && used + 80 < size; i++)
        used += (size_t)add_frame(text + used, size - used, f.told->frame[i]);
    return true;
}

/* ---- one copy ---- */

static void end_copy(pid_t pid) {
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    int ready;
    do
        ready = poll(&end, 1, PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    f.run.hung = ready == 0;
    if (f.run.hung)
        kill(pid, SIGKILL);
    close(end.fd);
    while (waitpid(pid, &f.run.status, 0) < 0 && errno == EINTR)
        ;
}

static void report(const char *what, long n) {
    char place[LINE / 2] = "";
    f.bad++;
    if (describe_place(what, place, sizeof place))
        say("bad %ld %s\n  at%s\n", n, what, place);
}

static void judge_copy(long n) {
    char text[LINE / 4];
    bool same;
    f.run.mute = f.told->mute;
    const char *wrong = fault_judge(&f.run, &same, text, sizeof text);
    f.tried++;
    if (wrong != NULL)
        report(wrong, n);
    else if (same)
        f.same++;
    if (!fault_state_restore(f.run.folder)) {
        say("bad %ld what the copy changed cannot be undone\n", n);
        _exit(99);
    }
}

static void begin_failing(void) {
    f.failing = true;
    f.told->frames = backtrace(f.told->frame, FRAMES);
}

/* True in the copy. */
static bool try_copy(long n) {
    int before = errno;
    fault_busy(true);
    f.told->frames = 0;
    f.told->mute = false;
    if (!fault_state_keep(f.run.folder)) {
        say("bad %ld too much is open or written to be kept\n", n);
        _exit(99);
    }
    pid_t pid = fork();
    if (pid == 0) {
        f.copy = true;
        begin_failing();
        fault_busy(false);
        return true;
    }
    if (pid < 0) {
        say("bad %ld fork: %s\n", n, strerror(errno));
        _exit(99);
    }
    end_copy(pid);
    judge_copy(n);
    fault_busy(false);
    errno = before;
    return false;
}

bool fault_now(FaultKind kind) {
    if (kind == FAULT_THREAD && f.armed)
        f.threads = true;
    if (!f.armed || busy || kind != f.kind)
        return false;
    if (f.copy || f.failing)
        return f.failing && f.rest;
    long n = __atomic_add_fetch(&f.count, 1, __ATOMIC_RELAXED);
    if (f.at > 0) { /* this process itself is to fail */
        if (n != f.at)
            return false;
        fault_busy(true);
        begin_failing();
        fault_busy(false);
        return true;
    }
    if (f.at < 0 || (f.every > 1 && n % f.every != 0))
        return false;
    if (f.threads || getpid() != f.self) { /* a copy has one thread only */
        if (kind == FAULT_THREAD && f.count == 1)
            return try_copy(n);
        f.left_out++;
        return false;
    }
    return try_copy(n);
}

/* ---- beginning and end ---- */

static const char *const kinds[] = {"none", "memory", "write", "short", "sync", "thread", "open"};

static void set_up(void) {
    const char *kind = getenv("FAULT_KIND"), *mode = getenv("FAULT_MODE"), *at = getenv("FAULT_AT");
    const char *log = getenv("FAULT_LOG"), *every = getenv("FAULT_EVERY");
    for (unsigned i = 0; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0)
            f.kind = (FaultKind)i;
    if (f.kind == FAULT_NONE || log == NULL)
        return;
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    f.log = fcntl(fd, F_DUPFD_CLOEXEC, LOG_FD);
    close(fd);
    f.told = mmap(NULL, sizeof *f.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (f.log < 0 || f.told == MAP_FAILED)
        _exit(99);
    f.rest = mode != NULL && strcmp(mode, "rest") == 0;
    f.at = at != NULL ? atol(at) : 0; /* -1: only count */
    f.every = every != NULL ? atol(every) : 1;
    f.run = (FaultRun){.reference = getenv("FAULT_REFERENCE"),
                       .folder = getenv("FAULT_FOLDER"),
                       .says = getenv("FAULT_SAYS")};
    f.self = getpid();
    (void)backtrace(f.told->frame, FRAMES); /* loads what it needs */
    if (f.kind == FAULT_WRITE || f.kind == FAULT_SHORT)
        fault_streams();
    f.armed = true;
}

static void finish(void) {
    if (!f.armed || f.copy || getpid() != f.self)
        return;
    f.armed = false;
    if (f.at == 0)
        say("tried %ld same %ld bad %ld left %ld\n", f.tried, f.same, f.bad, f.left_out);
    else
        say("calls %ld failed %d\n", f.count, f.failing);
}

void fault_mute(void) {
    if (f.told != NULL)
        f.told->mute = true;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **env) {
    fault_busy(true);
    set_up();
    atexit(finish);
    fault_busy(false);
    return real_main(argc, argv, env);
}

typedef int Start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                  void (*)(void), void *);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *end) {
    Start *start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &symbol, sizeof start);
    real_main = main;
    return start(counted_main, argc, argv, init, fini, rtld_fini, end);
}
