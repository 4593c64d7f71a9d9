package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;

import dev.inboxd.app.connect.KeyHolder;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Each request of a sign-in that writes, with those before it. An answer is null when somebody took away meanwhile what
 * an earlier request needs.
 */
public final class SignInRequests {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final UUID app;

    /** Sign-ins at an app of their own. */
    public SignInRequests(World first) {
        this.app = SignInFixture.app(first, "");
    }

    /** A browser at the sign-in page. */
    private record Page(World node, String jti, String cookie) {
        HttpProbe http() {
            return node.anonymous().with("Cookie", cookie).with("Accept", "application/json");
        }
    }

    private @Nullable Page open(World node, String more) {
        String path = SignInFixture.authorizePath(app, SignInFixture.REDIRECT, SignInFixture.usual() + more);
        Answer page = node.anonymous().with("Accept", "application/json").get(path);
        return page.status() == 200
                ? new Page(
                        node,
                        page.text("auth_token"),
                        String.valueOf(page.header("Set-Cookie")).split(";", -1)[0])
                : null;
    }

    /** The form that begins a sign-in. */
    public Answer begin(World node) {
        String path = SignInFixture.authorizePath(app, SignInFixture.REDIRECT, SignInFixture.usual());
        return node.anonymous()
                .with("Accept", "application/json")
                .with("Content-Type", FORM)
                .post("/v0/authorize", path.substring(path.indexOf('?') + 1));
    }

    /** An approval by a registered key. */
    public @Nullable Answer approve(World node, String inbox, String path) {
        Page page = open(node, "");
        return page == null ? null : approve(page, inbox, path);
    }

    private static @Nullable Answer approve(Page page, String inbox, String path) {
        KeyHolder pair = KeyHolder.make();
        Answer key = page.node.http().post("/v0/api-keys", json("public_key", rawJson(pair.jwk())));
        return key.status() == 200
                ? approve(page, pair.approval(key.text("api_key_id"), page.jti, inbox), inbox, path)
                : null;
    }

    private static Answer approve(Page page, String assertion, String inbox, String path) {
        return page.node.anonymous().post(path, json("assertion", assertion, "inbox_id", inbox));
    }

    /** An agent takes a waiting browser's sign-in. */
    public @Nullable Answer authorize(World node, String inbox) {
        Page page = open(node, "");
        return page == null ? null : authorize(page, inbox);
    }

    private static Answer authorize(Page page, String inbox) {
        return page.node.http().post("/v0/inboxes/" + inbox + "/authorize", json("auth_token", page.jti));
    }

    /** The waiting browser makes its key. */
    public @Nullable Answer activateWaiting(World node, String inbox) {
        Page page = open(node, "");
        if (page == null || authorize(page, inbox).status() != 200) {
            return null;
        }
        Answer status = page.http().get("/v0/authorize/status?jti=" + page.jti);
        return status.status() == 200 && status.at("enroll") != null
                ? page.http().post("/v0/authorize/activate", activation(status, "enroll."))
                : null;
    }

    private static String activation(Answer begun, String prefix) {
        KeyHolder pair = KeyHolder.make();
        String key = begun.text(prefix + "api_key_id");
        String proof = pair.enrolment(begun.text(prefix + "challenge"), key, begun.text(prefix + "inbox_id"));
        return json("api_key_id", key, "public_key", rawJson(pair.jwk()), "proof", proof);
    }

    /** The inbox agrees to what the app is told. */
    public @Nullable Answer consent(World node, String inbox) {
        Page page = open(node, "&prompt=consent");
        if (page == null || !isApproved(approve(page, inbox, "/v0/authorize/approve"))) {
            return null;
        }
        Answer shown = page.http().get("/v0/authorize/continue?jti=" + page.jti);
        return shown.status() == 200
                ? page.http()
                        .post(
                                "/v0/authorize/consent",
                                json(
                                        "jti",
                                        page.jti,
                                        "consent_token",
                                        shown.text("accept_body.consent_token"),
                                        "decision",
                                        "accept"))
                : null;
    }

    private static boolean isApproved(@Nullable Answer approval) {
        return approval != null && approval.status() == 204;
    }

    /** The app redeems a code. */
    public @Nullable Answer token(World node, String inbox) {
        Page page = open(node, "");
        if (page == null || !isApproved(approve(page, inbox, "/v0/authorize/approve"))) {
            return null;
        }
        Answer back = page.http().get("/v0/authorize/continue?jti=" + page.jti);
        String code = back.status() == 303
                ? SignInFixture.parameterOrNull(String.valueOf(back.header("Location")), "code")
                : null;
        return code == null ? null : SignInFixture.redeem(node, app, code);
    }

    /** The app asks who signed in. */
    public @Nullable Answer userinfo(World node, String inbox) {
        Answer tokens = token(node, inbox);
        return tokens != null && tokens.status() == 200
                ? node.anonymous()
                        .with("Content-Type", FORM)
                        .post("/v0/userinfo", "access_token=" + tokens.text("access_token"))
                : null;
    }

    /** A client opens a link. */
    public @Nullable Answer beginLink(World node, String inbox) {
        Answer link = node.http().post("/v0/apps/" + app + "/connect", json("inbox_id", inbox));
        if (link.status() != 202) {
            return null;
        }
        String path = URI.create(link.text("magic_url")).getPath();
        return node.anonymous().post("/v0/sign-in/begin", json("token", path.substring(path.lastIndexOf('/') + 1)));
    }

    /** The client behind a link has its key activated. */
    public @Nullable Answer activateLink(World node, String inbox) {
        Answer begun = beginLink(node, inbox);
        if (begun == null || begun.status() != 200) {
            return null;
        }
        String cookie = String.valueOf(begun.header("Set-Cookie")).split(";", -1)[0];
        return node.anonymous().with("Cookie", cookie).post("/v0/sign-in/activate", activation(begun, ""));
    }
}
