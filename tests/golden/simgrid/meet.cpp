// SPDX-License-Identifier: GPL-3.0-or-later
// One random scenario of jobs that share the uplinks of a leaf-spine network, written for lightpath
// and simulated with SimGrid (S4U): each job is an actor that computes and sends round a ring, hop
// by hop of its own. Prints a line "JOB JCT" for each job.
//   meet NUMBER FILE alone|together
// writes FILE.json, FILE.lua and FILE.gJOB.json. The number is the seed. `alone`: one job only.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg = simgrid::s4u;

struct Draw { // xorshift64*: the same everywhere
    uint64_t s;
    explicit Draw(uint64_t seed) : s(seed * 0x9e3779b97f4a7c15u + 88172645463325252u) {
        for (int i = 0; i < 8; i++)
            next();
    }
    uint64_t next() {
        s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
        return s * 2685821657736338717u;
    }
    unsigned whole(unsigned low, unsigned high) { return low + next() % (high - low + 1); }
    double real(double low, double high) {
        return low + (high - low) * (double)(next() >> 11) / 9007199254740992.0;
    }
};

struct Net {
    unsigned leaves, spines, per_leaf;
    double server, uplink;
    unsigned servers() const { return leaves * per_leaf; }
};

struct Job {
    std::vector<unsigned> server;             // ascending: the order of the ring
    double arrival, forward[2], backward[2];  // s of both ops, before they are cut
    double bytes[2];                          // of their parameters
    unsigned ops, steps;
};

static Net draw_net(Draw &d) {
    Net n{d.whole(2, 4), d.whole(1, 2), d.whole(2, 6), 1e10, 0};
    n.uplink = 1e9 * d.whole(5, 20);
    return n;
}

static std::vector<Job> draw_jobs(Draw &d, const Net &n, unsigned most) {
    std::vector<Job> jobs;
    std::vector<unsigned> free;
    for (unsigned s = 0; s < n.servers(); s++)
        free.push_back(s);
    unsigned wanted = d.whole(2, 6);
    while (jobs.size() < wanted && jobs.size() < most && free.size() >= 2) {
        Job j;
        unsigned size = d.whole(2, free.size() < 4 ? (unsigned)free.size() : 4);
        for (unsigned i = 0; i < size; i++) {
            unsigned at = d.whole(0, (unsigned)free.size() - 1);
            j.server.push_back(free[at]);
            free.erase(free.begin() + at);
        }
        std::sort(j.server.begin(), j.server.end());
        j.ops = d.whole(1, 2);
        j.steps = d.whole(20, 200);
        j.arrival = jobs.empty() ? 0 : d.real(0, 10);
        for (unsigned o = 0; o < 2; o++) {
            j.forward[o] = size * d.real(0.01, 0.15);
            j.backward[o] = size * d.real(0.01, 0.3);
            j.bytes[o] = d.real(0.1e9, 1.5e9);
        }
        jobs.push_back(j);
    }
    std::sort(jobs.begin(), jobs.end(),
              [](const Job &a, const Job &b) { return a.arrival < b.arrival; });
    return jobs;
}

// ---- for lightpath ----

static void write_graph(const std::string &path, const Job &j) {
    FILE *f = std::fopen(path.c_str(), "w");
    std::fprintf(f, "{\"lightpath_profile\":1,\"ops\":[");
    for (unsigned o = 0; o < j.ops; o++)
        std::fprintf(f,
                     "%s{\"id\":%u,\"forward\":%.17g,\"backward\":%.17g,\"activation\":0,"
                     "\"parameters\":%.17g}",
                     o ? "," : "", o + 1, j.forward[o], j.backward[o], j.bytes[o]);
    std::fprintf(f, "],\"edges\":[%s]}\n", j.ops > 1 ? "[1,2]" : "");
    std::fclose(f);
}

static void write_policy(const std::string &path, const std::vector<Job> &jobs) {
    std::ofstream f(path);
    f << "local policy = { name = \"placed\", api = 1, doc = \"as drawn\" }\nlocal servers = {\n";
    for (size_t i = 0; i < jobs.size(); i++) {
        f << "  [" << i << "] = {";
        for (unsigned s : jobs[i].server)
            f << s << ",";
        f << "},\n";
    }
    f << "}\nfunction policy:partition(job, cluster) return #servers[job.id] end\n"
      << "function policy:place(job, cluster) return { servers = servers[job.id] } end\n"
      << "return policy\n";
}

