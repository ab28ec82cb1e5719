/** The program {@code duplog}: {@link io.duplog.cli.Main}, and a class for each command. */
@NullMarked
package io.duplog.cli;

import org.jspecify.annotations.NullMarked;
