package dev.inboxd.net;

import org.jspecify.annotations.Nullable;

/**
 * An http or https URL in the normal form of the WHATWG URL Standard, which is what browsers and Node ask for: UTF-8
 * percent-encoded, international names as A-labels, numeric hosts as addresses, dot segments removed. The normal form
 * of a normal form is itself, so a URL is never encoded twice.
 *
 * @param scheme {@code http} or {@code https}
 * @param host a name or an address
 * @param port the TCP port, the scheme's usual one included
 * @param path begins with a slash
 * @param query without its question mark; null without a query
 */
record HttpUrl(
        String scheme,
        Host host,
        int port,
        String path,
        @Nullable String query) {
    /** The usual port of a scheme. */
    static int usualPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    /** Scheme, host and any unusual port. */
    String origin() {
        return scheme + "://" + host.text() + (port == usualPort(scheme) ? "" : ":" + port);
    }

    /** What a request asks the host for (RFC 9112 §3.2.1). */
    String requestTarget() {
        return query == null ? path : path + "?" + query;
    }

    @Override
    public String toString() {
        return origin() + requestTarget();
    }
}
