/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Letters that stand for jobs: given in the order in which jobs start, A..Z then a..z, free again
 * when the job ends. The same run always gives the same letters. */
#ifndef LP_UI_MOMENT_LETTERS_H
#define LP_UI_MOMENT_LETTERS_H

#include <stddef.h>
#include <stdint.h>

#include "run/session/time.h"

enum { LP_LETTERS = 52, LP_LETTER_PENDING = -2 /* of the job that is being decided */ };

/* Zero-initialise; free with lp_letters_fini. */
typedef struct LpLetters {
    size_t seen; /* events read so far */
    uint32_t branch;
    int next; /* tried first for the next job */
    bool taken[LP_LETTERS];
    int8_t *of_job; /* per job: letter number + 1, 0 for none, negative: what it was */
    size_t cap;
} LpLetters;

/* Reads the events that are new since the last call, all of them on another branch or back in
 * time: letters depend on what happened before a moment, never on what was looked at. O(new
 * events). Errors: LP_ENOMEM. */
LpErr lp_letters_update(LpLetters *letters, const LpSession *session, LpDiag *diag) LP_MUST_USE;
void lp_letters_fini(LpLetters *letters);
/* Number 0..51 of the job's letter; -1 when it has none: not running, or all letters are taken. */
int lp_letters_of(const LpLetters *letters, uint32_t job);
/* The letter of a job that has ended, -1: none. Others may have it by now. */
int lp_letters_was(const LpLetters *letters, uint32_t job);
/* 'A'..'Z', 'a'..'z'; '#' for -1, '?' for LP_LETTER_PENDING. */
char lp_letter(int number);

#endif
