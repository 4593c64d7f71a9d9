package dev.inboxd.web.oauth;

import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;

/** An error of the token endpoint (RFC 6749 §5.2). */
public final class OAuthError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String error;

    /** An error with its code on the wire and a sentence for the developer of the client. */
    public OAuthError(int status, String error, String description) {
        super(description, null, false, false);
        this.status = status;
        this.error = error;
    }

    /** The code, or what belongs to it, is wrong. */
    public static OAuthError invalidGrant(String description) {
        return new OAuthError(400, "invalid_grant", description);
    }

    /** The request has a parameter too few, too many, or a wrong one. */
    public static OAuthError invalidRequest(String description) {
        return new OAuthError(400, "invalid_request", description);
    }

    /** Which half of the credentials is wrong is not told. */
    public static OAuthError invalidClient() {
        return new OAuthError(401, "invalid_client", "The client is unknown, or did not authenticate as registered");
    }

    /** The answer in the form of RFC 6749, which nobody keeps. */
    public Response answer() {
        Response answer = Response.of(status, JsonObject.of("error", error).with("error_description", getMessage()))
                .header("Cache-Control", "no-store")
                .header("Pragma", "no-cache");
        return status == 401 ? answer.header("WWW-Authenticate", "Basic realm=\"inboxd\"") : answer;
    }
}
