package dev.inboxd.sending.draft;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.markdown.InlineFileNames;
import dev.inboxd.mailbox.markdown.MarkdownAnswer;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON forms of drafts (mail.md §4.13, §4.14). */
final class DraftJson {
    private DraftJson() {}

    /** A draft in a list. */
    static JsonObject item(UUID organization, DraftReads.DraftWithFiles item) {
        Draft draft = item.draft();
        return extended(
                head(draft)
                        .with("labels", draft.labels())
                        .withAll(content(item))
                        .withAll(tail(draft)),
                organization,
                draft);
    }

    /** A single draft. */
    static JsonObject full(UUID organization, DraftReads.DraftWithFiles item) {
        Draft draft = item.draft();
        JsonObject json = head(draft)
                .with("client_id", draft.clientId())
                .with("labels", draft.labels())
                .with("reply_to", nonEmpty(draft.people().replyTo()))
                .withAll(content(item))
                .with("text", draft.text().text())
                .with("html", draft.text().html())
                .with("references", nonEmpty(draft.origin().references()))
                .withAll(tail(draft))
                .with("created_at", draft.createdAt());
        return extended(json, organization, draft);
    }

    /** A single draft with the Markdown of its bodies in their place (markdown.md §1). */
    static JsonObject markdown(UUID organization, DraftReads.DraftWithFiles item, MarkdownQuery query) {
        InlineFileNames files = new InlineFileNames();
        item.files().forEach(file -> files.add(file.contentId(), file.filename()));
        Draft.Text text = item.draft().text();
        return full(organization, item)
                .without("text", "html")
                .withAll(MarkdownAnswer.ofDraft(text.text(), text.html(), files, query)
                        .members());
    }

    /** Adds the members that the original interface does not have, behind all others. */
    private static JsonObject extended(JsonObject json, UUID organization, Draft draft) {
        return json.withAll(draft.origin().terms().json())
                .with("send_error", draft.schedule().error())
                .with("approval", approval(draft.approval()))
                .with(
                        "author",
                        draft.author().key() == null
                                ? null
                                : JsonObject.of("api_key_id", draft.author().key()))
                .with("organization_id", organization)
                .with("pod_id", draft.place().pod());
    }

    /** What was asked, and what became of it; the ids are those that the message will have. */
    private static @Nullable JsonObject approval(Draft.@Nullable Approval approval) {
        return approval == null
                ? null
                : JsonObject.of("status", approval.isRejected() ? "rejected" : "awaiting")
                        .with("message_id", approval.reserved().name())
                        .with("thread_id", approval.reserved().thread())
                        .with("requested_by", approval.askedBy())
                        .with("requested_at", approval.askedAt())
                        .with("headers", fields(approval.specifics()))
                        .with("note", approval.note());
    }

    /** The header fields that its author gave the message; null when there are none. */
    private static @Nullable JsonObject fields(@Nullable DraftSpecifics specifics) {
        if (specifics == null || specifics.headers().isEmpty()) {
            return null;
        }
        JsonObject fields = new JsonObject();
        specifics.headers().forEach(header -> fields.with(header.name(), header.value()));
        return fields;
    }

    private static JsonObject head(Draft draft) {
        return JsonObject.of("inbox_id", draft.place().inboxName()).with("draft_id", draft.id());
    }

    private static JsonObject content(DraftReads.DraftWithFiles item) {
        Draft draft = item.draft();
        return JsonObject.of("to", nonEmpty(draft.people().to()))
                .with("cc", nonEmpty(draft.people().cc()))
                .with("bcc", nonEmpty(draft.people().bcc()))
                .with("subject", draft.text().subject())
                .with("preview", draft.text().preview())
                .with(
                        "attachments",
                        nonEmpty(item.files().stream().map(DraftFile::json).toList()))
                .with("in_reply_to", draft.origin().inReplyTo())
                .with("forward_of", draft.origin().forwardOf());
    }

    private static JsonObject tail(Draft draft) {
        Draft.Status status = draft.schedule().status();
        return JsonObject.of("send_status", status == null ? null : status.wireName())
                .with("send_at", draft.schedule().sendAt())
                .with("updated_at", draft.updatedAt());
    }

    private static <T> @Nullable List<T> nonEmpty(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
