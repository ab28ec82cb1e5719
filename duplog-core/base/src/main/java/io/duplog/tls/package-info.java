/**
 * Sets up TLS for all connections: reads the trusted CAs and this process's certificate from PEM
 * files that may be replaced at any time, and describes why a connection failed.
 *
 * <p>A section of the configuration ({@link io.duplog.tls.TlsConfig}, or {@link
 * io.duplog.tls.ServerTlsConfig} if this process is the server) makes one {@link
 * io.duplog.tls.Tls}, which every connection of the hop uses.
 */
package io.duplog.tls;
