/**
 * What a message says about itself, and what becomes of that: {@link
 * io.duplog.deliver.route.SyslogHeader} reads time, host and program out of RFC 5424 and RFC 3164
 * with its dialects, {@link io.duplog.deliver.route.Router} finds the index, the sourcetype and the
 * rest by the rules of the configuration. For any sink that has a place for such metadata.
 */
@NullMarked
package io.duplog.deliver.route;

import org.jspecify.annotations.NullMarked;
