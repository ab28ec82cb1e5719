/**
 * What rsyslog's configuration says, and whether the shim can live with it. {@code RainerScript}
 * reads the text of one file, {@code RsyslogConfig} all that belong together; {@code ActionRules},
 * {@code QueueRules}, {@code InputRules} and {@code TemplateRule} judge what is said.
 */
@NullMarked
package io.duplog.doctor.rsyslog;

import org.jspecify.annotations.NullMarked;
