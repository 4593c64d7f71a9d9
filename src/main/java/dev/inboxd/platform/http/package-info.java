/**
 * HTTP/1.1 and HTTP/2 (RFC 9110, RFC 9112, RFC 9113) for the features: a table of routes that each name their
 * permission, a request that reports all its faults at once, and one JSON form of every error, protocol errors
 * included. Only this package imports Jetty's server. Features mount handlers; only the server's modules start a
 * server.
 */
@NullMarked
package dev.inboxd.platform.http;

import org.jspecify.annotations.NullMarked;
