/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alibaba's PAI, 2020 (clusterdata, cluster-trace-gpu-v2020): a table of jobs, and one of the tasks
 * that say what the jobs had. Neither has a line of names. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"
#include "import/rows/text_store.h"

enum { JOB, INSTANCE, USER, STATUS, START, END, JOB_COLUMNS };

static const char *const JOB_COLUMN[JOB_COLUMNS] = {"job_name", "inst_id",    "user",
                                                    "status",   "start_time", "end_time"};
static const LpTraceTable JOBS = {.column = JOB_COLUMN,
                                  .columns = JOB_COLUMNS,
                                  .needed = JOB_COLUMNS,
                                  .separator = ',',
                                  .headless = true};

enum { OF_JOB, TASK, INSTANCES, TASK_STATUS, BEGUN, DONE, CPU, MEMORY, GPU, TYPE, TASK_COLUMNS };

static const char *const TASK_COLUMN[TASK_COLUMNS] = {
    "job_name", "task_name", "inst_num", "status",   "start_time",
    "end_time", "plan_cpu",  "plan_mem", "plan_gpu", "gpu_type"};
static const LpTraceTable TASKS = {.column = TASK_COLUMN,
                                   .columns = TASK_COLUMNS,
                                   .needed = TASK_COLUMNS,
                                   .separator = ',',
                                   .headless = true,
                                   .uncounted = true};

/* What the tasks of a job with GPUs come to. */
typedef struct Tasks {
    uint32_t name, type; /* texts; that of the first task with GPUs */
    double gpus, servers;
    int64_t begin, end; /* ns, of those with GPUs */
    bool with_gpus, no_begin, no_end, seen;
} Tasks;

typedef struct Pai {
    LpTextStore names, types;
    Tasks *tasks;
    size_t count, cap;
    uint32_t *slot; /* by the hash of a job's name: number + 1 of its tasks */
    size_t slots;
} Pai;

/* ---- tasks by the name of their job ---- */

static size_t find_slot(const Pai *pai, const char *name) {
    size_t at = lp_hash_text(LP_HASH_INIT, name) & (pai->slots - 1);
    while (pai->slot[at] != 0) {
        const char *has = lp_text_store_get(&pai->names, pai->tasks[pai->slot[at] - 1].name);
        if (strcmp(has != NULL ? has : "", name) == 0)
            break;
        at = (at + 1) & (pai->slots - 1);
    }
    return at;
}

static Tasks *find_tasks(const Pai *pai, const char *name) {
    uint32_t number = pai->slots > 0 ? pai->slot[find_slot(pai, name)] : 0;
    return number > 0 ? &pai->tasks[number - 1] : NULL;
}

/* At most half of the slots are taken. */
static LpErr make_room(Pai *pai, LpDiag *diag) {
    enum { FIRST = 1024 };
    if (pai->count >= UINT32_MAX - 1)
        return lp_fail(diag, LP_ELIMIT, "tasks of more than %u jobs", UINT32_MAX - 1);
    if (lp_grow((void **)&pai->tasks, &pai->cap, pai->count + 1, sizeof *pai->tasks) != LP_OK)
        return lp_fail_memory(diag, "a table of tasks");
    if (2 * (pai->count + 1) <= pai->slots)
        return LP_OK;
    size_t slots = pai->slots > 0 ? 2 * pai->slots : FIRST;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return lp_fail_memory(diag, "a table of tasks");
    lp_free(pai->slot);
    pai->slot = slot;
    pai->slots = slots;
    for (size_t i = 0; i < pai->count; i++) {
        const char *name = lp_text_store_get(&pai->names, pai->tasks[i].name);
        pai->slot[find_slot(pai, name != NULL ? name : "")] = (uint32_t)i + 1;
    }
    return LP_OK;
}

static LpErr tasks_of(Pai *pai, const char *name, Tasks **out, LpDiag *diag) {
    *out = find_tasks(pai, name);
    if (*out != NULL)
        return LP_OK;
    LP_TRY(make_room(pai, diag));
    Tasks *tasks = &pai->tasks[pai->count];
    *tasks = (Tasks){0};
    LP_TRY(lp_text_store_add(&pai->names, name, &tasks->name, diag));
    pai->slot[find_slot(pai, name)] = (uint32_t)++pai->count;
    *out = tasks;
    return LP_OK;
}

/* ---- rows ---- */

