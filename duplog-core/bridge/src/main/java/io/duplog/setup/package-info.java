/**
 * What {@code duplog init} writes: for each host of a deployment, a folder with its files and a
 * script that installs them. {@link io.duplog.setup.HostFolders} is the entrance.
 */
package io.duplog.setup;
