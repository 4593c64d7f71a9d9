package dev.inboxd.base.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;

/**
 * The header fields by which a proxy, a tunnel or a content network shows itself. A request of theirs comes from this
 * machine when they run on it, but its sender may be anywhere.
 */
public final class ProxyFields {
    /** RFC 9110 §7.6.3, RFC 7239, RFC 8586, RFC 9440, and what well-known proxies add under names of their own. */
    private static final Set<String> NAMES = Set.of(
            "via",
            "forwarded",
            "cdn-loop",
            "client-cert",
            "client-ip",
            "true-client-ip",
            "proxy-connection",
            "x-real-ip",
            "x-client-ip",
            "x-cluster-client-ip",
            "x-proxyuser-ip",
            "x-appengine-user-ip",
            "x-remote-ip",
            "x-remote-addr",
            "x-scheme",
            "x-url-scheme",
            "x-amzn-trace-id",
            "x-amz-cf-id",
            "x-cloud-trace-context",
            "ngrok-trace-id");

    private static final List<String> PREFIXES = List.of(
            "x-forwarded",
            "x-original-",
            "x-envoy-",
            "x-azure-",
            "x-arr-",
            "x-vercel-",
            "x-tunnel-",
            "cf-",
            "fastly-",
            "fly-",
            "tailscale-",
            "x-ts-",
            "x-github-");

    private ProxyFields() {}

    /** Whether a proxy has passed the request on, trusted or not, as far as its header tells. */
    public static boolean areIn(Request request) {
        return request.source().isForwarded();
    }

    /** Whether one of them is there, or the request is of HTTP/1.0, which proxies speak and browsers do not. */
    static boolean areIn(HttpFields fields, HttpVersion version) {
        return version.getVersion() < HttpVersion.HTTP_1_1.getVersion()
                || fields.stream().map(HttpField::getName).anyMatch(ProxyFields::isOne);
    }

    private static boolean isOne(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NAMES.contains(lower) || PREFIXES.stream().anyMatch(lower::startsWith);
    }
}
