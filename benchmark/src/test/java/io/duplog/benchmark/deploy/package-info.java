/** Tests an installation with Debian's own tools on a container host with systemd. */
package io.duplog.benchmark.deploy;
