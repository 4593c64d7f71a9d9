/**
 * Reaching other hosts: names to addresses ({@link dev.inboxd.net.Dns}), which addresses may be reached ({@link
 * dev.inboxd.net.AddressPolicy}) and the one outgoing HTTP client ({@link dev.inboxd.net.SafeHttp}).
 *
 * <p>Every fetch of, or post to, a URL that a user gave goes through {@code SafeHttp}; nothing else in inboxd speaks
 * HTTP to the outside. Standards: RFC 9110 and 9112 (HTTP), RFC 3986 (URLs), RFC 1034 and 1035 (DNS), RFC 5321 §5 and
 * RFC 7505 (MX), RFC 6890 and the IANA registries behind it (special-purpose addresses).
 */
@NullMarked
package dev.inboxd.net;

import org.jspecify.annotations.NullMarked;
