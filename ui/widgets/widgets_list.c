/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of which only some rows fit. */
#include "widgets/widgets_list.h"

int lp_list_from(int first, int count, int rows) {
    first = first > count - rows ? count - rows : first;
    return first < 0 ? 0 : first;
}

int lp_list_around(int marked, int count, int rows) {
    return lp_list_from(marked - rows / 2, count, rows);
}

int lp_list_moved(int row, int by, int count) {
    if (count <= 0)
        return 0;
    return by > count - 1 - row ? count - 1 : by < -row ? 0 : row + by;
}
