package dev.inboxd.base.http;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;

/** Security headers of every answer. A handler's own header of the same name wins. */
final class SecurityHeaders {
    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField NO_SNIFF = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
    private static final HttpField NO_REFERRER = new PreEncodedHttpField("Referrer-Policy", "no-referrer");
    /**
     * For every answer that is no page of this server: it loads nothing, runs nothing and is not framed, whatever a
     * browser takes it for.
     */
    private static final HttpField NO_PAGE =
            new PreEncodedHttpField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    /** RFC 6797 §6.1: for a year, browsers use TLS alone. §7.2: the header is sent over TLS alone. */
    private static final HttpField TLS_ALONE = new PreEncodedHttpField("Strict-Transport-Security", "max-age=31536000");

    private SecurityHeaders() {}

    static void put(HttpFields.Mutable headers, String path, boolean secure) {
        headers.put(NO_SNIFF);
        headers.put(NO_REFERRER);
        headers.put(NO_PAGE);
        if (path.startsWith("/v0") || path.startsWith("/console")) {
            headers.put(NO_STORE);
        }
        if (secure) {
            headers.put(TLS_ALONE);
        }
    }
}
