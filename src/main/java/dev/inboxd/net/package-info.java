/**
 * Access to other hosts: DNS lookups ({@link dev.inboxd.net.Dns}), the policy for addresses ({@link
 * dev.inboxd.net.AddressPolicy}) and the one outgoing HTTP client ({@link dev.inboxd.net.SafeHttp}).
 *
 * <p>All requests to a URL of a user go through {@code SafeHttp}; nothing else in inboxd makes HTTP requests.
 * Standards: RFC 9110 and 9112 (HTTP), RFC 3986 (URLs), RFC 1034 and 1035 (DNS), RFC 5321 §5 and RFC 7505 (MX), RFC
 * 6890 and the IANA registries behind it (special-purpose addresses).
 */
@NullMarked
package dev.inboxd.net;

import org.jspecify.annotations.NullMarked;
