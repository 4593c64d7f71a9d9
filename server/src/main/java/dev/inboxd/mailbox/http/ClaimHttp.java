package dev.inboxd.mailbox.http;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mailbox.claim.ThreadClaims;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Claims of messages and threads over HTTP (mail.md §18). Only routes: the rules are in {@link ThreadClaims}. */
public final class ClaimHttp {
    private static final Access ANSWERING = new Access.Either(Permission.MESSAGE_SEND, Permission.MESSAGE_REPLY);
    private static final int SHORTEST = 10;
    private static final int LONGEST = 86_400;
    private static final long USUAL = 300;
    private static final int LONGEST_WORKER = 128;

    private final ThreadClaims claims;

    /** Routes to these claims. */
    public ClaimHttp(ThreadClaims claims) {
        this.claims = claims;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        mount(inbox, "/messages/{message_id}/claim");
        mount(inbox, "/threads/{thread_id}/claim");
    }

    private void mount(Routes inbox, String path) {
        inbox.post(Permission.MESSAGE_READ, path, this::claim);
        inbox.get(Permission.MESSAGE_READ, path, this::get);
        inbox.delete(Permission.INBOX_UPDATE, path, this::breakClaim);
        inbox.post(Permission.MESSAGE_READ, path + "/{claim_id}/renew", this::renew);
        inbox.post(Permission.MESSAGE_READ, path + "/{claim_id}/handover", this::handOver);
        inbox.delete(Permission.MESSAGE_READ, path + "/{claim_id}", this::release);
    }

    private Response claim(Request request) {
        requireAnswering(request.caller());
        JsonBody body = request.body();
        ThreadClaims.ClaimWish wish = new ThreadClaims.ClaimWish(
                ttl(body), worker(body), body.flag("if_unanswered", false), body.flag("force", false));
        body.check();
        if (wish.isForced()) {
            request.caller().require(Permission.INBOX_UPDATE);
        }
        ThreadClaims.MadeClaim madeClaim = claims.claim(request.caller(), path(request), wish);
        if (madeClaim.isTaken()) {
            request.change().changed().target(madeClaim.claim().place().thread().toString());
        }
        return Response.ok(madeClaim.claim().json());
    }

    private Response get(Request request) {
        return Response.ok(claims.get(path(request)).shown());
    }

    private Response renew(Request request) {
        requireAnswering(request.caller());
        JsonBody body = request.body();
        Duration ttl = ttl(body);
        body.check();
        return Response.ok(
                claims.renew(request.caller(), path(request), id(request), ttl).json());
    }

    private Response handOver(Request request) {
        requireAnswering(request.caller());
        JsonBody body = request.body();
        UUID key = body.string("api_key_id").as(Uuid7::parse, "the id of an API key");
        ThreadClaims.NewHolder to = new ThreadClaims.NewHolder(worker(body), key, ttl(body));
        body.check();
        return Response.ok(claims.handOver(request.caller(), path(request), id(request), to)
                .json());
    }

    private Response release(Request request) {
        requireAnswering(request.caller());
        claims.release(request.caller(), path(request), id(request));
        return Response.ok();
    }

    private Response breakClaim(Request request) {
        request.caller().require(Permission.MESSAGE_READ);
        request.change()
                .target(claims.breakClaim(path(request)).place().thread().toString());
        return Response.ok();
    }

    /** Who may answer may claim. */
    private static void requireAnswering(Caller caller) {
        if (!caller.holds(Permission.DRAFT_CREATE)) {
            caller.require(ANSWERING);
        }
    }

    private static Duration ttl(JsonBody body) {
        return Duration.ofSeconds(Objects.requireNonNullElse(body.integer("ttl_seconds", SHORTEST, LONGEST), USUAL));
    }

    private static @Nullable String worker(JsonBody body) {
        return body.string("worker").max(LONGEST_WORKER).optional();
    }

    private static String id(Request request) {
        return request.path("claim_id");
    }

    private static ThreadClaims.ClaimPath path(Request request) {
        if (request.route().template().contains("{message_id}")) {
            return new ThreadClaims.ClaimPath(request.view(), MessageHttp.name(request), null);
        }
        UUID thread = Uuid7.parse(request.path("thread_id"));
        if (thread == null) {
            throw Problem.notFound("Thread");
        }
        return new ThreadClaims.ClaimPath(request.view(), null, thread);
    }
}
