/**
 * Finds a message's metadata. {@link io.duplog.deliver.route.Router} finds the index, the
 * sourcetype and the rest by the rules of the configuration, from what {@link
 * io.duplog.deliver.syslog.SyslogHeader} reads. Any sink that has a place for such metadata can use
 * it.
 */
package io.duplog.deliver.route;
