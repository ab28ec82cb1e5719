/** The command {@code duplog route}, which tests routing rules with messages and samples. */
package io.duplog.cli.route;
