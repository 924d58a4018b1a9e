/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of one TCP connection from loss and delay, by two named models. Only + - * / and sqrt:
 * the same bits everywhere. */
#ifndef LP_MODEL_NETWORK_TCP_H
#define LP_MODEL_NETWORK_TCP_H

typedef enum LpTcpModel {
    LP_TCP_MATHIS, /* Mathis, Semke, Mahdavi, Ott, Comput. Commun. Rev. 27(3) (1997) 67-82 */
    LP_TCP_PADHYE, /* Padhye, Firoiu, Towsley, Kurose, SIGCOMM 1998, equation 33 */
    LP_TCP_COUNT
} LpTcpModel;

typedef struct LpTcpPath {
    double loss;       /* probability that a segment is lost, 0 .. 1 */
    double round_trip; /* s, > 0 */
    double segment;    /* bytes, > 0 */
    double capacity;   /* bytes/s of the path, INFINITY: none stated */
    double window;     /* bytes, largest window; INFINITY: none stated */
    double timeout;    /* s, Padhye: first retransmission timeout */
    double acked;      /* segments per acknowledgement, >= 1: 2 with delayed ones */
} LpTcpPath;

/* Defaults: no loss, segment 1460 bytes, no capacity or window stated, timeout 1 s (RFC 6298),
 * acked 1. */
LpTcpPath lp_tcp_path(double round_trip);

/* Bytes/s: the least of capacity, window / round_trip, and
 * - Mathis: segment / round_trip * sqrt(3 / 2) / sqrt(acked * loss), periodic loss;
 * - Padhye: segment / (round_trip * sqrt(2 b p / 3) + timeout * min(1, 3 sqrt(3 b p / 8)) * p *
 *   (1 + 32 p^2)), p = loss, b = acked.
 * INFINITY when nothing bounds it. */
double lp_tcp_throughput(LpTcpModel model, const LpTcpPath *path);

#endif
