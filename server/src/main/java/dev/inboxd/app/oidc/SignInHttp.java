package dev.inboxd.app.oidc;

import dev.inboxd.app.connect.Cookies;
import dev.inboxd.app.connect.EnrolmentHttp;
import dev.inboxd.app.connect.Enrolments;
import dev.inboxd.app.connect.SignInKeys;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.web.Pages;
import dev.inboxd.web.oauth.Origins;
import dev.inboxd.web.oauth.SignInLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a waiting browser, a signer and an agent call while an inbox signs in (apps.md §4, §6.3, §6.4). */
public final class SignInHttp {
    private static final String PATH = AuthorizationHttp.PATH;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(400);
    private static final int LONGEST_NAME = 320;
    private static final Set<String> APPROVAL = Set.of("assertion", "inbox_id");

    private final Parts parts;
    private final SignInLimits limits;
    private final Pages pages;
    private final Discovery discovery;
    private volatile boolean closing;

    /** The parts that act. */
    record Parts(Transactions transactions, Approvals approvals, Continuations continuations, Enrolments enrolments) {}

    SignInHttp(Parts parts, SignInLimits limits, Pages pages, Discovery discovery) {
        this.parts = parts;
        this.limits = limits;
        this.pages = pages;
        this.discovery = discovery;
    }

    /** Mounts the routes that take no API key. */
    public void mount(Routes root) {
        root.post(Gate.PUBLIC, PATH + "/approve", EnrolmentHttp.SMALL, this::approve);
        root.post(Gate.PUBLIC, "/authorize/approve", EnrolmentHttp.SMALL, this::approve);
        root.getAlone(Gate.PUBLIC, PATH + "/status", this::status);
        root.post(Gate.PUBLIC, PATH + "/activate", EnrolmentHttp.SMALL, this::activate);
        root.getAlone(Gate.PUBLIC, PATH + "/continue", this::proceed);
        root.post(Gate.PUBLIC, PATH + "/consent", EnrolmentHttp.SMALL, this::consent);
    }

    /** Answers the browsers that wait, because a server that drains waits for them. */
    public void close() {
        closing = true;
    }

    /** Mounts the route of agents, below an inbox. */
    public void mountInbox(Routes inbox) {
        inbox.post(Permission.PROVIDER_CONNECT, "/authorize", this::authorize);
    }

    /** The cookie of a transaction. */
    static Cookies.Cookie cookie(String jti) {
        return new Cookies.Cookie("txn_" + jti, PATH, "Lax", Transactions.LIFE);
    }

    /** 303 with a location (RFC 9110 §15.4.4). */
    static Response seeOther(String location) {
        return Response.ok().status(303).header("Location", location).header("Cache-Control", "no-store");
    }

    private Response authorize(Request request) {
        JsonBody body = request.body();
        String token = body.string("auth_token").required();
        if (!token.isEmpty() && !Transactions.isToken(token)) {
            body.fault("auth_token", "auth_token must be the 22 characters that the sign-in page shows");
        }
        boolean accepts = body.flag("accept_disclosure", false);
        body.check();
        Inbox inbox = Objects.requireNonNull(request.resolved(Inbox.class));
        UUID key = request.change()
                .of(parts.transactions.authorize(
                        new Transactions.BindRequest(request.caller(), inbox, token, accepts)));
        return Response.ok(JsonObject.of("api_key_id", key)
                        .with("instructions", "Authorization complete. Return to browser."))
                .header("Cache-Control", "no-store");
    }

    private Response approve(Request request) {
        limits.calling(request.remoteAddress());
        JsonBody body = request.body();
        for (String name : body.names()) {
            if (!APPROVAL.contains(name)) {
                body.fault(name, "The body has the members assertion and inbox_id, and no other");
            }
        }
        String assertion = body.string("assertion").required();
        String inbox = body.string("inbox_id").max(LONGEST_NAME).required();
        body.check();
        parts.approvals.approve(assertion, inbox);
        return Response.ok().status(204);
    }

    private Transaction ofBrowser(Request request, String jti) {
        return parts.transactions.ofBrowser(
                jti,
                Transactions.isToken(jti) ? Cookies.read(request, cookie(jti).name()) : null);
    }

    private static String jti(Request request) {
        String jti = request.query().text("jti");
        request.query().check();
        if (jti == null) {
            throw Problem.invalid("jti", "jti is required");
        }
        return jti;
    }

    private Response status(Request request) {
        limits.calling(request.remoteAddress());
        boolean waits = request.query().flag("wait", false);
        Watch watch = new Watch(request, jti(request), waits ? LONGEST_WAIT : Duration.ZERO);
        return watch.poll();
    }

    /** A browser that asks how far its transaction is, and waits a while for news. It holds no thread meanwhile. */
    private final class Watch implements DeferredResponse {
        private final Request request;
        private final String jti;
        private final long end;
        private volatile boolean disconnected;

