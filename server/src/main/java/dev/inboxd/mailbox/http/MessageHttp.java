package dev.inboxd.mailbox.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.deletion.Deletions;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.change.LabelUpdates;
import dev.inboxd.mailbox.markdown.FileMarkdown;
import dev.inboxd.mailbox.markdown.MarkdownItems;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.mailbox.markdown.MessageMarkdown;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageJson;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.thread.MailFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Messages of an inbox over HTTP. Only routes: the rules are in {@link Messages}. */
public final class MessageHttp {
    private static final int MOST_READ = 500;
    private static final int READ_TOGETHER = 10;
    /** Characters of an answer with many messages, whose headers are as long as their senders like. */
    private static final long MOST_CHARACTERS = 8 << 20;

    private static final int MOST_CHANGED = 50;
    private static final int LONGEST_NAME = 1_000;

    private final Messages messages;
    private final LabelUpdates labels;
    private final FullMessageReads fullReads;
    private final Deletions deletions;
    private final MessageContents contents;
    private final MessageMarkdown markdown;
    private final MarkdownItems listed;
    private final FileMarkdown files;
    private final Links links;

    /**
     * The services that messages are shown from.
     *
     * @param fullReads reads single messages
     * @param listed shows pages of them as Markdown
     * @param files shows their files as Markdown
     * @param links to their files
     */
    public record Parts(
            Messages messages,
            LabelUpdates labels,
            FullMessageReads fullReads,
            Deletions deletions,
            MessageContents contents,
            MarkdownItems listed,
            FileMarkdown files,
            Links links) {}

