/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug log of a command (base/debug_log.h): --log and LP_LOG say what is listened to, and
 * LP_LOG_FILE where the lines go, which is standard error without it. */
#ifndef LP_UI_CLI_LOG_H
#define LP_UI_CLI_LOG_H

#include "base/debug_log.h"
#include "base/err.h"

typedef struct LpCliLog LpCliLog;

/* list: such as "sim,light:2"; NULL or "": nobody listens, and *out is NULL. Errors: LP_EINVAL
 * where a room is unknown; LP_EIO where the file cannot be written; LP_ENOMEM. */
LpErr lp_cli_log_open(const char *list, LpCliLog **out, LpDiag *diag) LP_MUST_USE;
/* Opens the log that the environment asks for. Errors: as lp_cli_log_open, naming LP_LOG. */
LpErr lp_cli_log_open_asked(LpCliLog **out, LpDiag *diag) LP_MUST_USE;
/* Who listens, for the engine; NULL where log is. Valid until it is closed. */
const LpDebugLog *lp_cli_log_to(const LpCliLog *log);
/* Do its lines go to a terminal? False where log is NULL. */
bool lp_cli_log_on_terminal(const LpCliLog *log);
/* Closes it and tells of lines that were lost. NULL allowed. */
void lp_cli_log_close(LpCliLog *log);
/* The rooms, a line each, for the notes of a command. */
#define LP_CLI_LOG_ROOM(id, name, first, second) "  " name ": " first "\n    :2 " second "\n"
#define LP_CLI_LOG_ROOMS LP_DEBUG_ROOMS(LP_CLI_LOG_ROOM)

#endif
