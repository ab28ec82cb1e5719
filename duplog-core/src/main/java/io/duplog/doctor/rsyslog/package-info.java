/**
 * What rsyslog's configuration says, and whether the shim can live with it. {@code RainerScript}
 * reads one file, {@code RsyslogReader} those that it includes too; each {@code ActionRule} judges
 * one thing about the action that starts the shim.
 */
@NullMarked
package io.duplog.doctor.rsyslog;

import org.jspecify.annotations.NullMarked;
