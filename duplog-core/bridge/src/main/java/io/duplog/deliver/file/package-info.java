/** Appends the merged stream to a file, for a Universal Forwarder to monitor. */
package io.duplog.deliver.file;
