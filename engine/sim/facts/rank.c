/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/rank.h"

#include <math.h>
#include <stdlib.h>

static int compare_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The part of low .. high in which the value of that rank lies after the values are parted by one
 * of them; low == high: it is there. */
static void part(double *value, uint64_t rank, uint64_t *low, uint64_t *high) {
    double pivot = value[*low + (*high - *low) / 2];
    int64_t i = (int64_t)*low, j = (int64_t)*high;
    while (i <= j) {
        while (value[i] < pivot)
            i++;
        while (value[j] > pivot)
            j--;
        if (i <= j) {
            double swapped = value[i];
            value[i++] = value[j];
            value[j--] = swapped;
        }
    }
    /* up to j none is above the pivot, from i on none below it, and what lies between is like it */
    if ((int64_t)rank <= j)
        *high = (uint64_t)j;
    else if ((int64_t)rank >= i)
        *low = (uint64_t)i;
    else
        *low = *high = rank;
}

/* What sorting would put at `rank`; sorts what is left if the values lie so that parting them
 * hardly helps. */
static double value_at(double *value, uint64_t count, uint64_t rank) {
    enum { ROUNDS = 100 };
    uint64_t low = 0, high = count - 1;
    for (int round = 0; low < high && round < ROUNDS; round++)
        part(value, rank, &low, &high);
    if (low < high)
        qsort(value + low, high - low + 1, sizeof *value, compare_double);
    return value[rank];
}

double lp_rank(double *value, uint64_t count, uint64_t percent) {
    if (count == 0)
        return (double)NAN;
    uint64_t rank = (count * percent + 99) / 100;
    return value_at(value, count, rank < 1 ? 0 : rank - 1);
}
