package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import java.net.InetAddress;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The token that opens the operator's interface, on this machine and, over TLS, from others. */
public final class AdminToken {
    private static final String REMEDY =
            "Send the header \"Authorization: Bearer <token>\" with the value of INBOXD_ADMIN_TOKEN.";

    private final byte[] digest;

    /** The token with this value. */
    public AdminToken(String value) {
        this.digest = Digests.sha256(value);
    }

    /**
     * The handler, for requests that carry the token alone; others are answered 401. What another machine sends in
     * clear text is answered 403, whatever it carries: somebody may have read it.
     */
    public Handler before(Handler handler) {
        return request -> {
            requireSecrecy(request);
            require(request.header("Authorization"));
            return handler.handle(request);
        };
    }

    private static void requireSecrecy(Request request) {
        if (!request.isSecure()
                && !InetAddress.ofLiteral(request.remoteAddress()).isLoopbackAddress()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "From another machine the operator's interface is called over HTTPS only",
                    "Set INBOXD_HTTP_TLS=on, or call it through a proxy that speaks TLS and is named in"
                            + " INBOXD_TRUSTED_PROXIES. Replace INBOXD_ADMIN_TOKEN if it was sent.");
        }
    }

    private void require(@Nullable String header) {
        String token;
        try {
            token = BearerHeader.key(header);
        } catch (Problem missing) {
            throw missing.withFix(REMEDY);
        }
        // Digests have one length, so that the comparison takes one time whatever was sent.
        if (!MessageDigest.isEqual(digest, Digests.sha256(token))) {
            throw Problem.of(ErrorCode.UNAUTHORIZED, "The admin token is wrong", REMEDY);
        }
    }
}
