/**
 * TLS, for every hop alike: which CAs to trust and which certificate to show, from PEM files that
 * may be replaced at any time, and words for connections that failed.
 *
 * <p>A section of the configuration ({@link io.duplog.tls.TlsConfig}, or {@link
 * io.duplog.tls.ServerTlsConfig} if this process is the server) makes one {@link
 * io.duplog.tls.Tls}, which every connection of the hop uses.
 */
package io.duplog.tls;