static LpErr read_times(const LpTraceRow *row, Tasks *tasks, LpDiag *diag) {
    int64_t begin, end;
    if (lp_row_text(row, BEGUN)[0] == '\0') {
        tasks->no_begin = true;
    } else {
        LP_TRY(lp_row_seconds(row, BEGUN, &begin, diag));
        if (!tasks->with_gpus || begin < tasks->begin)
            tasks->begin = begin;
    }
    if (lp_row_text(row, DONE)[0] == '\0') {
        tasks->no_end = true;
    } else {
        LP_TRY(lp_row_seconds(row, DONE, &end, diag));
        if (!tasks->with_gpus || end > tasks->end)
            tasks->end = end;
    }
    return LP_OK;
}

static LpErr read_task(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    Pai *pai = user;
    Tasks *tasks;
    double instances = 1, percent = 0;
    (void)reading;
    LP_TRY(tasks_of(pai, lp_row_text(row, OF_JOB), &tasks, diag));
    if (lp_row_text(row, GPU)[0] != '\0')
        LP_TRY(lp_row_number(row, GPU, &percent, diag));
    if (percent <= 0)
        return LP_OK;
    if (lp_row_text(row, INSTANCES)[0] != '\0')
        LP_TRY(lp_row_number(row, INSTANCES, &instances, diag));
    if (instances < 0 || instances != floor(instances))
        return lp_lines_fail(row->lines, diag, "inst_num is %g, expected a whole number",
                             instances);
    LP_TRY(read_times(row, tasks, diag));
    if (!tasks->with_gpus)
        LP_TRY(lp_text_store_once(&pai->types, lp_row_text(row, TYPE), &tasks->type, diag));
    tasks->with_gpus = true;
    tasks->gpus += instances * percent / 100;
    tasks->servers += instances * ceil(percent / 100);
    return LP_OK;
}

static LpLeft left_out(const Tasks *tasks) {
    return tasks == NULL                              ? LP_LEFT_NO_TASK
           : !tasks->with_gpus || tasks->servers == 0 ? LP_LEFT_NO_GPUS
           : tasks->no_begin                          ? LP_LEFT_NO_START
           : tasks->no_end                            ? LP_LEFT_NO_END
           : tasks->end <= tasks->begin               ? LP_LEFT_ZERO_DURATION
                                                      : LP_LEFT_COUNT;
}

static const char *state_of(const char *status, char *lower, size_t size) {
    return strcmp(status, "Terminated") == 0 ? "completed" : lp_text_lower(status, lower, size);
}

static LpErr read_job(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    const Pai *pai = user;
    LpTraceJob job = {0};
    char state[32];
    bool submitted = lp_row_text(row, START)[0] != '\0';
    Tasks *tasks = find_tasks(pai, lp_row_text(row, JOB));
    LpLeft left = left_out(tasks);
    if (submitted || left == LP_LEFT_COUNT)
        LP_TRY(lp_row_seconds(row, START, &job.submit_ns, diag));
    if (tasks != NULL)
        tasks->seen = true;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    LP_TRY(lp_timed_units(row->lines, tasks->servers, &job, diag));
    job.gpus = tasks->gpus;
    job.duration = lp_ns_between(tasks->begin, tasks->end);
    job.id = lp_row_text(row, JOB);
    job.user = lp_row_text(row, USER);
    job.group = lp_text_store_get(&pai->types, tasks->type);
    job.state = state_of(lp_row_text(row, STATUS), state, sizeof state);
    lp_rows_note(reading->rows, "shares_rounded_up", tasks->gpus != tasks->servers);
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_tables(LpReading *reading, Pai *pai, LpDiag *diag) {
    uint64_t strangers = 0;
    if (reading->files == 2)
        LP_TRY(lp_table_read(reading, reading->file[1], &TASKS, read_task, pai, diag));
    LP_TRY(lp_table_read(reading, reading->file[0], &JOBS, read_job, pai, diag));
    if (reading->files != 2) /* said last: what is wrong in the one file is told first */
        return lp_fail(diag, LP_EINVAL,
                       "pai is read from 2 files, the jobs and their tasks, not 1");
    for (size_t i = 0; i < pai->count; i++)
        strangers += !pai->tasks[i].seen;
    lp_rows_note(reading->rows, "tasks_of_no_job", strangers);
    return LP_OK;
}

static LpErr read_pai(LpReading *reading, LpDiag *diag) {
    Pai pai = {0};
    lp_rows_assume(reading->rows, "types of GPUs are alike: all are the cluster's device");
    LpErr err = read_tables(reading, &pai, diag);
    lp_text_store_fini(&pai.names);
    lp_text_store_fini(&pai.types);
    lp_free(pai.tasks);
    lp_free(pai.slot);
    return err;
}

const LpFormat lp_format_pai = {.name = "pai",
                                .what = "jobs of Alibaba, 2020: pai_job_table.csv "
                                        "pai_task_table.csv",
                                .makes = LP_MAKES_JOBS,
                                .least = 1,
                                .most = 2,
                                .read = read_pai};
