/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: commands and options as tables, one file per command, and what they share. */
#ifndef LP_UI_CLI_H
#define LP_UI_CLI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/csv_out.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/common/log.h"
#include "host/write_file.h"
#include "session/session.h"
#include "term/output.h"

/* Exit codes (128 + the signal's number after one). */
enum { LP_EXIT_OK = 0, LP_EXIT_FAILED = 1, LP_EXIT_USAGE = 2, LP_EXIT_SIGNAL = 128 };

/* What main hands to every command. */
struct LpCommand;

typedef struct LpCli {
    const struct LpCommand *const *commands; /* all, in the order of the help; NULL-terminated */
    int argc;                                /* words after the command */
    char **argv;
    void (*watch)(void); /* from now on Ctrl-C, SIGTERM and SIGHUP only set *interrupted to their
                            number, once each */
    const volatile sig_atomic_t *interrupted;
    const LpCliLog *log; /* that LP_LOG asks for; NULL: none */
} LpCli;

/* ---- options ---- */

/* A list of texts, borrowed. */
typedef struct LpTexts {
    uint32_t count;
    const char **item;
} LpTexts;

typedef enum LpFlagKind {
    LP_FLAG_SWITCH,  /* bool */
    LP_FLAG_CSV,     /* LpCsvMode; the word "raw" may follow */
    LP_FLAG_TEXT,    /* const char *, the last one counts */
    LP_FLAG_LIST,    /* LpTexts */
    LP_FLAG_PARSED,  /* `parse` reads it */
    LP_FLAG_OPTIONAL /* the same, after a "=" alone; NULL without */
} LpFlagKind;

typedef struct LpFlag {
    const char *name;  /* "--seed" */
    const char *alias; /* "-o"; NULL: none */
    const char *value; /* what help calls its value; NULL: takes none */
    LpFlagKind kind;
    size_t offset; /* of the field in the command's options */
    LpErr (*parse)(const char *text, void *field, LpDiag *diag);
    const char *help;
} LpFlag;

/* One command. */
typedef struct LpCommand {
    const char *name;      /* "run"; "" for the explorer */
    const char *arguments; /* "SCENARIO" */
    const char *summary;   /* one line */
    int least, most;       /* words besides options; most -1: any number */
    const LpFlag *flag;
    size_t flags;
    const char *notes; /* paragraphs at the end of its help; NULL: none */
    int (*run)(const LpCli *cli);
} LpCommand;

/* Words besides options, and memory for lists. */
typedef struct LpArgs {
    LpArena *arena;
    const char **word;
    int words;
    bool help; /* --help or -h was among the options */
} LpArgs;

/* Reads the command's words into `options` (zeroed or with defaults by the caller). Options may
 * stand anywhere; --name=value and --name value are the same; after -- all are words. Errors:
 * LP_EINVAL, with the nearest option where one is unknown; LP_ENOMEM. Free args in any case. */
LpErr lp_args_parse(const LpCommand *command, const LpCli *cli, void *options, LpArgs *args,
                    LpDiag *diag) LP_MUST_USE;
void lp_args_fini(LpArgs *args);
/* lp_args_parse, with its failure or the help printed: *code is what to exit with, then false. */
bool lp_args_read(const LpCommand *command, const LpCli *cli, void *options, LpArgs *args,
                  int *code);

/* Readers of values. */
LpErr lp_arg_time(const char *text, void *seconds, LpDiag *diag);    /* double > 0 */
LpErr lp_arg_tau(const char *text, void *tau, LpDiag *diag);         /* LpTauArg, >= 0 */
LpErr lp_arg_size(const char *text, void *bytes, LpDiag *diag);      /* size_t > 0 */
LpErr lp_arg_whole(const char *text, void *number, LpDiag *diag);    /* double, 1..2^53 */
LpErr lp_arg_wording(const char *text, void *wording, LpDiag *diag); /* LpWording */

/* ---- options of every command that opens a session ---- */

typedef struct LpSeedArg {
    bool given;
    uint64_t value;
} LpSeedArg;

LpErr lp_arg_seed(const char *text, void *seed, LpDiag *diag); /* LpSeedArg */

typedef struct LpTauArg {
    bool given;
    double value; /* s */
} LpTauArg;

typedef struct LpSessionArgs {
    const char *policy;
    LpTexts params, sets;
    LpSeedArg seed;
    double until;
    LpTauArg tau;
    size_t max_input, max_memory;
    bool keep_explain;     /* set by commands that print it */
    LpWording wording;     /* of commands that say why jobs wait */
    bool pack_past;        /* set by commands that go through the jobs once, at the end */
    bool untold;           /* with pack_past: the command does not print why jobs were decided so */
    bool keep_timeline;    /* the explorer can go back */
    bool keep_files;       /* what was read can be run again with something else */
    const LpFiles *files;  /* set by commands that say what was read; NULL: the disk */
    const LpDebugLog *log; /* set by commands; NULL: nobody listens */
} LpSessionArgs;

