package dev.inboxd.account.oauth;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.web.oauth.OAuthError;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.Origins;
import dev.inboxd.web.oauth.Redirect;
import dev.inboxd.web.oauth.RedirectError;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The authorization server of {@code /mcp}, and what it says of itself (RFC 8414, RFC 9728). It is another issuer than
 * the OpenID provider, which signs inboxes in at apps; this one lets programs into the service.
 */
public final class OAuthServer {
    private static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);
    private static final String FIVE_MINUTES = "max-age=300";
    private static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

    /** Everything else is passed over, but for resource. */
    private static final Set<String> READ = Set.of("client_id", "code", "code_verifier", "grant_type", "redirect_uri");

    private final String base;
    private final OAuthClients clients;
    private final OAuthGrants grants;
    private final SignInLimits limits;

    /** What keys are made with: calls of the API, keys, and people. */
    public record Makers(LocalCalls calls, ApiKeys keys, OAuthGrants.People people) {}

    /**
     * The server of this platform.
     *
     * @param publicUrl where the service is reached
     * @param http fetches documents of clients
     */
    public OAuthServer(URI publicUrl, PlatformModule platform, Makers makers, SafeHttp http) {
        String url = publicUrl.toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.clients =
                new OAuthClients(platform.vault(), new ClientDocuments(http, platform.clock()), platform.clock());
        this.grants = new OAuthGrants(platform.database(), makers, platform.clock());
        this.limits =
                new SignInLimits(platform.budgets(), platform.config().rates().signIn());
    }

    /** Mounts the routes of programs, and lets {@code /mcp} say where they are. */
    public void mount(RouteTable table) {
        Routes root = table.at(Level.ROOT);
        root.get(Gate.PUBLIC, RESOURCE_METADATA, request -> document(request, resourceMetadata()));
        root.get(Gate.PUBLIC, RESOURCE_METADATA + "/mcp", request -> document(request, resourceMetadata()));
        root.get(
                Gate.PUBLIC,
                "/.well-known/oauth-authorization-server/console",
                request -> document(request, metadata()));
        root.post(Gate.PUBLIC, "/console/register", SMALL, this::register);
        root.post(Gate.PUBLIC, "/console/token", SMALL, this::token);
        table.challenge("/mcp", "resource_metadata=\"" + base + RESOURCE_METADATA + "/mcp\"");
    }

    private String issuer() {
        return base + "/console";
    }

    private String resource() {
        return base + "/mcp";
    }

    private Response document(Request request, JsonObject json) {
        limits.calling(request.remoteAddress());
        return Response.ok(json).header("Cache-Control", FIVE_MINUTES);
    }

    private JsonObject resourceMetadata() {
        return JsonObject.of("resource", resource())
                .with("authorization_servers", List.of(issuer()))
                .with("bearer_methods_supported", List.of("header"))
                .with("scopes_supported", OAuthAccess.names())
                .with("resource_name", "inboxd at " + Origins.of(URI.create(base)))
                .with("resource_documentation", base + "/docs");
    }

    private JsonObject metadata() {
        return JsonObject.of("issuer", issuer())
                .with("authorization_endpoint", issuer() + "/authorize")
                .with("token_endpoint", issuer() + "/token")
                .with("registration_endpoint", issuer() + "/register")
                .with("scopes_supported", OAuthAccess.names())
                .with("response_types_supported", List.of("code"))
                .with("response_modes_supported", List.of("query"))
                .with("grant_types_supported", List.of("authorization_code"))
                .with("token_endpoint_auth_methods_supported", List.of("none"))
                .with("code_challenge_methods_supported", List.of("S256"))
                .with("authorization_response_iss_parameter_supported", true)
                .with("client_id_metadata_document_supported", true);
    }

    private Response register(Request request) {
        limits.calling(request.remoteAddress());
        try {
            return Response.of(201, clients.register(request.octets()))
                    .header("Cache-Control", "no-store")
                    .header("Pragma", "no-cache");
        } catch (OAuthError refused) {
            return refused.answer();
        }
    }

    private Response token(Request request) {
        limits.calling(request.remoteAddress());
        try {
            OAuthGrants.IssuedToken issued = grants.redeem(request, redemption(OAuthParameters.ofForm(request)));
            return Response.ok(JsonObject.of("access_token", issued.secret())
                            .with("token_type", "Bearer")
                            .with("expires_in", OAuthGrants.KEY_LIFE.toSeconds())
                            .with("scope", issued.access().wireName()))
                    .header("Cache-Control", "no-store")
                    .header("Pragma", "no-cache");
        } catch (OAuthError refused) {
            return refused.answer();
        }
    }

    private OAuthGrants.Redemption redemption(OAuthParameters parameters) {
        if (!parameters.repeated(READ).isEmpty()) {
            throw OAuthError.invalidRequest("A parameter stands twice");
        }
        if (!"authorization_code".equals(required(parameters, "grant_type"))) {
            throw new OAuthError(400, "unsupported_grant_type", "grant_type must be authorization_code");
        }
        if (!parameters.all("resource").stream()
                .allMatch(resource()::equals)) { // RFC 8707 §2: it may stand several times
            throw new OAuthError(400, "invalid_target", "resource must be " + resource());
        }
        return new OAuthGrants.Redemption(
                required(parameters, "code"),
                required(parameters, "client_id"),
                required(parameters, "redirect_uri"),
                required(parameters, "code_verifier"));
    }

    private static String required(OAuthParameters parameters, String name) {
        String value = parameters.first(name);
        if (value == null) {
            throw OAuthError.invalidRequest(name + " is missing");
        }
        return value;
    }

    /**
     * Reads what a client asks of the person whose browser it sent.
     *
     * @throws Problem {@code validation_error} when the browser cannot be sent back; {@code rate_limit_exceeded}
     * @throws RedirectError for every other fault; {@link #location} says where the browser goes then
     */
    public GrantRequest read(Request request) {
        limits.calling(request.remoteAddress());
        return GrantRequest.read(OAuthParameters.ofQuery(request), clients, resource());
    }

    /** Where a fault sends the browser (RFC 9207: with the issuer). */
    public String location(RedirectError fault) {
        return fault.location(issuer());
    }

    /**
     * Lets a program in.
     *
     * @param inbox the one inbox; null for the whole organization
     * @return where the browser goes then
     */
    public String allow(Caller person, GrantRequest request, @Nullable String inbox, OAuthAccess access) {
        String code = grants.give(person, request, new OAuthGrant.Choice(inbox, access));
        return new Redirect(request.redirectUri().text())
                .with("code", code)
                .with("state", request.state())
                .with("iss", issuer())
                .toString();
    }

    /** Where the browser goes when the person lets nobody in. */
    public String deny(GrantRequest request) {
        return location(new RedirectError(
                "access_denied", "Nobody was let in", request.redirectUri().text(), request.state()));
    }

    /** Whether a caller's key is one that a person gave to a program. */
    public boolean isGiven(Caller caller) {
        return grants.isGiven(caller);
    }
}
