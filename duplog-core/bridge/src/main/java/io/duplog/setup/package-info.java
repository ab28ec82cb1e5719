/**
 * Writes the files of {@code duplog init}: for each host of a deployment, a folder with its files
 * and an installation script. Start at {@link io.duplog.setup.HostFolders}.
 */
package io.duplog.setup;
