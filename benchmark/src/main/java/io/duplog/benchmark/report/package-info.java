/** Results of runs, as text, Markdown, JSON and pictures. */
package io.duplog.benchmark.report;
