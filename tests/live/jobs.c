/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many walks, some at a time: each in a process of its own, whose lines come when it has ended. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/walk.h"

enum { FOLDER = 200, JOBS_MOST = 16 };

typedef struct Job {
    pid_t pid; /* 0: none */
    const LiveWalk *walk;
    char folder[FOLDER + 16], log[FOLDER + 32];
} Job;

static int jobs_at_a_time(void) {
    const char *text = getenv("LIVE_JOBS");
    long jobs = text != NULL ? atol(text) : 2 * sysconf(_SC_NPROCESSORS_ONLN);
    return jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : (int)jobs;
}

static void begin(Job *job, const LiveWalk *walk, const char *folder, int number) {
    job->walk = walk;
    snprintf(job->folder, sizeof job->folder, "%s/%d", folder, number);
    snprintf(job->log, sizeof job->log, "%s/%d.log", folder, number);
    fflush(stdout);
    job->pid = mkdir(job->folder, 0700) == 0 ? fork() : -1;
    if (job->pid == 0) {
        if (freopen(job->log, "w", stdout) == NULL)
            _exit(2);
        bool good = live_walk_play(walk, job->folder);
        fflush(stdout);
        _exit(good ? 0 : 1);
    }
}

/* Prints what it said; did it end well? */
static bool end(Job *job, int status) {
    FILE *log = fopen(job->log, "r");
    char line[4096];
    while (log != NULL && fgets(line, sizeof line, log) != NULL)
        fputs(line, stdout);
    if (log != NULL)
        fclose(log);
    job->pid = 0;
    bool told = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    if (!told)
        printf("not ok %s at %dx%d: status %d\n", job->walk->name, job->walk->cols, job->walk->rows,
               status);
    return told && WEXITSTATUS(status) == 0;
}

static void remove_folder(const char *folder) {
    pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, NULL, 0);
}

int live_walks_play(LiveWalk *walk, int walks) {
    Job job[JOBS_MOST] = {{0}};
    char folder[FOLDER];
    const char *tmp = getenv("TMPDIR"), *only = getenv("LIVE_ONLY");
    int next = 0, running = 0, most = jobs_at_a_time();
    bool good = true;
    snprintf(folder, sizeof folder, "%s/live.XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) {
        printf("not ok live: no folder %s\n", folder);
        return 1;
    }
    while (next < walks || running > 0) {
        if (next < walks && only != NULL && strstr(walk[next].name, only) == NULL) {
            next++;
            continue;
        }
        if (next < walks && running < most) {
            int i = 0;
            while (job[i].pid != 0)
                i++;
            begin(&job[i], &walk[next], folder, next);
            next++;
            if (job[i].pid > 0)
                running++;
            else
                good = end(&job[i], -1);
            continue;
        }
        int status;
        pid_t pid = wait(&status);
        for (int i = 0; i < most; i++)
            if (pid > 0 && job[i].pid == pid) {
                good &= end(&job[i], status);
                running--;
            }
    }
    for (int i = 0; i < walks; i++)
        live_walk_fini(&walk[i]);
    free(walk);
    if (getenv("LIVE_KEEP") == NULL)
        remove_folder(folder);
    return good ? 0 : 1;
}
