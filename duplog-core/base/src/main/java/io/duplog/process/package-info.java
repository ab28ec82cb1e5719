/**
 * The program as a process of its host: its signals, limits and log, and its reports to systemd.
 */
package io.duplog.process;
