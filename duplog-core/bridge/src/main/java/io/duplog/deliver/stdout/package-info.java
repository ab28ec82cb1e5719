/** Writes the merged stream to standard output, for Splunk's scripted input. */
package io.duplog.deliver.stdout;
