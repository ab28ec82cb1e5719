/**
 * Exchanges with a collector over HTTP: the connection, the proxy on the way, the addresses of a
 * name, and cookies.
 */
package io.duplog.deliver.hec.http;
