package dev.inboxd.sending.idempotency;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.id.Digests;
import dev.inboxd.mailbox.http.MessageHttp;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/** The fingerprint by which two sends are the same request: route, path and body (mail.md §11.1). */
final class RequestFingerprint {
    /** Whoever repeats a request may hold another claim by then. */
    private static final String CLAIM = "claim_id";

    private RequestFingerprint() {}

    /**
     * The SHA-256 digest of a request.
     *
     * @param withKey whether the API key is part of the digest, as it is for sends without an Idempotency-Key
     *     (promise P5)
     */
    static byte[] of(Request request, boolean withKey) {
        MessageDigest digest = Digests.sha256();
        add(digest, request.route().template());
        add(digest, String.valueOf(request.view().inbox()));
        if (request.route().template().contains("{message_id}")) {
            add(digest, MessageHttp.name(request));
        }
        if (request.route().template().contains("{draft_id}")) {
            add(digest, request.path("draft_id").toLowerCase(Locale.ROOT));
        }
        add(digest, withKey ? request.caller().credential().id().toString() : "");
        add(digest, request.body().canonical(CLAIM));
        return digest.digest();
    }

    private static void add(MessageDigest digest, String part) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }
}
