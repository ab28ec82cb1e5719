/**
 * Reads one YAML file into records, strictly.
 *
 * <p>A program's configuration is a record. Every component has a {@link io.duplog.config.Key} with
 * its default and its documentation. A key, its default, its unit and its meaning are therefore
 * defined in a single place. {@link io.duplog.config.ConfigLoader} reads a file into such a record,
 * {@link io.duplog.config.Reference} prints the documentation.
 *
 * <p>Depends on no other package.
 */
package io.duplog.config;
