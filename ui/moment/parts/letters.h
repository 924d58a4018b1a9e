/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Letters that stand for jobs, from their arrival until they end: A..Z then a..z by the number of
 * the arrival, modulo 52, or the next one that no other job has. So a job has the same letter in
 * every branch, unless a job 52 before it still runs in one of them. */
#ifndef LP_UI_MOMENT_LETTERS_H
#define LP_UI_MOMENT_LETTERS_H

#include <stddef.h>
#include <stdint.h>

#include "session/time.h"
#include "term/canvas.h"

enum { LP_LETTERS = 52 };

/* Zero-initialise; free with lp_letters_fini. */
typedef struct LpLetters {
    size_t seen; /* events read so far */
    uint32_t branch;
    bool taken[LP_LETTERS];
    int8_t *of_job; /* per job: letter number + 1, 0 for none, negative: what it was */
    size_t cap;
} LpLetters;

/* Reads the events that are new since the last call, all of them on another branch or back in
 * time: letters depend on what happened before a moment, never on what was looked at. O(new
 * events). Errors: LP_ENOMEM. */
LpErr lp_letters_update(LpLetters *letters, const LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Letters of any branch of a time line, after `events` of its events. */
LpErr lp_letters_of_branch(LpLetters *letters, const LpSession *session, uint32_t branch,
                           size_t events, LpDiag *diag) LP_MUST_USE;
void lp_letters_fini(LpLetters *letters);
/* Number 0..51 of the job's letter; -1 when it has none: not there yet, ended, or all were taken.
 */
int lp_letters_of(const LpLetters *letters, uint32_t job);
/* The letter of a job that has ended, -1: none. Others may have it by now. */
int lp_letters_was(const LpLetters *letters, uint32_t job);
/* The job's present or past letter, -1 if it never had one. */
int lp_letters_ever(const LpLetters *letters, uint32_t job);
/* 'A'..'Z', 'a'..'z'; '#' for -1. */
char lp_letter(int number);

/* The colour of a job, the same in every branch: that of its arrival modulo 7 (LP_JOB_ROLES), text
 * for LP_NO_INDEX. O(1). */
LpStyle lp_letter_hue(uint32_t job);
/* The colour of a job with the line below its letter in every second round: so 14 neighbours in
 * time differ. */
LpStyle lp_letter_style(uint32_t job);
/* Draws a job's letter in a style, underlined where its round is. */
void lp_letter_put(const LpArea *area, int x, int y, LpStyle style, uint32_t job, int letter);

#endif
