/**
 * The status page: its files, the documents that it links to, and the series that it draws. The
 * state document that it shows is made in {@code io.duplog.status}.
 */
package io.duplog.status.page;