static void write_scenario(const std::string &file, const Net &n, const std::vector<Job> &jobs) {
    FILE *f = std::fopen((file + ".json").c_str(), "w");
    std::string base = file.substr(file.rfind('/') + 1);
    std::fprintf(f,
                 "{\"lightpath\":1,\"name\":\"meet\",\"cluster\":{\"fabric\":\"packet\",\"packet\":{"
                 "\"topology\":\"leaf_spine\",\"leaves\":%u,\"spines\":%u,\"servers_per_leaf\":%u,"
                 "\"server_bandwidth\":%.17g,\"uplink_bandwidth\":%.17g,\"server_delay\":0,"
                 "\"uplink_delay\":0,\"io_latency\":0,\"ring\":\"aware\",\"collective\":\"ring\","
                 "\"sharing\":\"interleaved\"},\"server\":{\"device\":\"fast\",\"memory\":1e15}},"
                 "\"devices\":[{\"name\":\"fast\",\"fp32\":1e30,\"bandwidth\":1e30,\"memory\":1e15}],"
                 "\"graphs\":[",
                 n.leaves, n.spines, n.per_leaf, n.server, n.uplink);
    for (size_t i = 0; i < jobs.size(); i++) {
        std::string graph = base + ".g" + std::to_string(i) + ".json";
        write_graph(file + ".g" + std::to_string(i) + ".json", jobs[i]);
        std::fprintf(f, "%s{\"id\":\"g%zu\",\"file\":\"%s\",\"format\":\"lightpath\"}",
                     i ? "," : "", i, graph.c_str());
    }
    std::fprintf(f, "],\"jobs\":[");
    for (size_t i = 0; i < jobs.size(); i++)
        std::fprintf(f, "%s{\"graph\":\"g%zu\",\"arrival\":%.17g,\"steps\":%u}", i ? "," : "", i,
                     jobs[i].arrival, jobs[i].steps);
    std::fprintf(f,
                 "],\"partition\":{\"kind\":\"data\",\"max_degree\":8,\"min_op_time\":0.0001},"
                 "\"policy\":{\"script\":\"%s.lua\"}}\n",
                 base.c_str());
    std::fclose(f);
}

// ---- for SimGrid ----

static std::vector<sg::Host *> hosts;

static void build(const Net &n) {
    auto *zone = sg::create_full_zone("net");
    std::vector<sg::Link *> link;
    unsigned S = n.servers();
    for (unsigned l = 0; l < 2 * (S + n.leaves * n.spines); l++)
        link.push_back(
            zone->create_link("l" + std::to_string(l), l < 2 * S ? n.server : n.uplink)->seal());
    for (unsigned s = 0; s < S; s++)
        hosts.push_back(zone->create_host("h" + std::to_string(s), 1e9)->seal());
    for (unsigned a = 0; a < S; a++)
        for (unsigned b = 0; b < S; b++) {
            if (a == b)
                continue;
            std::vector<sg::LinkInRoute> way{sg::LinkInRoute(link[2 * a])};
            unsigned from = a / n.per_leaf, to = b / n.per_leaf, spine = b % n.spines;
            if (from != to) {
                way.emplace_back(link[2 * (S + from * n.spines + spine)]);
                way.emplace_back(link[2 * (S + to * n.spines + spine) + 1]);
            }
            way.emplace_back(link[2 * b + 1]);
            zone->add_route(hosts[a]->get_netpoint(), hosts[b]->get_netpoint(), nullptr, nullptr,
                            way, false);
        }
    zone->seal();
}

static std::vector<sg::CommPtr> all_reduce(const Job &j, double bytes) {
    std::vector<sg::CommPtr> comms;
    size_t n = j.server.size();
    for (size_t i = 0; i < n; i++)
        comms.push_back(sg::Comm::sendto_async(hosts[j.server[i]], hosts[j.server[(i + 1) % n]],
                                               (uint64_t)(2 * bytes * (n - 1) / n + 0.5)));
    return comms;
}

static void await(std::vector<sg::CommPtr> &comms) {
    for (auto &c : comms)
        c->wait();
}

static void train(size_t id, Job j) {
    double n = (double)j.server.size();
    sg::this_actor::sleep_for(j.arrival);
    double start = sg::Engine::get_clock();
    for (unsigned step = 0; step < j.steps; step++) {
        for (unsigned o = 0; o < j.ops; o++)
            sg::this_actor::sleep_for(j.forward[o] / n);
        std::vector<sg::CommPtr> comms;
        for (unsigned o = j.ops; o-- > 0;) {
            sg::this_actor::sleep_for(j.backward[o] / n);
            await(comms); // one collective at a time on a server
            comms = all_reduce(j, j.bytes[o]);
        }
        await(comms);
    }
    std::printf("%zu %.12g\n", id, sg::Engine::get_clock() - start);
}

int main(int argc, char **argv) {
    sg::Engine engine(&argc, argv);
    if (argc != 4)
        return 2;
    for (const char *set : {"network/model:CM02", "network/bandwidth-factor:1",
                            "network/latency-factor:1", "network/weight-S:0", "network/TCP-gamma:0",
                            "network/crosstraffic:0"})
        sg::Engine::set_config(set);
    Draw draw(std::strtoull(argv[1], nullptr, 10));
    Net net = draw_net(draw);
    std::vector<Job> jobs = draw_jobs(draw, net, std::string(argv[3]) == "alone" ? 1 : 6);
    write_scenario(argv[2], net, jobs);
    write_policy(std::string(argv[2]) + ".lua", jobs);
    build(net);
    for (size_t i = 0; i < jobs.size(); i++)
        sg::Actor::create("job", hosts[jobs[i].server[0]], train, i, jobs[i]);
    engine.run();
    return 0;
}
