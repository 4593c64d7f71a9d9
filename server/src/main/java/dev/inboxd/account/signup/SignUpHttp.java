package dev.inboxd.account.signup;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;

/** Sign-up and verification over HTTP. Only routes: the rules are in the {@link Actions}. */
public final class SignUpHttp {
    private final SignUpPolicy policy;
    private final HumanAddresses humans;
    private final SignUps signUps;
    private final Verification verification;
    private final HumanAttachment attachment;
    private final WalletHuman wallets;
    private final SignUpLimits limits;

    /** Public routes take small bodies only. */
    private static final BodyLimit SMALL = new BodyLimit(16 * 1024, false);

    /** Routes for agents that sign up. */
    public SignUpHttp(SignUpPolicy policy, HumanAddresses humans, Actions actions, SignUpLimits limits) {
        this.policy = policy;
        this.humans = humans;
        this.signUps = actions.signUps;
        this.verification = actions.verification;
        this.attachment = actions.attachment;
        this.wallets = actions.wallets;
        this.limits = limits;
    }

    /** The operations of agents. */
    public record Actions(
            SignUps signUps, Verification verification, HumanAttachment attachment, WalletHuman wallets) {}

    /** Mounts the routes at the organization's level. */
    public void mount(Routes organization) {
        organization.post(Gate.PUBLIC, "/agent/sign-up", SMALL, new OwnPages(this::signUp));
        organization.post(Gate.AGENT_VERIFY, "/agent/verify", SMALL, this::verify);
        organization.post(Gate.AGENT_VERIFY, "/agent/human", SMALL, this::attach);
    }

    private Response signUp(Request request) {
        limits.signingUp(request.remoteAddress());
        policy.admit(request.header(SignUpPolicy.HEADER));
        SignUp signUp = SignUp.read(request, humans);
        limits.signingUp(signUp);
        SignUps.SignUpResult result = signUps.signUp(signUp);
        return Response.ok(JsonObject.of("organization_id", result.organization())
                .with("inbox_id", result.inbox())
                .with("api_key", result.apiKey()));
    }

    private Response verify(Request request) {
        limits.verifying(request.caller().organization());
        String digits = OneTimeCode.read(request.body(), "otp_code");
        if (wallets.isFor(request.caller())) {
            wallets.attach(request.caller(), digits);
        } else {
            verification.verify(request.caller(), digits);
        }
        return Response.ok(JsonObject.of("verified", true));
    }

    private Response attach(Request request) {
        String human = humans.required(request.body());
        if (wallets.isFor(request.caller())) {
            wallets.ask(request.caller(), new CodeRequest(human, request.remoteAddress()));
        } else {
            attachment.attach(request.caller(), new CodeRequest(human, request.remoteAddress()));
        }
        return Response.ok(JsonObject.of("human_email", human)
                .with(
                        "instructions",
                        "A code of six digits is on its way" + " to " + human
                                + ": ask the human for it and send it as otp_code to POST /v0/agent/verify."));
    }
}
