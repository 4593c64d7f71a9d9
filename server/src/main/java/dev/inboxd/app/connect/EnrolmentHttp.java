package dev.inboxd.app.connect;

import dev.inboxd.app.registry.App;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.tenant.apikey.P256Key;
import dev.inboxd.web.Pages;
import dev.inboxd.web.oauth.Origins;
import dev.inboxd.web.oauth.SecretToken;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Magic links over HTTP: the page behind one, and the two calls of its client (apps.md §6.9). */
public final class EnrolmentHttp {
    /** Public routes take small bodies only. */
    public static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);

    private static final String PATH = "/v0/sign-in";
    private static final int LONGEST_PROOF = 4_096;
    private static final Set<String> ACTIVATION = Set.of("api_key_id", "public_key", "proof");

    private final Enrolments enrolments;
    private final SignInLimits limits;
    private final Pages pages;
    private final URI issuer;
    private final Cookies cookies;

    /**
     * Routes to these enrolments.
     *
     * @param issuer the public URL
     */
    public EnrolmentHttp(Enrolments enrolments, SignInLimits limits, Pages pages, URI issuer) {
        this.enrolments = enrolments;
        this.limits = limits;
        this.pages = pages;
        this.issuer = issuer;
        this.cookies = new Cookies(issuer);
    }

    /** Mounts the routes, which take no API key. */
    public void mount(Routes root) {
        root.page("/connect", this::keys);
        root.page("/connect/{token}", this::page);
        root.post(Gate.PUBLIC, PATH + "/begin", SMALL, this::begin);
        root.post(Gate.PUBLIC, PATH + "/activate", SMALL, this::activate);
    }

    private Response keys(Request request) {
        JsonObject action = JsonObject.of("type", "keys").with("issuer", issuer.toString());
        return pages.page(200, "sessions", Map.of("json", Pages.embedded(action)));
    }

    private Response page(Request request) {
        limits.calling(request.remoteAddress());
        try {
            Enrolments.OpenLink link = enrolments.open(request.path("token"));
            JsonObject action = JsonObject.of("type", "sign_in_link")
                    .with("issuer", issuer.toString())
                    .with("app", json(link.app()))
                    .with("inbox_id", link.inbox().address())
                    .with("expires_at", link.expiresAt())
                    .with("begin_endpoint", issuer + PATH + "/begin")
                    .with("activate_endpoint", issuer + PATH + "/activate")
                    .with("confirm", "cross-site".equals(request.header("Sec-Fetch-Site")));
            return Pages.wantsJson(request)
                    ? Response.ok(action).header("Cache-Control", "no-store")
                    : pages.page(
                            200,
                            "connect",
                            Map.of(
                                    "app", link.app().listing().name(),
                                    "inbox", link.inbox().address(),
                                    "json", Pages.embedded(action)));
        } catch (Problem problem) {
            if (Pages.wantsJson(request)) {
                throw problem;
            }
            return pages.notice(
                    problem.code().status(),
                    "This link does not work",
                    "A sign-in link works once and for five minutes. It was used, it has expired, it was withdrawn,"
                            + " or its inbox may not sign in now. Ask for a new one.");
        }
    }

    /** An app as the pages and calls of signing in name it. */
    public static JsonObject json(App app) {
        return JsonObject.of("app_id", app.id())
                .with("provider_id", app.id())
                .with("name", app.listing().name())
                .with("logo_url", app.listing().logoUrl())
                .with("terms_url", app.listing().termsUrl())
                .with("privacy_url", app.listing().privacyUrl());
    }

    private Response begin(Request request) {
        limits.calling(request.remoteAddress());
        Origins.requireOwn(request, issuer);
        JsonBody body = request.body();
        String token = body.string("token").max(SecretToken.LONGEST).required();
        body.check();
        Enrolments.Begun begun = enrolments.begin(token);
        Enrolments.OpenLink link = begun.link();
        JsonObject disclosure = JsonObject.of("required", !link.key().acceptsDisclosure())
                .with("scopes", link.app().client().scopes().stream().sorted().toList());
        return Response.ok(JsonObject.of("api_key_id", link.key().id())
                        .with("inbox_id", link.inbox().address())
                        .with("challenge", begun.challenge())
                        .with("expires_at", link.expiresAt())
                        .with("app", json(link.app()))
                        .with("disclosure", disclosure))
                .header("Cache-Control", "no-store")
                .header("Set-Cookie", cookies.set(cookie(link.key().id()), begun.cookie()));
    }

    private Response activate(Request request) {
        limits.calling(request.remoteAddress());
        Origins.requireOwn(request, issuer);
        SignInKeys.Activation activation = activation(request);
        String cookie = Cookies.read(request, cookie(activation.key()).name());
        Enrolments.Activated activated = enrolments.activate(
                activation,
                key -> key.challenge() != null
                        && SecretToken.matches(key.challenge().cookieDigest(), cookie),
                AuditSource.of(request));
        return answer(activated)
                .header("Set-Cookie", cookies.set(cookie(activation.key()).over(), ""));
    }

    private static Cookies.Cookie cookie(UUID key) {
        return new Cookies.Cookie("enroll_" + key, PATH, "Strict", SignInKeys.PENDING);
    }

    /** Reads the body of an activation, which has three members and no other. */
    public static SignInKeys.Activation activation(Request request) {
        JsonBody body = request.body();
        for (String name : body.names()) {
            if (!ACTIVATION.contains(name)) {
                body.fault(name, "The body has the members api_key_id, public_key and proof, and no other");
            }
        }
        UUID key = body.string("api_key_id").as(EnrolmentHttp::id, "the api_key_id that this sign-in was given");
        if (!body.has("api_key_id")) {
            body.fault("api_key_id", "api_key_id is required");
        }
        if (!body.has("public_key")) {
            body.fault("public_key", "public_key is required");
        }
        P256Key material = P256Key.read(body);
        String proof = body.string("proof").max(LONGEST_PROOF).required();
        body.check();
        return new SignInKeys.Activation(
                Objects.requireNonNull(key), Objects.requireNonNull(material), CompactJws.read("proof", proof));
    }

    private static @Nullable UUID id(String text) {
        return Uuid7.parse(text);
    }

    /** The answer to an activation. */
    public static Response answer(Enrolments.Activated activated) {
        return Response.ok(JsonObject.of("status", "active")
                        .with("api_key_id", activated.key())
                        .with("expires_at", activated.expiresAt())
                        .with("continue_url", activated.continueUrl()))
                .header("Cache-Control", "no-store");
    }
}
