#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints engine/base/powers.h: powers of ten to 126 bits, rounded up, by exact arithmetic."""

FIRST, LAST = -292, 324


def power(k):
    """The smallest integer above 10^k 2^-r with 2^125 <= it <= 2^126."""
    if k >= 0:
        number = 10 ** k
        shift = number.bit_length() - 126
        return (number >> shift if shift >= 0 else number << -shift) + 1
    divisor = 10 ** -k
    shift = divisor.bit_length() + 126
    quotient = (1 << shift) // divisor
    return (quotient >> (quotient.bit_length() - 126)) + 1


print("""/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers of ten as integers of 126 bits, written by tests/golden/powers_of_ten.py: for each
 * exponent k from LP_POWER_FIRST on the smallest above 10^k 2^-r that has as many, for the one r
 * with which it has. X(upper 63 bits, lower 63 bits) */
#ifndef LP_BASE_POWERS_H
#define LP_BASE_POWERS_H

enum { LP_POWER_FIRST = %d, LP_POWER_LAST = %d };

/* clang-format off */
#define LP_POWER_TABLE(X) \\""" % (FIRST, LAST))
lines, row = [], []
for k in range(FIRST, LAST + 1):
    value = power(k)
    assert 1 << 125 <= value <= 1 << 126
    row.append("X(0x%016x, 0x%016x)" % (value >> 63, value & ((1 << 63) - 1)))
    if len(row) == 2 or k == LAST:
        lines.append("    " + " ".join(row))
        row = []
print(" \\\n".join(lines))
print("""/* clang-format on */

#endif""")