    /** Routes to these messages. */
    public MessageHttp(Parts parts) {
        this.messages = parts.messages;
        this.labels = parts.labels;
        this.fullReads = parts.fullReads;
        this.deletions = parts.deletions;
        this.contents = parts.contents;
        this.markdown = new MessageMarkdown(parts.contents);
        this.listed = parts.listed;
        this.files = parts.files;
        this.links = parts.links;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages", this::list);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}", this::get);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/raw", this::raw);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/attachments/{attachment_id}", this::attachment);
        inbox.patch(Permission.MESSAGE_UPDATE, "/messages/{message_id}", this::relabel);
        inbox.delete(Permission.MESSAGE_DELETE, "/messages/{message_id}", this::delete);
        inbox.post(Permission.MESSAGE_READ, "/messages/batch-get", this::getSome);
        inbox.post(Permission.MESSAGE_UPDATE, "/messages/batch-update", this::relabelSome);
    }

    /** What lists of messages, lists of threads and waiting have in common (mail.md §1.6, §1.7, §10). */
    public static MailFilter filter(Query query) {
        List<String> labels = MailFilter.labels(query);
        int excluded = 0;
        for (RestrictedLabel restricted : RestrictedLabel.values()) {
            boolean named = restricted == RestrictedLabel.HELD && labels.contains(restricted.label());
            excluded |= query.flag("include_" + restricted.label(), false) || named ? 0 : restricted.bit();
        }
        Instant after = query.instant("after");
        Instant before = query.instant("before");
        return new MailFilter(labels, excluded, after, before);
    }

    /** A list that searches for texts has shorter pages (mail.md §1.5). */
    static PageLimit limit(MailFilter filter) {
        return PageLimit.list(filter.texts().isEmpty() ? 500 : 100);
    }

    private Response list(Request request) {
        Query query = request.query();
        MailFilter filter = filter(query)
                .with(new MailFilter.Texts(query.list("from"), query.list("to"), query.list("subject")))
                .with(MailFilter.attached(query));
        MarkdownQuery markdownQuery = MarkdownQuery.ofItems(query);
        PageRequest page = request.page(MarkdownQuery.limit(markdownQuery, limit(filter)));
        Slice<FullMessage> slice = messages.list(request.view(), filter, page);
        return Response.ok(
                markdownQuery == null
                        ? page.listing("messages", slice, fullMessage -> item(request, fullMessage))
                        : page.listing(
                                "messages",
                                listed.of(
                                        request, slice.map(fullMessage -> listed(request, fullMessage)), markdownQuery),
                                Function.identity()));
    }

    private JsonObject item(Request request, FullMessage fullMessage) {
        return MessageJson.item(fullMessage, contents.readable(fullMessage.content()))
                .withAll(MessageJson.additions(request.caller(), fullMessage));
    }

    private MarkdownItems.Item listed(Request request, FullMessage fullMessage) {
        Message message = fullMessage.message();
        return new MarkdownItems.Item(
                item(request, fullMessage),
                new MarkdownItems.Key(message.place().inbox(), message.name()),
                Attachment.octetsWithout(message.size(), fullMessage.attachments()),
                Cursor.of(message.createdAt()));
    }

    private Response get(Request request) {
        FullMessage fullMessage = fullReads
                .find(request, name(request))
                .orElseThrow(() -> fullReads.missing(request.view(), name(request)));
        MarkdownQuery markdownQuery = MarkdownQuery.ofMessage(request.query());
        List<JsonObject> deliveries = messages.deliveries(request.view(), fullMessage.message());
        if (markdownQuery != null) {
            return Response.ok(markdown.single(request.caller(), fullMessage, markdownQuery, deliveries));
        }
        JsonObject json =
                contents.rendered(request.view().organization(), fullMessage).with("deliveries", deliveries);
        return Response.ok(MessageJson.extended(json, request.caller(), fullMessage));
    }

    private Response raw(Request request) {
        Message message = messages.row(request.view(), name(request));
        Links.Link link = links.to(Links.Kind.RAW, request.view().organization(), message.id());
        return Response.ok(JsonObject.of("message_id", message.name())
                .with("size", message.size())
                .with("download_url", link.url())
                .with("expires_at", link.expiresAt()));
    }

    private Response attachment(Request request) {
        Message message = messages.row(request.view(), name(request));
        Attachment attachment = messages.attachment(request.view(), request.path("attachment_id"), message.id(), null);
        MarkdownQuery markdownQuery = MarkdownQuery.ofFile(request.query());
        JsonObject json = attachment.link(links, request.view().organization());
        return Response.ok(
                markdownQuery == null ? json : json.withAll(files.members(request, attachment, markdownQuery)));
    }

    private Response relabel(Request request) {
        Message message = labels.relabel(request.view(), name(request), LabelMembers.read(request.body()));
        return Response.ok(labels(message));
    }

    private Response delete(Request request) {
        deletions.message(request.view(), name(request), request.query().flag("held", false));
        return Response.ok();
    }

    /** Full messages without their bodies, which are never in this answer (mail.md §6.4). */
    private Response getSome(Request request) {
        List<String> names = names(request.body(), MOST_READ);
        request.body().check();
        request.reserve(names.size());
        List<RawJson> list = new ArrayList<>();
        for (int from = 0; from < names.size(); from += READ_TOGETHER) {
            List<String> portion = names.subList(from, Math.min(from + READ_TOGETHER, names.size()));
            messages.list(request.view(), portion)
                    .forEach(fullMessage -> list.add(single(request.caller(), fullMessage)));
            long characters =
                    list.stream().mapToLong(item -> item.text().length()).sum(); // headers may be long
            if (characters > MOST_CHARACTERS) {
                throw Problem.of(
                        ErrorCode.UNPROCESSABLE,
                        "The headers of these messages are too large for one answer",
                        "Ask for at most " + Math.max(1, from) + " of these message_ids at once.");
            }
            request.reserveText(characters);
        }
        return Response.ok(
                JsonObject.of("limit", names.size()).with("count", list.size()).with("messages", list));
    }

    /** Rendered to text at once, so that the parsed message is freed before the others are read. */
    private RawJson single(Caller caller, FullMessage fullMessage) {
        JsonObject json = MessageJson.single(
                caller.organization(),
                fullMessage.message(),
                contents.readable(fullMessage.content()),
                fullMessage.attachments());
        return new RawJson(Json.text(MessageJson.extended(json, caller, fullMessage)));
    }

    private Response relabelSome(Request request) {
        List<String> names = names(request.body(), MOST_CHANGED);
        LabelChange change = LabelMembers.read(request.body());
        List<JsonObject> list = labels.relabel(request.view(), names, change).stream()
                .map(MessageHttp::labels)
                .toList();
        return Response.ok(
                JsonObject.of("limit", names.size()).with("count", list.size()).with("updates", list));
    }

    /** The ids in {@code message_ids}; faults are added to the body. */
    private static List<String> names(JsonBody body, int most) {
        List<String> names = body.strings("message_ids").max(LONGEST_NAME).most(most).required().stream()
                .map(MessageHttp::named)
                .toList();
        if (Set.copyOf(names).size() < names.size()) {
            body.fault("message_ids", "message_ids names each message once");
        }
        return names;
    }

    /** The message id in the path; the client may omit its angle brackets (mail.md §1.2). */
    public static String name(Request request) {
        return named(request.path("message_id"));
    }

    static String named(String id) {
        return id.startsWith("<") ? id : "<" + id + ">";
    }

    private static JsonObject labels(Message message) {
        return JsonObject.of("message_id", message.name()).with("labels", message.labels());
    }
}
