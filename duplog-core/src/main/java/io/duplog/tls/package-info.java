/**
 * TLS, for every hop alike: whom to trust and who we are, from PEM files that may be replaced at
 * any time, and the words for a connection that did not come about.
 *
 * <p>A section of the configuration ({@link io.duplog.tls.TlsConfig}, or {@link
 * io.duplog.tls.ServerTlsConfig} where we are the server) makes one {@link io.duplog.tls.Tls},
 * which every connection of its hop uses.
 */
@NullMarked
package io.duplog.tls;

import org.jspecify.annotations.NullMarked;
