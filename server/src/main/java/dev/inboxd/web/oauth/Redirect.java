package dev.inboxd.web.oauth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A registered redirect_uri with parameters behind it (RFC 6749 §4.1.2). */
public final class Redirect {
    private final StringBuilder url;
    private boolean hasQuery;

    /** A redirect without parameters of its own. */
    public Redirect(String redirectUri) {
        this.url = new StringBuilder(redirectUri);
        this.hasQuery = redirectUri.indexOf('?') >= 0;
    }

    /** Adds a parameter; null adds nothing. */
    public Redirect with(String name, @Nullable String value) {
        if (value != null) {
            url.append(hasQuery ? '&' : '?').append(name).append('=').append(encoded(value));
            hasQuery = true;
        }
        return this;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
