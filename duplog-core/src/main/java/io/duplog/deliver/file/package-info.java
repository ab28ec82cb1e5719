/** Appends the merged stream to a file, for a Universal Forwarder to monitor. */
@NullMarked
package io.duplog.deliver.file;

import org.jspecify.annotations.NullMarked;
