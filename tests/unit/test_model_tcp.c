/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TCP throughput by Mathis and by Padhye: values worked out by hand, bounds, and directions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "model/network/tcp.h"

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

static void mathis(void **state) {
    (void)state;
    LpTcpPath path = lp_tcp_path(0.1);
    path.segment = 1000;
    path.loss = 0.015; /* sqrt(1.5 / 0.015) = 10 segments per round trip */
    near(lp_tcp_throughput(LP_TCP_MATHIS, &path), 100e3);
    path.acked = 4;
    near(lp_tcp_throughput(LP_TCP_MATHIS, &path), 50e3);
}

static void padhye(void **state) {
    (void)state;
    LpTcpPath path = lp_tcp_path(0.1);
    path.segment = 1000;
    path.loss = 0.015; /* sqrt(2p/3) = 0.1, 3 sqrt(3p/8) = 0.225 */
    near(lp_tcp_throughput(LP_TCP_PADHYE, &path),
         1000 / (0.1 * 0.1 + 0.225 * 0.015 * (1 + 32 * 0.015 * 0.015)));
    path.loss = 0.5; /* more than one timeout per loss is never charged */
    near(lp_tcp_throughput(LP_TCP_PADHYE, &path), 1000 / (0.1 * sqrt(1.0 / 3) + 0.5 * 9));
}

static void bounds(void **state) {
    (void)state;
    LpTcpPath path = lp_tcp_path(0.01);
    assert_true(isinf(lp_tcp_throughput(LP_TCP_MATHIS, &path)));
    path.window = 65535;
    near(lp_tcp_throughput(LP_TCP_PADHYE, &path), 6553500);
    path.capacity = 1e6;
    assert_true(lp_tcp_throughput(LP_TCP_MATHIS, &path) == 1e6);
}

/* More loss or more delay never helps, and timeouts only cost. */
static void directions(void **state) {
    (void)state;
    for (int m = 0; m < LP_TCP_COUNT; m++)
        for (int i = 1; i < 50; i++) {
            LpTcpPath a = lp_tcp_path(0.001 * i), b = a;
            a.loss = b.loss = 0.0005 * i;
            b.loss += 0.0005;
            double slow = lp_tcp_throughput((LpTcpModel)m, &b);
            assert_true(slow < lp_tcp_throughput((LpTcpModel)m, &a));
            b = a;
            b.round_trip *= 2;
            assert_true(lp_tcp_throughput((LpTcpModel)m, &b) <
                        lp_tcp_throughput((LpTcpModel)m, &a));
            assert_true(lp_tcp_throughput(LP_TCP_PADHYE, &a) <
                        lp_tcp_throughput(LP_TCP_MATHIS, &a));
        }
}

TEST_GROUP(test_model_tcp) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mathis),
        cmocka_unit_test(padhye),
        cmocka_unit_test(bounds),
        cmocka_unit_test(directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
