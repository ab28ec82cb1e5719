/** The command {@code duplog route}, which tries routing rules on messages and samples. */
package io.duplog.cli.route;
