/**
 * HTTP/1.1 (RFC 9110, RFC 9112) and HTTP/2 (RFC 9113) for the features: a table of routes that each name their
 * permission, a request that is read with all its faults at once, and one form for every refusal, protocol errors
 * included. The only package that imports Jetty's server. Features mount handlers; {@code server} starts it.
 */
@NullMarked
package dev.inboxd.base.http;

import org.jspecify.annotations.NullMarked;
