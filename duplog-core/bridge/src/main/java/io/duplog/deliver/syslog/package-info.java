/**
 * Reads the header of a message: priority, time, host and program, out of RFC 5424 and RFC 3164
 * with its dialects, such as Cisco's. {@link io.duplog.deliver.syslog.SyslogHeader} is the entry
 * point.
 */
package io.duplog.deliver.syslog;
