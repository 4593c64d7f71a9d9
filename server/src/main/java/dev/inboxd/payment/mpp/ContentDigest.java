package dev.inboxd.payment.mpp;

import dev.inboxd.base.id.Digests;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The digest of a body as a challenge has it (RFC 9530 §2). */
public final class ContentDigest {
    private ContentDigest() {}

    /** {@code sha-256=:…:}, or null for an empty body. */
    public static @Nullable String of(byte[] body) {
        return body.length == 0
                ? null
                : "sha-256=:"
                        + Base64.getEncoder().encodeToString(Digests.sha256().digest(body)) + ":";
    }
}