        Watch(Request request, String jti, Duration patience) {
            this.request = request;
            this.jti = jti;
            this.end = System.nanoTime() + patience.toNanos();
        }

        @Override
        public void park(Runnable resume) {
            CompletableFuture.delayedExecutor(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(resume);
        }

        @Override
        public Response poll() {
            Transaction transaction = ofBrowser(request, jti);
            boolean isOver = closing || disconnected || System.nanoTime() >= end;
            return transaction.status() == Transaction.Status.WAITING && !isOver
                    ? Response.later(this)
                    : answer(transaction);
        }

        @Override
        public void disconnected() {
            disconnected = true; // the next look is soon, and the last one
        }
    }

    private Response answer(Transaction transaction) {
        Transactions.Progress progress = parts.transactions.progress(transaction);
        Transactions.Enrolment enrolment = progress.enrolment();
        return Response.ok(JsonObject.of("state", progress.status().wireName())
                        .with(
                                "enroll",
                                enrolment == null
                                        ? null
                                        : JsonObject.of("api_key_id", enrolment.key())
                                                .with("inbox_id", enrolment.inbox())
                                                .with("challenge", enrolment.challenge())
                                                .with("expires_at", enrolment.expiresAt())))
                .header("Cache-Control", "no-store");
    }

    private Response activate(Request request) {
        limits.calling(request.remoteAddress());
        Origins.requireOwn(request, discovery.uri());
        SignInKeys.Activation activation = EnrolmentHttp.activation(request);
        return EnrolmentHttp.answer(parts.enrolments.activate(
                activation,
                key -> {
                    String jti = key.jti();
                    if (jti == null) {
                        return false;
                    }
                    ofBrowser(request, jti);
                    return true;
                },
                AuditSource.of(request)));
    }

    private Response proceed(Request request) {
        limits.calling(request.remoteAddress());
        try {
            Transaction transaction = ofBrowser(request, jti(request));
            return switch (parts.continuations.next(transaction)) {
                case Continuations.Next.Back(String location) ->
                    seeOther(location)
                            .header(
                                    "Set-Cookie",
                                    new Cookies(discovery.uri())
                                            .set(cookie(transaction.jti()).over(), ""));
                case Continuations.Next.Disclosure page -> disclosure(request, transaction, page);
            };
        } catch (Problem refused) {
            if (Pages.wantsJson(request) || request.header("Accept") == null) {
                throw refused;
            }
            return pages.notice("The sign-in cannot go on", refused);
        }
    }

    private Response disclosure(Request request, Transaction transaction, Continuations.Next.Disclosure page) {
        JsonObject action = JsonObject.of("type", "disclosure_required")
                .with("issuer", discovery.issuer())
                .with("app", EnrolmentHttp.json(page.app()))
                .with("inbox_id", page.inbox())
                .with("scope", String.join(" ", page.scopes()))
                .with("accept_endpoint", discovery.url(PATH + "/consent"))
                .with("accept_body", JsonObject.of("jti", transaction.jti()).with("consent_token", page.consentToken()))
                .with("continue_url", discovery.url(PATH + "/continue?jti=" + transaction.jti()));
        if (Pages.wantsJson(request)) {
            return Response.ok(action).header("Cache-Control", "no-store");
        }
        App.Listing app = page.app().listing();
        return pages.page(
                200,
                "disclosure",
                Map.of(
                        "app", app.name(),
                        "inbox", page.inbox(),
                        "facts", facts(page.scopes()),
                        "terms", Objects.requireNonNullElse(app.termsUrl(), ""),
                        "privacy", Objects.requireNonNullElse(app.privacyUrl(), ""),
                        "json", Pages.embedded(action)));
    }

    /** What each scope tells the app. */
    private static List<String> facts(List<String> scopes) {
        List<String> facts = new ArrayList<>();
        facts.add("An identifier of this inbox, and that a software agent signs in");
        if (scopes.contains("email")) {
            facts.add("The address of this inbox");
        }
        if (scopes.contains("profile")) {
            facts.add("Its display name, its organization, and an identifier of the person behind it");
        }
        if (scopes.contains("owner_profile") && !scopes.contains("profile")) {
            facts.add("An identifier of the person behind it");
        }
        if (scopes.contains("owner_email")) {
            facts.add("The email address of the person behind it");
        }
        return facts;
    }

    private Response consent(Request request) {
        limits.calling(request.remoteAddress());
        Origins.requireOwn(request, discovery.uri());
        JsonBody body = request.body();
        String jti = body.string("jti").required();
        String token = body.string("consent_token").required();
        String decision = body.string("decision").required();
        if (!decision.isEmpty() && !decision.equals("accept") && !decision.equals("deny")) {
            body.fault("decision", "decision must be accept or deny");
        }
        body.check();
        parts.continuations.decide(ofBrowser(request, jti), token, decision.equals("accept"));
        return Response.ok().status(204);
    }
}
