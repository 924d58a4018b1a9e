/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many command lines in one process: what hundreds of small runs of the program would do, without
 * starting it hundreds of times; and whatever one run left behind would be seen in the next.
 *
 *     many [--jobs N] [--reverse] FOLDER <CASES
 *
 * A case is a line: a name and the words after "lightpath", with tabs between them. FOLDER/NAME
 * gets its standard output; where it fails, "exit status N" (or "signal N") and its messages come
 * after that. Exit status: 0 whatever the cases came to, 1 where their worker itself fails (a leak
 * that a sanitizer finds at its end), 2 for what cannot be read or written. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/cli.h"

enum { WORKERS = 16, WORDS = 64, PATH = 4096 };

typedef struct Case {
    char *word[WORDS + 1]; /* its name stands where the program's would */
    int words;
} Case;

/* What all workers know. */
typedef struct Shared {
    atomic_size_t next;  /* the case that is begun next */
    size_t now[WORKERS]; /* of each worker: the case that it is at; the number of cases: none */
} Shared;

typedef struct Many {
    const char *folder;
    bool reverse;
    int jobs;
    char *text; /* of all cases, cut into words */
    Case *item;
    size_t count;
    Shared *shared;
    int messages[WORKERS]; /* standard error of each worker's case */
    pid_t worker[WORKERS];
} Many;

static void give_up(const char *what) {
    fprintf(stderr, "many: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- the cases ---- */

static void add_case(Many *m, char *line) {
    m->item = realloc(m->item, (m->count + 1) * sizeof *m->item);
    if (m->item == NULL)
        give_up("cases");
    Case *c = &m->item[m->count++];
    c->words = 0;
    for (char *end = line; end != NULL; line = end + 1) {
        end = strchr(line, '\t');
        if (end != NULL)
            *end = '\0';
        if (c->words == WORDS) {
            errno = E2BIG;
            give_up(c->word[0]);
        }
        c->word[c->words++] = line;
    }
    c->word[c->words] = NULL;
}

static void read_cases(Many *m) {
    size_t size = 0, room = 0, got;
    do {
        if (size + PATH >= room) {
            room = 2 * room + 2 * PATH;
            m->text = realloc(m->text, room);
            if (m->text == NULL)
                give_up("cases");
        }
        got = fread(m->text + size, 1, PATH, stdin);
        size += got;
    } while (got > 0);
    m->text[size] = '\0';
    for (char *line = m->text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (*line != '\0')
            add_case(m, line);
    }
}

/* ---- one case ---- */

static void path_of(const Many *m, size_t index, char path[PATH]) {
    if (snprintf(path, PATH, "%s/%s", m->folder, m->item[index].word[0]) >= PATH) {
        errno = ENAMETOOLONG;
        give_up(m->item[index].word[0]);
    }
}

static void watch_nothing(void) {
}

/* How it ended, if not well, and what it said go after what it printed. */
static void add_end(const char *path, const char *how, int number, int messages) {
    char bytes[PATH];
    ssize_t got;
    off_t at = 0;
    FILE *out = fopen(path, "a");
    if (out == NULL)
        give_up(path);
    fprintf(out, "%s %d\n", how, number);
    for (; (got = pread(messages, bytes, sizeof bytes, at)) > 0; at += got)
        fwrite(bytes, 1, (size_t)got, out);
    if (fclose(out) != 0)
        give_up(path);
}

/* As main does it, between files of its own. */
static void run_case(const Many *m, size_t index, int messages) {
    static const volatile sig_atomic_t interrupted;
    char path[PATH];
    const Case *c = &m->item[index];
    LpCli cli = {.argc = c->words,
                 .argv = m->item[index].word,
                 .watch = watch_nothing,
                 .interrupted = &interrupted};
    path_of(m, index, path);
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || ftruncate(messages, 0) != 0)
        give_up(path);
    close(out);
    int code = lp_cli_main(&cli);
    fflush(stdout);
    if (code != LP_EXIT_OK)
        add_end(path, "exit status", code, messages);
}

/* ---- workers ---- */

/* Takes whatever case is next, until there is none. */
static void work(const Many *m, int worker) {
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    size_t taken;
    if (dup2(m->messages[worker], STDERR_FILENO) < 0)
        give_up("messages");
    while ((taken = atomic_fetch_add(&m->shared->next, 1)) < m->count) {
        m->shared->now[worker] = m->reverse ? m->count - 1 - taken : taken;
        run_case(m, m->shared->now[worker], m->messages[worker]);
    }
    m->shared->now[worker] = m->count;
    /* what is said at the end of the process is said of all of them */
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
}

static void start(Many *m, int worker) {
    m->shared->now[worker] = m->count;
    m->worker[worker] = fork();
    if (m->worker[worker] < 0)
        give_up("a worker");
    if (m->worker[worker] == 0) {
        work(m, worker);
        free(m->item);
        free(m->text);
        exit(0);
    }
}

/* One that ends amid a case is told of there, and another takes its place; false: it failed after
 * its last case. */
static bool ended(Many *m, int worker, int status) {
    char path[PATH];
    size_t at = m->shared->now[worker];
    m->worker[worker] = 0;
    if (at == m->count)
        return status == 0;
    path_of(m, at, path);
    add_end(path, WIFSIGNALED(status) ? "signal" : "exit, and not by returning,",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), m->messages[worker]);
    start(m, worker);
    return true;
}

static bool run_all(Many *m) {
    bool good = true;
    int status;
    pid_t pid;
    for (int w = 0; w < m->jobs; w++)
        start(m, w);
    while ((pid = wait(&status)) > 0)
        for (int w = 0; w < m->jobs; w++)
            if (m->worker[w] == pid) {
                good = ended(m, w, status) && good;
                break;
            }
    return good;
}

static void make_shared(Many *m) {
    char path[PATH];
    int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    void *shared = mmap(NULL, sizeof *m->shared, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    if (zero < 0 || shared == MAP_FAILED)
        give_up("memory");
    close(zero);
    m->shared = shared;
    for (int w = 0; w < m->jobs; w++) {
        snprintf(path, sizeof path, "%s/.messages-%d", m->folder, w);
        m->messages[w] = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
        if (m->messages[w] < 0)
            give_up(path);
        unlink(path);
    }
}

static void read_words(Many *m, char **word) {
    for (word++; *word != NULL && **word == '-'; word++)
        if (strcmp(*word, "--reverse") == 0)
            m->reverse = true;
        else if (strcmp(*word, "--jobs") == 0 && word[1] != NULL)
            m->jobs = atoi(*++word);
    m->folder = *word;
    if (m->folder == NULL || m->jobs < 1 || m->jobs > WORKERS) {
        fprintf(stderr, "many: expected [--jobs 1..%d] [--reverse] FOLDER\n", WORKERS);
        exit(2);
    }
}

int main(int argc, char **argv) {
    Many m = {.jobs = 1};
    (void)argc;
    read_words(&m, argv);
    read_cases(&m);
    if (freopen("/dev/null", "r", stdin) == NULL)
        give_up("/dev/null");
    signal(SIGXFSZ, SIG_IGN);
    setlocale(LC_CTYPE, "");
    make_shared(&m);
    bool good = run_all(&m);
    free(m.item);
    free(m.text);
    return good ? 0 : 1;
}
