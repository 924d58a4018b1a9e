# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f table.awk TABLE PAGE: the Markdown PAGE with what stands between the lines
# `<!-- table -->` and `<!-- end of table -->` replaced by TABLE, which the program prints.
FNR == NR { table = table $0 "\n"; next }
/^<!-- end of table -->$/ { skipping = 0 }
!skipping { print }
/^<!-- table -->$/ { printf "\n%s\n", table; skipping = 1 }
