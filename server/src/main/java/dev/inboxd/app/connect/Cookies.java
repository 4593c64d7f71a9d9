package dev.inboxd.app.connect;

import dev.inboxd.base.http.Request;
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
     * A cookie.
     *
     * @param path below the public URL
     * @param sameSite {@code Lax} or {@code Strict}
     * @param life zero to forget it
     */
    public record Cookie(String name, String path, String sameSite, Duration life) {
        /** The same cookie, to be forgotten. */
        public Cookie over() {
            return lasting(Duration.ZERO);
        }

        /** The same cookie, to be kept for another time. */
        public Cookie lasting(Duration time) {
            return new Cookie(name, path, sameSite, time);
        }
    }

    /** A header {@code Set-Cookie}. */
    public String set(Cookie cookie, String value) {
        String base = issuer.getPath() == null || issuer.getPath().equals("/") ? "" : issuer.getPath();
        return cookie.name + "=" + value + "; Path=" + base + cookie.path + "; Max-Age=" + cookie.life.toSeconds()
                + "; HttpOnly; SameSite=" + cookie.sameSite + ("https".equals(issuer.getScheme()) ? "; Secure" : "");
    }
}
