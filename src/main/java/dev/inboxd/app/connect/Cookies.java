package dev.inboxd.app.connect;

import dev.inboxd.platform.http.Request;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Cookies that tell a browser again for a few minutes (RFC 6265). No route that takes an API key reads one.
 *
 * @param issuer the public URL: cookies of a service behind HTTPS are sent over HTTPS alone
 */
public record Cookies(URI issuer) {
    /** The value of a cookie, or null. */
    public static @Nullable String read(Request request, String name) {
        String header = request.header("Cookie");
        if (header == null) {
            return null;
        }
        for (String pair : header.split(";", -1)) {
            String cookie = pair.strip();
            if (cookie.startsWith(name + "=")) {
                return cookie.substring(name.length() + 1);
            }
        }
        return null;
    }

    /**
     * A header {@code Set-Cookie}.
     *
     * @param path below the public URL
     * @param sameSite {@code Lax} or {@code Strict}
     * @param life zero to forget the cookie
     */
    public String set(String name, String value, String path, String sameSite, Duration life) {
        String base = issuer.getPath() == null || issuer.getPath().equals("/") ? "" : issuer.getPath();
        return name + "=" + value + "; Path=" + base + path + "; Max-Age=" + life.toSeconds() + "; HttpOnly; SameSite="
                + sameSite + ("https".equals(issuer.getScheme()) ? "; Secure" : "");
    }
}
