package dev.inboxd.account.signup;

import dev.inboxd.platform.access.Gate;
import dev.inboxd.platform.http.BodyLimit;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.json.JsonObject;

/** Sign-up and verification over HTTP. No rule lives here. */
public final class SignUpHttp {
    private final SignUpPolicy entrance;
    private final HumanAddresses humans;
    private final SignUps signUps;
    private final Verification verification;
    private final HumanAttachment attaching;
    private final SignUpLimits pace;

    /** Anybody may call, so nobody may send much. */
    private static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);

    /** Routes for agents that come on their own. */
    public SignUpHttp(SignUpPolicy entrance, HumanAddresses humans, Actions verbs, SignUpLimits pace) {
        this.entrance = entrance;
        this.humans = humans;
        this.signUps = verbs.signUps;
        this.verification = verbs.verification;
        this.attaching = verbs.attaching;
        this.pace = pace;
    }

    /** What agents and their humans can do. */
    public record Actions(SignUps signUps, Verification verification, HumanAttachment attaching) {}

    /** Mounts them at the organization's level. */
    public void mount(Routes organization) {
        organization.post(Gate.PUBLIC, "/agent/sign-up", SMALL, this::signUp);
        organization.post(Gate.AGENT_VERIFY, "/agent/verify", SMALL, this::verify);
        organization.post(Gate.AGENT_VERIFY, "/agent/human", SMALL, this::attach);
    }

    private Response signUp(Request request) {
        pace.signingUp(request.remoteAddress());
        entrance.admit(request.header(SignUpPolicy.HEADER));
        SignUp wanted = SignUp.read(request.body(), humans);
        pace.signingUp(wanted);
        SignUps.SignUpResult welcome = signUps.signUp(wanted);
        return Response.ok(JsonObject.of("organization_id", welcome.organization())
                .with("inbox_id", welcome.inbox())
                .with("api_key", welcome.apiKey()));
    }

    private Response verify(Request request) {
        pace.verifying(request.caller().organization());
        verification.verify(request.caller(), OneTimeCode.read(request.body(), "otp_code"));
        return Response.ok(JsonObject.of("verified", true));
    }

    private Response attach(Request request) {
        String human = humans.required(request.body());
        attaching.attach(request.caller(), human);
        return Response.ok(JsonObject.of("human_email", human)
                .with(
                        "instructions",
                        "A code of six digits is on its way" + " to " + human
                                + ": ask the human for it and send it as otp_code to POST /v0/agent/verify."));
    }
}
