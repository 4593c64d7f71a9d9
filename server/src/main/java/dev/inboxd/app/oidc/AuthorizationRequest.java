package dev.inboxd.app.oidc;

import dev.inboxd.app.registry.App;
import dev.inboxd.base.error.Problem;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.RedirectError;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request of an app that an inbox signs in (RFC 6749 §4.1.1, OpenID Connect Core 1.0 §3.1.2.1).
 *
 * @param scopes what it asks for and may ask for
 * @param codeChallenge of PKCE with S256 (RFC 7636 §4.3), or null
 * @param isConsentDue whether the app wants the inbox to be asked again
 * @param loginHint an address, or null
 */
record AuthorizationRequest(
        App app,
        String redirectUri,
        Echo echo,
        List<String> scopes,
        @Nullable String codeChallenge,
        boolean isConsentDue,
        @Nullable String loginHint) {
    private static final int LONGEST = 1_024;
    private static final int CHALLENGE = 43;
    private static final int LONGEST_ADDRESS = 320;
    private static final Map<String, String> UNSUPPORTED = Map.of(
            "request", "request_not_supported",
            "request_uri", "request_uri_not_supported",
            "registration", "registration_not_supported");
    /** Everything else is passed over. */
    private static final Set<String> READ = Set.of(
            "client_id",
            "code_challenge",
            "code_challenge_method",
            "login_hint",
            "nonce",
            "prompt",
            "redirect_uri",
            "registration",
            "request",
            "request_uri",
            "response_mode",
            "response_type",
            "scope",
            "state");
    /** The second is answered by query as well (ruling 152). */
    private static final Set<String> MODES = Set.of("query", "form_post");

    private static final int MOST_PORT = 65_535;
    private static final Set<String> PROMPTS = Set.of("none", "login", "consent", "select_account");

    /** What comes back to the app as it was. */
    record Echo(@Nullable String state, @Nullable String nonce) {}

    /**
     * Whether a redirect_uri is one of the app's, byte for byte. A native app, which has no secret, may take any port
     * of its own machine (RFC 8252 §7.3).
     */
    static boolean isRegistered(App app, String redirectUri) {
        List<String> registered = app.client().redirectUris();
        return registered.contains(redirectUri)
                || (app.client().authMethod() == App.ClientAuthMethod.NONE
                        && registered.stream()
                                .anyMatch(uri -> isLoopback(uri)
                                        && isLoopback(redirectUri)
                                        && hasPort(redirectUri)
                                        && withoutPort(uri).equals(withoutPort(redirectUri))));
    }

    private static boolean isLoopback(String uri) {
        return uri.startsWith("http://127.0.0.1")
                || uri.startsWith("http://[::1]")
                || uri.startsWith("http://localhost");
    }

    /** Whether the port, if there is one, is a port. */
    private static boolean hasPort(String uri) {
        try {
            int port = new URI(uri).getPort();
            return port == -1 || (port >= 1 && port <= MOST_PORT);
        } catch (java.net.URISyntaxException malformed) {
            return false;
        }
    }

    private static String withoutPort(String uri) {
        try {
            URI parsed = new URI(uri);
            if (parsed.getRawUserInfo() != null || parsed.getHost() == null) {
                return uri;
            }
            String port = parsed.getPort() < 0 ? "" : ":" + parsed.getPort();
            int end = uri.indexOf(port, "http://".length() + parsed.getHost().length());
            return port.isEmpty() || end < 0 ? uri : uri.substring(0, end) + uri.substring(end + port.length());
        } catch (java.net.URISyntaxException malformed) {
            return uri;
        }
    }

    /**
     * Reads a request of a known app.
     *
     * @throws Problem {@code validation_error} when the browser cannot be sent back
     * @throws RedirectError for every other fault
     */
    static AuthorizationRequest read(App app, OAuthParameters parameters) {
        String redirectUri = parameters.first("redirect_uri");
        if (redirectUri == null || parameters.isRepeated("redirect_uri") || !isRegistered(app, redirectUri)) {
            throw Problem.invalid(
                    "redirect_uri",
                    "redirect_uri must be exactly one that " + app.listing().name() + " has registered");
        }
        return new Reader(app, parameters, redirectUri).read();
    }

    /** Reads what is told to the app when it is wrong. */
    private record Reader(App app, OAuthParameters parameters, String redirectUri) {
        AuthorizationRequest read() {
            List<String> repeated = parameters.repeated(READ);
            if (!repeated.isEmpty()) {
                throw fault("invalid_request", repeated.getFirst() + " must not stand twice");
            }
            UNSUPPORTED.forEach((name, error) -> {
                if (parameters.has(name)) {
                    throw fault(error, name + " is not supported");
                }
            });
            if (!"code".equals(parameters.first("response_type"))) {
                throw fault("unsupported_response_type", "response_type must be code");
            }
            String mode = parameters.first("response_mode");
            if (mode != null && !MODES.contains(mode)) {
                throw fault("invalid_request", "response_mode must be query");
            }
            Echo echo = new Echo(bounded("state"), bounded("nonce"));
            List<String> scopes = scopes();
            String challenge = challenge();
            return new AuthorizationRequest(app, redirectUri, echo, scopes, challenge, isConsentDue(), loginHint());
        }

        private @Nullable String state() {
            String state = parameters.first("state");
            return state == null || parameters.isRepeated("state") || !isShort(state) ? null : state;
        }

        private RedirectError fault(String error, String description) {
            return new RedirectError(error, description, redirectUri, state());
        }

        private static boolean isShort(String value) {
            return value.length() <= LONGEST && value.indexOf(0) < 0;
        }

        private @Nullable String bounded(String name) {
            String value = parameters.first(name);
            if (value != null && !isShort(value)) {
                throw fault("invalid_request", name + " must have at most " + LONGEST + " characters, and no U+0000");
            }
            return value;
        }

        private List<String> scopes() {
            String scope = parameters.first("scope");
            Set<String> requested =
                    new LinkedHashSet<>(scope == null ? List.of() : Arrays.asList(scope.split(" ", -1)));
            if (!requested.contains("openid")) {
                throw fault("invalid_scope", "scope must have openid");
            }
            return requested.stream()
                    .filter(name ->
                            name.equals("openid") || app.client().scopes().contains(name))
                    .toList();
        }

        private @Nullable String challenge() {
            String challenge = parameters.first("code_challenge");
            String method = parameters.first("code_challenge_method");
            if (challenge == null && method == null && !app.client().requiresPkce()) {
                return null;
            }
            boolean isValid = challenge != null
                    && "S256".equals(method)
                    && challenge.length() == CHALLENGE
                    && challenge.chars().allMatch(Reader::isBase64Url);
            if (!isValid) {
                throw fault(
                        "invalid_request",
                        "code_challenge must be a SHA-256 in base64url, and code_challenge_method S256 (RFC 7636)");
            }
            return challenge;
        }

        private static boolean isBase64Url(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        }

        /** Rulings 46 and 49. */
        private boolean isConsentDue() {
            String prompt = parameters.first("prompt");
            List<String> words = prompt == null ? List.of() : Arrays.asList(prompt.split(" ", -1));
            if (!PROMPTS.containsAll(words) || (words.contains("none") && words.size() > 1)) {
                throw fault("invalid_request", "prompt must be none, or of login, consent and select_account");
            }
            if (words.contains("none")) {
                throw fault("login_required", "Every sign-in here is approved anew, so it cannot happen silently");
            }
            return words.contains("consent");
        }

        /** Ruling 48: it preselects, and binds nobody. */
        private @Nullable String loginHint() {
            String hint = parameters.first("login_hint");
            if (hint == null) {
                return null;
            }
            boolean isAddress = hint.length() <= LONGEST_ADDRESS
                    && hint.indexOf('@') > 0
                    && hint.indexOf('@') == hint.lastIndexOf('@')
                    && hint.chars().allMatch(c -> c > ' ' && c != 0x7F);
            return isAddress ? hint.toLowerCase(Locale.ROOT) : null;
        }
    }
}
