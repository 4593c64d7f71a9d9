package dev.inboxd.base.http;

import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets web pages call the API (identity.md §4.3). A key travels in a header and never in a cookie, so every origin may
 * call, unless the operator sets a list of origins. Credentials that a browser adds by itself are never requested.
 */
final class Cors extends Handler.Wrapper {
    /**
     * Request attribute: the request comes from a page of an origin that may not call. Browsers leave it to the server
     * to refuse a WebSocket.
     */
    static final String FOREIGN = Cors.class.getName();

    private static final String ANY = "*";
    /** Feeds of calendars: their links are their keys, and pages of anybody show them. */
    private static final String FEEDS = "/calendar-feeds/";

    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final String HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, X-Api-Key,"
            + " X-Fern-Language, X-Fern-SDK-Name, X-Fern-SDK-Version, X-Fern-Runtime, X-Fern-Runtime-Version,"
            + " Mcp-Session-Id, Mcp-Protocol-Version";
    private static final String EXPOSED =
            "X-Request-Id, Retry-After, WWW-Authenticate, ETag, Last-Modified, X-RateLimit-Limit,"
                    + " X-RateLimit-Remaining, X-RateLimit-Reset, Accept-Ranges, Content-Disposition, Content-Length,"
                    + " Content-Range, PAYMENT-REQUIRED, PAYMENT-RESPONSE, Payment-Receipt";
    private static final int LONGEST_NAMES = 4_096;
    private static final String A_DAY = "86400";

    private final Set<String> origins;

    /** @param origins origins that may call; empty for any */
    Cors(Set<String> origins, Handler handler) {
        super(handler);
        this.origins = Set.copyOf(origins);
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        String path = in.getHttpURI().getPath();
        if (path == null || !isOpen(path)) {
            return super.handle(in, out, callback);
        }
        String origin = in.getHeaders().get("Origin");
        boolean isAnyone = origins.isEmpty() || path.startsWith(FEEDS);
        String allowed = isAnyone ? ANY : origin != null && origins.contains(origin) ? origin : null;
        if (origin != null && allowed == null) {
            in.setAttribute(FOREIGN, origin);
        }
        HttpFields.Mutable headers = out.getHeaders();
        if (!isAnyone) {
            headers.put("Vary", "Origin");
        }
        if (isPreflight(in, origin)) {
            out.setStatus(204);
            allow(headers, allowed, in.getHeaders().get("Access-Control-Request-Headers"));
            callback.succeeded();
            return true;
        }
        if (allowed != null) {
            headers.put("Access-Control-Allow-Origin", allowed);
            headers.put("Access-Control-Expose-Headers", EXPOSED);
        }
        return super.handle(in, out, callback);
    }

    /** Whether a value is nothing but names of fields (RFC 9110 §5.1) and commas. */
    private static boolean isNames(String value) {
        return value.length() <= LONGEST_NAMES
                && value.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '-'
                                || c == '_'
                                || c == ','
                                || c == ' ');
    }

    /** Whether the path takes a key in a header, or is public. Paths that use cookies are closed to other origins. */
    private static boolean isOpen(String path) {
        return path.startsWith("/v0/")
                ? !path.startsWith("/v0/authorize") && !path.startsWith("/v0/sign-in")
                : path.equals("/v0")
                        || path.startsWith("/download/")
                        || path.startsWith(FEEDS)
                        || path.startsWith("/api/v1/app/")
                        || path.equals("/mcp")
                        || path.startsWith("/mcp/")
                        || path.equals("/.well-known/openid-configuration")
                        || path.equals("/.well-known/oauth-authorization-server")
                        // What programs in a browser need to sign in at /mcp; none of it takes a cookie.
                        || path.equals("/.well-known/oauth-authorization-server/console")
                        || path.equals("/.well-known/oauth-protected-resource")
                        || path.equals("/.well-known/oauth-protected-resource/mcp")
                        || path.equals("/console/register")
                        || path.equals("/console/token");
    }

    /** Whether the request is a preflight: the browser asks before it sends a request that a form could not send. */
    private static boolean isPreflight(Request in, @Nullable String origin) {
        return in.getMethod().equals("OPTIONS")
                && origin != null
                && in.getHeaders().contains("Access-Control-Request-Method");
    }

    private static void allow(HttpFields.Mutable headers, @Nullable String allowed, @Nullable String requested) {
        if (allowed != null) {
            headers.put("Access-Control-Allow-Origin", allowed);
            headers.put("Access-Control-Allow-Methods", METHODS);
            // Client libraries add fields of their own. None of them can make a browser send a credential.
            headers.put("Access-Control-Allow-Headers", requested != null && isNames(requested) ? requested : HEADERS);
            headers.put("Access-Control-Max-Age", A_DAY);
        }
    }
}
