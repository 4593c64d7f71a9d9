package dev.inboxd.web.oauth;

import org.jspecify.annotations.Nullable;

/** An error that the app is told in the browser's redirect (RFC 6749 §4.1.2.1, OpenID Connect Core 1.0 §3.1.2.6). */
public final class RedirectError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String error;
    private final String redirectUri;
    private final @Nullable String state;

    /** An error with its code, and the state that comes back with it. */
    public RedirectError(String error, String description, String redirectUri, @Nullable String state) {
        super(description, null, false, false);
        this.error = error;
        this.redirectUri = redirectUri;
        this.state = state;
    }

    /** The address that the app wants the error at. */
    public String redirectUri() {
        return redirectUri;
    }

    /** Where the browser is sent. */
    public String location(String issuer) {
        return new Redirect(redirectUri)
                .with("error", error)
                .with("error_description", getMessage())
                .with("state", state)
                .with("iss", issuer)
                .toString();
    }
}
