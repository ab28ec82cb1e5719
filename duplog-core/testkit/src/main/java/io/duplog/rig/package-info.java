/**
 * Starts servers for all tests and benchmarks: as processes of this machine, on private ports of
 * the loopback interface, in one folder that holds all that they write.
 *
 * <pre>
 *  user of this package                    what the user makes of it
 *
 *  benchmark: chaos, demo, soak, ...   →   benchmark.lab: Lab, a whole Duplog of a LabPlan
 *  benchmark: parts, growth            →   benchmark.part: LoneRedis     ┐
 *  tests of core, ingest, benchmark    →   parts: RabbitMq, Redis        ┴ each a LoneServer
 *        │
 *        ▼
 *  Servers   stages in their order, each started when the one before it is ready; all stopped in
 *     │      the opposite order, or killed by a Watchdog if this program is killed
 *     ▼
 *  Server    a process: started, ready, signalled, ended with its children, its log
 *     │      RabbitMqProcess and RedisProcess configure a server, and ask it questions
 *     ▼
 *  LabDirectory, Ports, Programs, Probe, Command: folders, ports, programs, readiness
 * </pre>
 *
 * <p>If a host is the subject of a test, and not a server on it, the test starts containers: those
 * in {@code parts} are for what the pages of {@code docs} change in {@code /etc}, those in the
 * benchmark's {@code deploy} for installed packages.
 */
package io.duplog.rig;
