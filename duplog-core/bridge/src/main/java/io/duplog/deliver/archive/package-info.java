/** Keeps the merged stream in compressed files that are never overwritten, with an index. */
package io.duplog.deliver.archive;
