/** Sends the merged stream to another syslog server, over TCP or TLS. */
package io.duplog.deliver.syslogout;
