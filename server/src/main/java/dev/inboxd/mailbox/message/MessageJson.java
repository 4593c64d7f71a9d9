package dev.inboxd.mailbox.message;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.content.ReadableContent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON forms of messages (mail.md §4.6, §4.7). */
public final class MessageJson {
    private MessageJson() {}

    /** A message in a list, without its additions. */
    public static JsonObject item(FullMessage fullMessage, ReadableContent shown) {
        return item(fullMessage.message(), shown, fullMessage.attachments());
    }

    /**
     * The members of a message in a list that the original interface does not have; they stand behind all others: the
     * draft that became the message, the event that it made, where its inbox lies, and who answers in its thread.
     *
     * @param caller who reads it
     */
    public static JsonObject additions(Caller caller, FullMessage fullMessage) {
        return security(fullMessage.message())
                .with("draft_id", fullMessage.draft())
                .with("calendar_event_id", calendarEvent(caller, fullMessage))
                .with("organization_id", caller.organization())
                .with("pod_id", fullMessage.message().place().pod())
                .withAll(fullMessage.claim().json());
    }

    private static JsonObject item(Message message, ReadableContent shown, List<Attachment> attachments) {
        JsonObject people =
                head(message).with("from", message.people().from()).with("from_address", fromAddress(message.people()));
        return message.people()
                .withRecipients(people)
                .with("delivered_to", nonEmpty(message.people().deliveredTo()))
                .with("subject", message.subject())
                .with("preview", message.preview())
                .with(
                        "attachments",
                        attachments.isEmpty()
                                ? null
                                : attachments.stream().map(Attachment::json).toList())
                .with("in_reply_to", shown.inReplyTo())
                .with("references", nonEmpty(shown.references()))
                .with("headers", shown.headers())
                .with("size", message.size())
                .with("updated_at", message.updatedAt())
                .with("created_at", message.createdAt());
    }

    /** A single message without its body; the members that a list does not have come first (mail.md §4.7). */
    public static JsonObject single(
            UUID organization, Message message, ReadableContent shown, List<Attachment> attachments) {
        return JsonObject.of("organization_id", organization)
                .with("from_", message.people().authors())
                .withAll(item(message, shown, attachments))
                .with("reply_to", nonEmpty(shown.replyTo()))
                .with("opened_at", message.openedAt())
                .with("authentication", shown.authentication() == null ? null : findings(shown.authentication()))
                .with("authentication_results", shown.authentication() == null ? null : words(shown.authentication()));
    }

    /** The same in one word for each method: of several signatures the one that passed. */
    private static JsonObject words(AuthenticationResults results) {
        List<AuthResult> signatures =
                results.dkim().stream().map(AuthenticationResults.Dkim::result).toList();
        AuthResult dkim = signatures.contains(AuthResult.PASS)
                ? AuthResult.PASS
                : signatures.isEmpty() ? AuthResult.NONE : signatures.getFirst();
        return JsonObject.of("spf", results.spf().result().wireName())
                .with("dkim", dkim.wireName())
                .with("dmarc", results.dmarc().result().wireName());
    }

    /**
     * The results of the sender authentication. They are not in the original interface, so they have a member of their
     * own (ruling 35).
     */
    private static JsonObject findings(AuthenticationResults results) {
        AuthenticationResults.Spf spf = results.spf();
        return JsonObject.of(
                        "spf",
                        JsonObject.of("result", spf.result().wireName())
                                .with("identity", spf.mailFrom() ? "mailfrom" : "helo")
                                .with("domain", spf.domain()))
                .with(
                        "dkim",
                        results.dkim().stream()
                                .map(signature -> JsonObject.of(
                                                "result", signature.result().wireName())
                                        .with("domain", signature.domain())
                                        .with("selector", signature.selector())
                                        .with("algorithm", signature.algorithm()))
                                .toList())
                .with(
                        "dmarc",
                        JsonObject.of("result", results.dmarc().result().wireName())
                                .with("domain", results.dmarc().domain())
                                .with("policy", results.dmarc().policy()))
                .with("aligned", results.dmarc().aligned())
                .with(
                        "arc",
                        JsonObject.of("result", results.arc().result().wireName())
                                .with("domain", results.arc().domain()));
    }

    /** Adds the additions of a single message behind its other members, for that caller. */
    public static JsonObject extended(JsonObject json, Caller caller, FullMessage fullMessage) {
        return json.withAll(security(fullMessage.message()))
                .with("draft_id", fullMessage.draft())
                .with("calendar_event_id", calendarEvent(caller, fullMessage))
                .with(
                        "calendar_import",
                        fullMessage.calendar() == null
                                ? null
                                : fullMessage.calendar().json())
                .with("pod_id", fullMessage.message().place().pod())
                .withAll(fullMessage.claim().json());
    }

    /** The event that the message made, for a caller that may read events; null for others (calendar.md §7.2). */
    private static @Nullable String calendarEvent(Caller caller, FullMessage fullMessage) {
        return fullMessage.calendar() != null && caller.holds(Permission.CALENDAR_EVENT_READ)
                ? fullMessage.calendar().event()
                : null;
    }

    /** What helps a reader to distrust a message. */
    private static JsonObject security(Message message) {
        MessageSecurity security = message.security();
        return JsonObject.of("first_contact", message.firstContact())
                .with("security", security == null ? null : security.json());
    }

    /**
     * The same in an event. Only a verdict that decided about the event is there, so the event is the same before and
     * after (ruling 42).
     */
    public static JsonObject raisedSecurity(Message message) {
        MessageSecurity security = message.security();
        return JsonObject.of("first_contact", message.firstContact())
                .with("security", security == null || !security.hold() ? null : security.json());
    }

    /** Adds the members of the body. */
    public static JsonObject withBody(JsonObject json, ReadableContent shown, ExtractedReply extracted) {
        return json.with("text", shown.text())
                .with("html", shown.html())
                .with("extracted_text", extracted.text())
                .with("extracted_html", extracted.html());
    }

    private static JsonObject head(Message message) {
        return JsonObject.of("inbox_id", message.place().inboxName())
                .with("thread_id", message.place().thread())
                .with("message_id", message.name())
                .with("labels", message.labels())
                .with("timestamp", message.createdAt());
    }

    private static @Nullable String fromAddress(Message.People people) {
        return people.from().isEmpty() ? null : MailAddress.bare(people.from());
    }

    private static @Nullable List<String> nonEmpty(List<String> list) {
        return list.isEmpty() ? null : list;
    }
}
