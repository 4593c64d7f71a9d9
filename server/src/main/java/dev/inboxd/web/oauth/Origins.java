package dev.inboxd.web.oauth;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import java.net.URI;

/** Keeps calls that carry a cookie, or use up a link, to the pages of this service. */
public final class Origins {
    private Origins() {}

    /** The origin of a URL (RFC 6454 §6.2). */
    public static String of(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    /**
     * Refuses a request of a page of another origin. A program sends no Origin.
     *
     * @throws Problem {@code forbidden}
     */
    public static void requireOwn(Request request, URI issuer) {
        String origin = request.header("Origin");
        if (origin != null && !origin.equals(of(issuer))) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A page of another origin may not call this",
                    "Call it from a page of " + of(issuer) + ", or from a program that sends no Origin.");
        }
    }
}
