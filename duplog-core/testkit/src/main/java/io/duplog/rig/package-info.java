/**
 * Starts servers for all tests and benchmarks, as processes of this machine on private ports of the
 * loopback interface. One folder contains all their files.
 *
 * <pre>
 *  user of this package                    what it builds with this package
 *
 *  benchmark: chaos, demo, soak, ...   →   benchmark.lab: Lab, a complete Duplog of a LabPlan
 *  benchmark: parts, growth            →   benchmark.part: LoneRedis     ┐
 *  tests of core, ingest, benchmark    →   parts: RabbitMq, Redis        ┴ each a LoneServer
 *        │
 *        ▼
 *  Servers   stages in order, each started when the previous one is ready; all stopped in
 *     │      the opposite order, or killed by a Watchdog if this program is killed
 *     ▼
 *  Server    a process: started, ready, signalled, ended with its children, its log
 *     │      RabbitMqProcess and RedisProcess configure a server, and query it
 *     ▼
 *  LabDirectory, Ports, Programs, Probe, Command: folders, ports, programs, readiness
 * </pre>
 *
 * <p>If a test is about a host, and not about a server on it, the test starts containers. The
 * containers of {@code parts} are for changes in {@code /etc} by the pages of {@code docs}, and
 * those of the benchmark's {@code deploy} for installed packages.
 */
package io.duplog.rig;
