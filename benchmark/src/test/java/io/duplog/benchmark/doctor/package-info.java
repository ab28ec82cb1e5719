/** The doctor beside what it looks at: the shim's own settings, and a whole installation. */
package io.duplog.benchmark.doctor;
