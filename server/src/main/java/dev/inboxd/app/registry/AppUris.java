package dev.inboxd.app.registry;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Which addresses an app may have. */
final class AppUris {
    private static final int MOST_PORT = 65_535;

    private AppUris() {}

    /** What is wrong with the address of a page or a picture, or null. */
    static @Nullable String page(String text) {
        URI uri = parse(text);
        return uri != null && "https".equals(uri.getScheme()) ? null : "must be an https URL with a host";
    }

    /**
     * What is wrong with an address of the app to which browsers are sent, or null. It is compared byte by byte (RFC
     * 9700 §2.1), so it is refused unless it can be written in a Location field as it stands.
     */
    static @Nullable String destination(String text) {
        URI uri = parse(text);
        if (uri == null || !isSafe(uri)) {
            return "must be an absolute https URL, or an http URL on loopback";
        }
        if (uri.getRawFragment() != null) { // RFC 6749 §3.1.2
            return "must not have a fragment";
        }
        return text.indexOf('*') < 0 ? null : "must not have a wildcard";
    }

    private static @Nullable URI parse(String text) {
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            return null;
        }
        try {
            URI uri = new URI(text);
            return uri.getHost() == null || uri.getRawUserInfo() != null ? null : uri;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static boolean isSafe(URI uri) {
        boolean isPort = uri.getPort() == -1 || (uri.getPort() >= 1 && uri.getPort() <= MOST_PORT);
        return isPort
                && ("https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && isLoopback(uri.getHost())));
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return InetAddress.ofLiteral(literal).isLoopbackAddress();
        } catch (IllegalArgumentException name) {
            return false;
        }
    }
}
