/**
 * The program as a process of its host: signals, limits, the start and the state that systemd is
 * told, and the program's own log.
 */
package io.duplog.process;
