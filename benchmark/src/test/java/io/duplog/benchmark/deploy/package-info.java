/** Tests an installation: Debian's own tools on a host where systemd runs, in a container. */
package io.duplog.benchmark.deploy;
