package dev.inboxd.app.oidc;

import dev.inboxd.app.connect.Cookies;
import dev.inboxd.app.connect.EnrolmentHttp;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.web.Pages;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.RedirectError;
import dev.inboxd.web.oauth.SignInLimits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The authorization endpoint: where an app sends a browser to sign an inbox in (apps.md §6.2). */
public final class AuthorizationHttp {
    static final String PATH = "/v0/authorize";

    private final Transactions transactions;
    private final SignInLimits limits;
    private final Pages pages;
    private final Discovery discovery;

    AuthorizationHttp(Transactions transactions, SignInLimits limits, Pages pages, Discovery discovery) {
        this.transactions = transactions;
        this.limits = limits;
        this.pages = pages;
        this.discovery = discovery;
    }

    /** Mounts the routes, which take no API key. */
    public void mount(Routes root) {
        root.get(Gate.PUBLIC, PATH, request -> authorize(request, OAuthParameters.ofQuery(request)));
        root.post(
                Gate.PUBLIC, PATH, EnrolmentHttp.SMALL, request -> authorize(request, OAuthParameters.ofForm(request)));
    }

    private Response authorize(Request request, OAuthParameters parameters) {
        limits.calling(request.remoteAddress());
        try {
            App app = app(parameters);
            AuthorizationRequest authorization = AuthorizationRequest.read(app, parameters);
            return request.isHead() ? head(request) : begin(request, app, authorization);
        } catch (RedirectError fault) {
            return SignInHttp.seeOther(fault.location(discovery.issuer()));
        } catch (Problem unsafe) {
            if (Pages.wantsJson(request)) {
                throw unsafe;
            }
            return pages.notice(
                    unsafe.code().status(),
                    "The app sent an invalid request",
                    unsafe.message() + ". Nobody was signed in. Only the developers of the app can correct that.");
        }
    }

    /** HEAD begins nothing. */
    private static Response head(Request request) {
        String mediaType = Pages.wantsJson(request) ? "application/json; charset=utf-8" : "text/html; charset=utf-8";
        return Response.bytes(200, mediaType, new byte[0]).header("Cache-Control", "no-store");
    }

    private App app(OAuthParameters parameters) {
        String id = parameters.isRepeated("client_id") ? null : parameters.first("client_id");
        return transactions
                .app(id == null ? null : Uuid7.parse(id))
                .orElseThrow(() -> Problem.invalid(
                        "client_id", "client_id must be the id of an app that is registered and enabled here"));
    }

    private Response begin(Request request, App app, AuthorizationRequest authorization) {
        Transactions.Begun begun = transactions.begin(authorization);
        Transaction transaction = begun.transaction();
        JsonObject action = action(app, transaction);
        Response answer = Pages.wantsJson(request)
                ? Response.ok(action).header("Cache-Control", "no-store")
                : pages.page(
                        200,
                        "authorize",
                        Map.of(
                                "app", app.listing().name(),
                                "token", transaction.jti(),
                                "json", Pages.embedded(action)));
        return answer.header(
                "Set-Cookie", new Cookies(discovery.uri()).set(SignInHttp.cookie(transaction.jti()), begun.cookie()));
    }

    private JsonObject action(App app, Transaction transaction) {
        String jti = transaction.jti();
        @Nullable String hint = transaction.request().loginHint();
        return JsonObject.of("type", "session_required")
                .with("issuer", discovery.issuer())
                .with("browser_origin", discovery.origin())
                .with("auth_token", jti)
                .with("transaction_jti", jti)
                .with("transaction_expires_at", transaction.expiresAt().getEpochSecond())
                .with("authorize_endpoint", discovery.url("/v0/inboxes/{inbox_id}/authorize"))
                .with("approve_endpoint", discovery.url(PATH + "/approve"))
                .with("continue_url", discovery.url(PATH + "/continue?jti=" + jti))
                .with("status_url", discovery.url(PATH + "/status?jti=" + jti))
                .with("login_hint", hint == null ? new RawJson("null") : hint)
                .with("login_hint_authoritative", false)
                .with("app", EnrolmentHttp.json(app))
                .with("scope", String.join(" ", transaction.request().scopes()));
    }
}
