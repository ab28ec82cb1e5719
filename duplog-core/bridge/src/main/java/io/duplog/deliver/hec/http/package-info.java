/**
 * Exchanges with a collector over HTTP: the connection, the proxy in front, the addresses of a
 * name, and cookies.
 */
package io.duplog.deliver.hec.http;
