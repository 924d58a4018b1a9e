/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which failures of the system no input is to blame for. */
#ifndef LP_BASE_LACK_H
#define LP_BASE_LACK_H

#include "base/err.h"

/* Code of a call of the system that failed with this errno: LP_ENOMEM where memory or descriptors
 * ran out, LP_EIO otherwise. */
LpErr lp_err_of(int error);

#endif
