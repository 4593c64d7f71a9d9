package dev.inboxd.agent;

import dev.inboxd.access.Gate;
import dev.inboxd.http.BodyLimit;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.json.JsonObject;

/** Sign-up and verification over HTTP. No rule lives here. */
public final class AgentHttp {
    private final Entrance entrance;
    private final Humans humans;
    private final SignUps signUps;
    private final Verification verification;
    private final Pace pace;

    /** Anybody may call, so nobody may send much. */
    private static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);

    /** Routes for agents that come on their own. */
    public AgentHttp(Entrance entrance, Humans humans, SignUps signUps, Verification verification, Pace pace) {
        this.entrance = entrance;
        this.humans = humans;
        this.signUps = signUps;
        this.verification = verification;
        this.pace = pace;
    }

    /** Mounts them at the organization's level. */
    public void mount(Routes organization) {
        organization.post(Gate.PUBLIC, "/agent/sign-up", SMALL, this::signUp);
        organization.post(Gate.AGENT_VERIFY, "/agent/verify", SMALL, this::verify);
    }

    private Response signUp(Request request) {
        pace.signingUp(request.remoteAddress());
        entrance.admit(request.header(Entrance.HEADER));
        SignUp wanted = SignUp.read(request.body(), humans);
        pace.signingUp(wanted);
        SignUps.Welcome welcome = signUps.signUp(wanted);
        return Response.ok(JsonObject.of("organization_id", welcome.organization())
                .with("inbox_id", welcome.inbox()).with("api_key", welcome.apiKey()));
    }

    private Response verify(Request request) {
        pace.verifying(request.caller().organization());
        verification.verify(request.caller(), Verification.read(request.body()));
        return Response.ok(JsonObject.of("verified", true));
    }
}
