/** Writes the merged stream to standard output, for Splunk's scripted input. */
@NullMarked
package io.duplog.deliver.stdout;

import org.jspecify.annotations.NullMarked;
