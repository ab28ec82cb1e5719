/** The program {@code duplog}: {@link io.duplog.cli.Main}, and a class for each command. */
package io.duplog.cli;
