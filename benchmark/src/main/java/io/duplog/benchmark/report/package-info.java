/** Results of runs, as text, Markdown, JSON and pictures. */
@NullMarked
package io.duplog.benchmark.report;

import org.jspecify.annotations.NullMarked;
