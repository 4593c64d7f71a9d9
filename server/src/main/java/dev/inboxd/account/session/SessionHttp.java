package dev.inboxd.account.session;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.observe.audit.AuditSource;
import java.util.UUID;

/**
 * Sign-in and sessions over HTTP, below {@code /console} and not part of the API. The token is sent in the header
 * Authorization, as keys are, so pages of other origins cannot send it. Only routes: the rules are in {@link Sessions}.
 */
public final class SessionHttp {
    private static final String SESSION = "/console/session";
    /** Public routes take small bodies only. */
    private static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);

    private final Sessions sessions;
    private final HumanAddresses humans;
    private final SignUpLimits limits;

    /**
     * Routes to these sessions.
     *
     * @param humans reads addresses
     * @param limits rate limits of calls
     */
    public SessionHttp(Sessions sessions, HumanAddresses humans, SignUpLimits limits) {
        this.sessions = sessions;
        this.humans = humans;
        this.limits = limits;
    }

    /** Mounts the routes at the root. */
    public void mount(Routes root) {
        root.post(Gate.PUBLIC, "/console/sign-in", SMALL, this::signIn);
        root.post(Gate.PUBLIC, SESSION, SMALL, this::open);
        root.get(Gate.ANY_KEY, SESSION, this::get);
        root.post(Gate.ANY_KEY, SESSION + "/renew", SMALL, this::renew);
        root.delete(Gate.ANY_KEY, SESSION, this::close);
        root.get(Gate.ANY_KEY, "/console/sessions", this::list);
        root.delete(Gate.ANY_KEY, "/console/sessions", this::closeAll);
        root.delete(Gate.ANY_KEY, "/console/sessions/{session_id}", this::closeOne);
    }

    private Response signIn(Request request) {
        limits.signingIn(request.remoteAddress());
        sessions.sendCode(new CodeRequest(humans.required(request.body()), request.remoteAddress()));
        return Response.ok(JsonObject.of(
                "instructions",
                "If the address is that of a human behind an organization"
                        + " here, a code is on its way to it. Send both to POST " + SESSION + " within 10 minutes."));
    }

    private Response open(Request request) {
        limits.signingIn(request.remoteAddress());
        String human = humans.required(request.body());
        boolean isDeviceTrusted = request.body().flag("trust_device", false);
        String digits = OneTimeCode.read(request.body(), "code");
        AuditSource source = AuditSource.of(request);
        SessionOrigin origin = SessionOrigin.of(request.header("User-Agent"), source.address());
        return token(sessions.open(new SignIn(human, digits, isDeviceTrusted, origin), source));
    }

    private Response get(Request request) {
        return Response.ok(sessions.get(request.caller()).json());
    }

    private Response renew(Request request) {
        return token(sessions.renew(request.caller()));
    }

    private Response close(Request request) {
        sessions.close(request.caller(), AuditSource.of(request));
        return Response.ok();
    }

    private Response list(Request request) {
        Session present = sessions.get(request.caller());
        return Response.ok(JsonObject.of(
                "sessions",
                sessions.all(request.caller()).stream()
                        .map(session ->
                                session.json().with("is_current", session.id().equals(present.id())))
                        .toList()));
    }

    private Response closeOne(Request request) {
        UUID id = Uuid7.parse(request.path("session_id"));
        if (id == null) {
            throw Problem.notFound("Session");
        }
        sessions.close(request.caller(), id, AuditSource.of(request));
        return Response.ok();
    }

    private Response closeAll(Request request) {
        sessions.closeAll(request.caller(), AuditSource.of(request));
        return Response.ok();
    }

    private static Response token(Sessions.NewSession opened) {
        return Response.ok(JsonObject.of("session_token", opened.token().text())
                        .with("expires_at", opened.token().expiresAt())
                        .withAll(opened.session().json()))
                .header("Cache-Control", "no-store");
    }
}
