/**
 * The one place that starts servers: as processes of this machine, on private ports of the loopback
 * interface, in one folder that holds all that they write.
 *
 * <pre>
 *  who starts servers                      what they make of this package
 *
 *  benchmark: chaos, demo, soak, ...   →   benchmark.lab: Lab, a whole Duplog of a LabPlan
 *  benchmark: parts, growth            →   benchmark.part: LoneRedis     ┐
 *  tests of core, ingest, benchmark    →   parts: RabbitMq, Redis        ┴ each a LoneServer
 *        │
 *        ▼
 *  Servers   stages in their order, each started when the one before it serves; all stopped in the
 *     │      opposite order, by a Watchdog where this program is killed
 *     ▼
 *  Server    a process: started, ready, signalled, ended with its children, its log
 *     │      RabbitMqProcess and RedisProcess say how, and what can be asked of them
 *     ▼
 *  LabDirectory, Ports, Programs, Probe, Command: folders, ports, programs, whether one serves
 * </pre>
 *
 * <p>Where a host is the subject, and not a server on it, tests start containers: what the pages of
 * {@code docs} change in {@code /etc} is in {@code parts}, too, installed packages in the
 * benchmark's {@code deploy}.
 */
@NullMarked
package io.duplog.rig;

import org.jspecify.annotations.NullMarked;