#define LP_SESSION_FLAGS(type)                                                                     \
    {"--policy",                                                                                   \
     NULL,                                                                                         \
     "FILE",                                                                                       \
     LP_FLAG_TEXT,                                                                                 \
     offsetof(type, session.policy),                                                               \
     NULL,                                                                                         \
     "policy script, a file or the name of one that is installed"},                                \
        {"--param",                                                                                \
         NULL,                                                                                     \
         "NAME=VALUE",                                                                             \
         LP_FLAG_LIST,                                                                             \
         offsetof(type, session.params),                                                           \
         NULL,                                                                                     \
         "parameter of the policy; may be repeated"},                                              \
        {"--seed",                                                                                 \
         NULL,                                                                                     \
         "N",                                                                                      \
         LP_FLAG_PARSED,                                                                           \
         offsetof(type, session.seed),                                                             \
         lp_arg_seed,                                                                              \
         "seed of every random stream"},                                                           \
        {"--until",                                                                                \
         NULL,                                                                                     \
         "TIME",                                                                                   \
         LP_FLAG_PARSED,                                                                           \
         offsetof(type, session.until),                                                            \
         lp_arg_time,                                                                              \
         "end of the run, such as \"1e5 s\" or \"3 h\""},                                          \
        {"--set",                                                                                  \
         NULL,                                                                                     \
         "PATH=VALUE",                                                                             \
         LP_FLAG_LIST,                                                                             \
         offsetof(type, session.sets),                                                             \
         NULL,                                                                                     \
         "override a key of the scenario, such as generator.load=0.5; may be repeated"},           \
        {"--max-input",                                                                            \
         NULL,                                                                                     \
         "SIZE",                                                                                   \
         LP_FLAG_PARSED,                                                                           \
         offsetof(type, session.max_input),                                                        \
         lp_arg_size,                                                                              \
         "largest input file (default 64 MiB)"},                                                   \
    {                                                                                              \
        "--max-memory", NULL, "SIZE", LP_FLAG_PARSED, offsetof(type, session.max_memory),          \
            lp_arg_size, "memory that one input may ask for (default 1 GiB)"                       \
    }

/* *is: a session, by its first bytes? "-" and files that are not there are none. Errors: LP_EIO
 * where it could not be opened for lack of descriptors or memory, so that nothing is known of it.
 */
LpErr lp_cli_is_session(const char *path, bool *is, LpDiag *diag) LP_MUST_USE;
/* Opens what the words and options say; a bare name that is no file is looked up among the
 * scenarios that came with the program. */
LpErr lp_cli_open(const char *scenario, const LpSessionArgs *args, bool keep_events,
                  LpSession **out, LpDiag *diag) LP_MUST_USE;

/* Exit code of a command that was stopped and has printed what was done: 130 after Ctrl-C, 143
 * after SIGTERM, 129 after SIGHUP. */
int lp_cli_interrupted(const LpCli *cli);

/* ---- output ---- */

/* Prints the message as one line on stderr and returns the exit code: 2 for bad input. */
int lp_cli_fail(const LpDiag *diag);
/* As lp_cli_fail, with exit code 1: a run or its output failed. */
int lp_cli_fail_run(const LpDiag *diag);
/* Output failed: says so unless the reader has gone. */
int lp_cli_fail_output(const LpOutput *output, const LpDiag *diag);
/* What a command came to: its text on stdout, or, where err is not LP_OK, the message on stderr.
 * Frees the text and returns the exit code. */
int lp_cli_print(LpErr err, LpBuf *text, const LpDiag *diag);
/* A text on stderr, line by line, with what a terminal must not see escaped. */
void lp_cli_tell(const char *text);
/* A note on stderr, one line: a file's name does not begin another. */
void lp_cli_note(const char *fmt, ...) LP_PRINTF(1, 2);

/* ---- commands ---- */

extern const LpCommand lp_command_reproduce;
extern const LpCommand lp_command_open, lp_command_run, lp_command_predict, lp_command_turns,
    lp_command_check, lp_command_presets, lp_command_devices, lp_command_import, lp_command_doctor,
    lp_command_policy, lp_command_whatif, lp_command_explain, lp_command_compare, lp_command_sweep,
    lp_command_tournament, lp_command_merge, lp_command_replay, lp_command_env, lp_command_train,
    lp_command_experiment, lp_command_bound, lp_command_completions, lp_command_keys,
    lp_command_paths, lp_command_lesson, lp_command_schema, lp_command_pods;

/* The commands of `policy`, NULL-terminated; their names begin with it. */
extern const LpCommand *const lp_policy_commands[];

/* NULL when there is no such command. */
const LpCommand *lp_command_find(const LpCli *cli, const char *name);
/* Appends a command's help, or the program's. `open` is what runs without a command. */
void lp_help_command(const LpCli *cli, const LpCommand *command, LpBuf *out);
void lp_help_program(const LpCli *cli, const LpCommand *open, LpBuf *out);

/* All commands, NULL after the last; the explorer (lp_command_open) has no name and is not among
 * them. */
const LpCommand *const *lp_cli_commands(void);

/* The whole program: argv as main gets it. Returns the exit code. */
int lp_cli_main(const LpCli *cli);

#endif
