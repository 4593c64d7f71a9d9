package dev.inboxd.sending.answer;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.sending.compose.SendRequest;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Under which terms a draft may leave.
 *
 * @param claim the claim that it shows, or null; nobody is told of it
 * @param keepsClaim whether the claim goes on after the message
 * @param ifUnanswered whether a second answer is refused; null: as its inbox has it
 * @param cancelsOnReply whether an answer ends its schedule
 */
public record DraftTerms(
        @Nullable String claim,
        boolean keepsClaim,
        @Nullable Boolean ifUnanswered,
        boolean cancelsOnReply) {
    /** Nothing is said. */
    public static final DraftTerms NONE = new DraftTerms(null, false, null, false);
    /** The columns of a draft with the alias {@code d}. */
    public static final String COLUMNS = "d.claim_id, d.keep_claim, d.if_unanswered, d.cancel_on_reply";

    private static final String CANCEL = "cancel_on_reply";

    /** What a row says. */
    public static DraftTerms read(Row row) {
        return new DraftTerms(
                row.textOrNull("claim_id"),
                Boolean.TRUE.equals(row.flagOrNull("keep_claim")),
                row.flagOrNull("if_unanswered"),
                Boolean.TRUE.equals(row.flagOrNull("cancel_on_reply")));
    }

    /** Reads the members of a request; those that it leaves out stay as they were. */
    public DraftTerms read(JsonBody body) {
        AnswerTerms terms = SendRequest.terms(body, AnswerTerms.Kind.ANSWER);
        return new DraftTerms(
                body.has("claim_id") ? terms.claim() : claim,
                body.has("keep_claim") ? terms.keepsClaim() : keepsClaim,
                body.has("if_unanswered") ? terms.ifUnanswered() : ifUnanswered,
                body.has(CANCEL) ? body.flag(CANCEL, false) : cancelsOnReply);
    }

    /** Of what waits for approval: a claim has ended by then, unless it goes on. */
    public static DraftTerms waiting(AnswerTerms terms) {
        return new DraftTerms(
                terms.keepsClaim() ? terms.claim() : null, terms.keepsClaim(), terms.ifUnanswered(), false);
    }

    /** The terms of its message. */
    public AnswerTerms of(AnswerTerms.Kind kind, @Nullable String original, UUID draft) {
        return new AnswerTerms(kind, claim, keepsClaim, ifUnanswered, original, draft, null);
    }

    /** The same with what somebody says who sends it. */
    public DraftTerms and(AnswerTerms said) {
        return new DraftTerms(
                said.claim() == null ? claim : said.claim(),
                keepsClaim || said.keepsClaim(),
                said.ifUnanswered() == null ? ifUnanswered : said.ifUnanswered(),
                cancelsOnReply);
    }

    /** The members that a draft shows. */
    public JsonObject json() {
        return JsonObject.of("if_unanswered", ifUnanswered).with(CANCEL, cancelsOnReply ? true : null);
    }

    /** Refuses a draft that no answer could cancel. */
    public void check(JsonBody body, boolean hasOriginal, boolean hasRecipients) {
        if (cancelsOnReply && !hasOriginal && !hasRecipients) {
            body.fault(CANCEL, UNCANCELLABLE);
        }
    }

    /** Why a draft without both is refused. */
    public static final String UNCANCELLABLE = CANCEL + " needs in_reply_to or to";

    /** Keeps the terms of a draft, after its row was written. */
    public void appendTo(RoundTrip trip, View all, UUID draft, List<String> to) {
        trip.change(
                all,
                """
                update draft d set claim_id = :claim, keep_claim = :keep, if_unanswered = :once,
                    cancel_on_reply = :cancel, cancel_to = case when d.in_reply_to is null then :to::text[] end,
                    cancel_thread = (select m.thread_id from message m where m.organization_id = {organization}
                                     and m.inbox_id = d.inbox_id and m.name = d.in_reply_to)
                where {d} and d.draft_id = :id""",
                "id",
                draft,
                "claim",
                claim,
                "keep",
                keepsClaim,
                "once",
                ifUnanswered,
                "cancel",
                cancelsOnReply,
                "to",
                addresses(to));
    }

    private static List<String> addresses(List<String> to) {
        return to.stream()
                .map(address -> MailAddress.parse(address).address().toLowerCase(Locale.ROOT))
                .toList();
    }
}
