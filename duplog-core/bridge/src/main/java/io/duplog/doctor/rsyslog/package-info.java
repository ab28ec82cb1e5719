/**
 * Reads rsyslog's configuration and judges whether it suits the shim. {@code RainerScript} reads
 * the text of one file, {@code RsyslogConfig} all files that belong together; {@code ActionRules},
 * {@code QueueRules}, {@code InputRules} and {@code TemplateRule} judge what they say, and {@code
 * HecRules} a collector that sends by omhttp.
 */
package io.duplog.doctor.rsyslog;
