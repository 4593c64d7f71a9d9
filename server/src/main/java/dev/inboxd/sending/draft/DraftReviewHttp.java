package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.sending.compose.AddressMembers;
import dev.inboxd.sending.idempotency.Idempotency;
import dev.inboxd.sending.idempotency.SendResult;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Approvals over HTTP (approvals.md §3). No rule is decided here. */
final class DraftReviewHttp {
    private static final int LONGEST_NOTE = 2_048;

    private final DraftReviews reviews;
    private final Idempotency idempotency;

    DraftReviewHttp(DraftReviews reviews, Idempotency idempotency) {
        this.reviews = reviews;
        this.idempotency = idempotency;
    }

    /** Mounts the routes of one inbox. */
    void mount(Routes inbox) {
        inbox.post(Permission.DRAFT_APPROVE, "/drafts/{draft_id}/approve", this::approve);
        inbox.post(Permission.DRAFT_APPROVE, "/drafts/{draft_id}/reject", this::reject);
    }

    private Response approve(Request request) {
        request.caller().require(Permission.DRAFT_READ);
        UUID id = DraftHttp.id(request);
        return idempotency.execute(request, hook -> {
            JsonBody body = request.body();
            Instant read = read(body);
            List<String> exempt = AddressMembers.read(body, "always_allow").stream()
                    .map(MailAddress::address)
                    .toList();
            body.check();
            SendResult sent = reviews.approve(decision(request, id, read), exempt, hook);
            // Only here: an answer that is given again is no approval.
            request.change().changed().target(id.toString()).with("always_allow", exempt);
            return sent;
        });
    }

    private Response reject(Request request) {
        request.caller().require(Permission.DRAFT_READ);
        JsonBody body = request.body();
        Instant read = read(body);
        String note = body.string("note").max(LONGEST_NOTE).multiline().optional();
        if (note != null && note.indexOf('\0') >= 0) {
            body.fault("note", "note must not have the character U+0000");
        }
        body.check();
        UUID id = DraftHttp.id(request);
        request.change().target(id.toString());
        return Response.ok(
                DraftJson.full(request.view().organization(), reviews.reject(decision(request, id, read), note)));
    }

    private static @Nullable Instant read(JsonBody body) {
        if (!body.isGiven("updated_at")) {
            body.missing("updated_at");
        }
        return body.instant("updated_at");
    }

    private static DraftReviews.Decision decision(Request request, UUID draft, @Nullable Instant read) {
        return new DraftReviews.Decision(request.caller(), request.view(), draft, Objects.requireNonNull(read));
    }
}
