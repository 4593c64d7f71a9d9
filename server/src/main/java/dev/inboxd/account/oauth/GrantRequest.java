package dev.inboxd.account.oauth;

import dev.inboxd.base.error.Problem;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.RedirectError;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client to be let in (RFC 6749 §4.1.1, RFC 7636, RFC 8707).
 *
 * @param redirectUri where the browser goes back to; one of the client's
 * @param state comes back as it was
 * @param challenge SHA-256 of the verifier, in base64url
 * @param requestedAccess what the client would like; the person chooses
 */
public record GrantRequest(
        OAuthClient client,
        RedirectUri redirectUri,
        @Nullable String state,
        String challenge,
        OAuthAccess requestedAccess) {
    private static final int LONGEST_STATE = 2_048;
    private static final int CHALLENGE = 43;
    /** Everything else is passed over, but for resource. */
    private static final Set<String> READ = Set.of(
            "client_id",
            "code_challenge",
            "code_challenge_method",
            "redirect_uri",
            "response_mode",
            "response_type",
            "scope",
            "state");

    /**
     * Reads a request.
     *
     * @param resource the only one for which keys are given
     * @throws Problem {@code validation_error} when the browser cannot be sent back, because nobody knows to whom
     * @throws RedirectError for every other fault
     */
    static GrantRequest read(OAuthParameters parameters, OAuthClients clients, String resource) {
        List<String> repeated = parameters.repeated(READ);
        if (!repeated.isEmpty()) {
            throw Problem.invalid(repeated.getFirst(), "A parameter must not stand twice");
        }
        OAuthClient client = clients.client(parameters.first("client_id"));
        RedirectUri redirectUri = RedirectUri.of(parameters.first("redirect_uri"));
        if (redirectUri == null || !client.mayReturnTo(redirectUri)) {
            throw Problem.invalid("redirect_uri", "redirect_uri must be exactly one that the client has registered");
        }
        return new Reader(parameters, client, redirectUri).read(resource);
    }

    /** Reads what the client is told when it is wrong. */
    private record Reader(OAuthParameters parameters, OAuthClient client, RedirectUri redirectUri) {
        GrantRequest read(String resource) {
            if (!"code".equals(parameters.first("response_type"))) {
                throw fault("unsupported_response_type", "response_type must be code");
            }
            String mode = parameters.first("response_mode");
            if (mode != null && !mode.equals("query") && !mode.equals("form_post")) {
                throw fault("invalid_request", "response_mode must be query");
            }
            // RFC 8707 §2: it may stand several times
            if (!parameters.all("resource").stream().allMatch(resource::equals)) {
                throw fault("invalid_target", "resource must be " + resource);
            }
            if (parameters.first("state") != null && state() == null) {
                throw fault("invalid_request", "state must have at most " + LONGEST_STATE + " characters");
            }
            return new GrantRequest(client, redirectUri, state(), challenge(), requestedAccess());
        }

        private @Nullable String state() {
            String state = parameters.first("state");
            return state == null || state.length() > LONGEST_STATE ? null : state;
        }

        private RedirectError fault(String error, String description) {
            return new RedirectError(error, description, redirectUri.text(), state());
        }

        private String challenge() {
            String challenge = parameters.first("code_challenge");
            if (challenge != null
                    && "S256".equals(parameters.first("code_challenge_method"))
                    && challenge.length() == CHALLENGE
                    && challenge.chars().allMatch(Reader::isBase64Url)) {
                return challenge;
            }
            throw fault(
                    "invalid_request",
                    "code_challenge must be a SHA-256 in base64url, and code_challenge_method S256 (RFC 7636)");
        }

        private static boolean isBase64Url(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        }

        /**
         * The most that it names, but never all: clients name whatever the metadata list, and what is chosen for a
         * person must be safe. Words of others are passed over (RFC 6749 §3.3).
         */
        private OAuthAccess requestedAccess() {
            String scope = parameters.first("scope");
            List<String> words = scope == null ? List.of() : List.of(scope.split(" ", -1));
            OAuthAccess most = OAuthAccess.READ;
            for (OAuthAccess access : OAuthAccess.values()) {
                most = words.contains(access.wireName()) ? access : most;
            }
            return scope == null || most == OAuthAccess.ALL ? OAuthAccess.WRITE : most;
        }
    }
}
