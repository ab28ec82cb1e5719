/** Reads one YAML file into records, strictly. */
@NullMarked
package io.duplog.config;

import org.jspecify.annotations.NullMarked;
