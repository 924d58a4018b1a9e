/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training on a thread of its own, for a screen that has to answer meanwhile. */
#ifndef LP_MANY_TRAIN_WORK_H
#define LP_MANY_TRAIN_WORK_H

#include "many/train/train.h"

/* When it is to end before its time. */
typedef enum LpTrainWish {
    LP_TRAIN_GO_ON,
    LP_TRAIN_STOP,          /* after the present update */
    LP_TRAIN_AT_CHECKPOINT, /* after the update with the next checkpoint, so that nothing is lost */
} LpTrainWish;

typedef struct LpTrainWork LpTrainWork;

/* Begins; what spec points to must stay until the end. each (NULL allowed) is called after every
 * update on the training's thread; false stops. That thread takes no signals. Errors:
 * LP_ENOMEM, also when no thread can be made. */
LpErr lp_train_work_begin(const LpTrainSpec *spec, LpTrainProgress each, void *user,
                          LpTrainWork **out, LpDiag *diag) LP_MUST_USE;
/* Readable (poll) when there are reports, or the end, that lp_train_work_take has not seen. */
int lp_train_work_fd(const LpTrainWork *work);
/* The next report that was not taken yet; false: there is none now. */
bool lp_train_work_take(LpTrainWork *work, LpTrainReport *out);
void lp_train_work_wish(LpTrainWork *work, LpTrainWish wish);
/* Has it ended, and was every report taken? Then *err and *diag (which may be NULL) say how, as of
 * lp_train. */
bool lp_train_work_is_over(LpTrainWork *work, LpErr *err, LpDiag *diag);
/* After the training has ended: did it make at least one update? */
bool lp_train_work_began(LpTrainWork *work);
/* NULL allowed. Stops it if it still goes on, and waits for the present update. */
void lp_train_work_free(LpTrainWork *work);

#endif
