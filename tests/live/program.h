/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that is tested: live, in a terminal of its own, and without one (--keys). */
#ifndef LP_TESTS_LIVE_PROGRAM_H
#define LP_TESTS_LIVE_PROGRAM_H

#include "live/picture.h"

enum { LIVE_WORDS = 12 };

/* What one types in a shell, without the program's name; NULL at the end. */
typedef struct LiveCommand {
    const char *word[LIVE_WORDS];
} LiveCommand;

typedef struct LiveProgram LiveProgram;

/* Starts it in a terminal of this size, with a home of its own below `folder`. NULL with a message
 * on standard error if that cannot be. */
LiveProgram *live_program_start(const LiveCommand *command, int cols, int rows, const char *folder);
/* Types the bytes. */
void live_program_type(LiveProgram *program, const char *bytes, size_t len);
/* The terminal gets another size. */
void live_program_resize(LiveProgram *program, int cols, int rows);
/* Reads what it writes for at most `ms`, and then until it writes nothing for a moment. False: it
 * wrote nothing, or has ended. */
bool live_program_listen(LiveProgram *program, int ms);
bool live_program_ended(const LiveProgram *program);
void live_program_look(LiveProgram *program, LivePicture *out);
/* Waits until it has ended, which it is made to do after a while. Its exit status, 128 + a signal's
 * number; what it has not given back of the terminal, "" for nothing. Frees it. */
int live_program_end(LiveProgram *program, const char **left);

/* Plays the key script without a terminal, with the same home; the asciicast of it goes to `cast`.
 * Returns false, with what the program says on standard error, if it does not end well. */
bool live_play_keys(const LiveCommand *command, int cols, int rows, const char *keys,
                    const char *cast, const char *folder);

/* An asciicast while it is read: the picture at each moment of it. */
typedef struct LiveCast LiveCast;
/* NULL if the file cannot be read. */
LiveCast *live_cast_open(const char *path, int cols, int rows);
/* The picture as it is `ms` after the beginning; moments are asked for in their order. */
void live_cast_at(LiveCast *cast, long long ms, LivePicture *out);
void live_cast_close(LiveCast *cast);

#endif
