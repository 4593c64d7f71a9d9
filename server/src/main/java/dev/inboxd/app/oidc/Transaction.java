package dev.inboxd.app.oidc;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of an authorization, from the browser's arrival to the code (apps.md §5).
 *
 * @param jti its name, which is also the auth_token that agents are given
 * @param failures approvals that failed
 * @param binding the inbox that it is bound to, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Transaction(
        String jti,
        byte[] cookieDigest,
        Status status,
        int failures,
        AppRequest request,
        @Nullable Binding binding,
        byte @Nullable [] consentDigest,
        Instant expiresAt) {
    /** How far it is. */
    enum Status {
        WAITING,
        ENROLL,
        APPROVED,
        DISCLOSURE,
        DONE,
        DENIED;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What the app asked for. */
    record AppRequest(
            UUID app,
            String redirectUri,
            AuthorizationRequest.Echo echo,
            List<String> scopes,
            @Nullable String codeChallenge,
            boolean isConsentDue,
            @Nullable String loginHint) {}

    /**
     * The inbox that signs in.
     *
     * @param key the sign-in key that is to be made, then the key that approved
     * @param bearer the key that bound it; null when an approval came by itself
     * @param granted the scopes of the approval; empty before
     * @param approvedAt null before the approval
     */
    record Binding(
            UUID organization,
            UUID inbox,
            UUID key,
            @Nullable UUID bearer,
            List<String> granted,
            @Nullable Instant approvedAt) {}
}
