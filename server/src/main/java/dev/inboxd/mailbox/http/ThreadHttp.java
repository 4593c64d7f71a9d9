package dev.inboxd.mailbox.http;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.Json;
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
import dev.inboxd.mailbox.markdown.Transcript;
import dev.inboxd.mailbox.markdown.TranscriptReader;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.thread.MailFilter;
import dev.inboxd.mailbox.thread.ThreadFilter;
import dev.inboxd.mailbox.thread.ThreadJson;
import dev.inboxd.mailbox.thread.ThreadReads;
import dev.inboxd.mailbox.thread.ThreadTotals;
import dev.inboxd.mailbox.thread.ThreadWait;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Threads with their messages over HTTP, alike for organizations, pods and inboxes (mail.md §7). Only routes: the rules
 * are in {@link Messages}.
 */
public final class ThreadHttp {
    private static final int READ_TOGETHER = 20;
    private static final long MOST_CHARACTERS = 2 << 20;

    private final ThreadReads threads;
    private final Messages messages;
    private final LabelUpdates labels;
    private final Deletions deletions;
    private final MessageContents contents;
    private final MarkdownItems listed;
    private final FileMarkdown files;
    private final Links links;

    /**
     * The services that threads are shown from.
     *
     * @param listed shows pages of them as Markdown
     * @param files shows their files as Markdown
     * @param links to their attachments
     */
    public record Parts(
            ThreadReads threads,
            Messages messages,
            LabelUpdates labels,
            Deletions deletions,
            MessageContents contents,
            MarkdownItems listed,
            FileMarkdown files,
            Links links) {}

    /** Routes to these threads. */
    public ThreadHttp(Parts parts) {
        this.threads = parts.threads;
        this.messages = parts.messages;
        this.labels = parts.labels;
        this.deletions = parts.deletions;
        this.contents = parts.contents;
        this.listed = parts.listed;
        this.files = parts.files;
        this.links = parts.links;
    }

    /** Mounts the routes of one level: organization, pod or inbox. */
    public void mount(Routes level) {
        level.get(Permission.MESSAGE_READ, "/threads", this::list);
        level.get(Permission.MESSAGE_READ, "/threads/{thread_id}", this::get);
        level.get(Permission.MESSAGE_READ, "/threads/{thread_id}/attachments/{attachment_id}", this::attachment);
        level.patch(Permission.MESSAGE_UPDATE, "/threads/{thread_id}", this::relabel);
        level.delete(Permission.MESSAGE_DELETE, "/threads/{thread_id}", this::delete);
    }

    private Response list(Request request) {
        Query query = request.query();
        MailFilter filter = MessageHttp.filter(query)
                .with(new MailFilter.Texts(query.list("senders"), query.list("recipients"), query.list("subject")))
                .with(MailFilter.attached(query));
        MarkdownQuery markdownQuery = MarkdownQuery.ofItems(query);
        ThreadFilter threadFilter = waiting(query, filter);
        PageRequest page = request.page(
                MarkdownQuery.limit(markdownQuery, MessageHttp.limit(filter)),
                query.flag("ascending", threadFilter.isBySince()));
        Slice<ThreadReads.ThreadView> slice = threads.list(request.view(), threadFilter, page);
        UUID organization = request.view().organization();
        return Response.ok(
                markdownQuery == null
                        ? page.listing("threads", slice, threadView -> item(organization, threadView))
                        : page.listing(
                                "threads",
                                listed.of(
                                        request,
                                        slice.map(threadView -> listed(organization, threadFilter, threadView)),
                                        markdownQuery),
                                Function.identity()));
    }

    private static JsonObject item(UUID organization, ThreadReads.ThreadView threadView) {
        return ThreadJson.of(threadView.thread(), threadView.inboxName(), threadView.attachments())
                .withAll(threadView.additions(organization));
    }

    private enum Order {
        WAITING_SINCE
    }

    /** Who waits, and in which order, beside another filter (mail.md §7.1). */
    private static ThreadFilter waiting(Query query, MailFilter filter) {
        ThreadWait.Side side = query.choice("waiting", ThreadWait.Side.values(), ThreadWait.Side::wireName);
        boolean isBySince = query.choice("order", Order.values(), _ -> "waiting_since") != null;
        if (isBySince && side == null) {
            query.fault(
                    "order",
                    "order=waiting_since needs waiting=me or waiting=them beside it",
                    Fault.Code.INVALID_VALUE,
                    "waiting=me or waiting=them");
        }
        return new ThreadFilter(filter, side, query.flag("claimed"), isBySince && side != null);
    }

    /** The Markdown of a thread is that of the newest message that counts (mail.md §10.4). */
    private static MarkdownItems.Item listed(
            UUID organization, ThreadFilter filter, ThreadReads.ThreadView threadView) {
        ThreadTotals totals = threadView.thread().totals();
        return new MarkdownItems.Item(
                item(organization, threadView),
                new MarkdownItems.Key(threadView.thread().inbox(), totals.lastMessage()),
                Attachment.octetsWithout(totals.size(), threadView.attachments()),
                filter.place(threadView.thread()));
    }

    private Response get(Request request) {
        boolean includesHeld = request.query().flag("include_held", false);
        MarkdownQuery markdownQuery = MarkdownQuery.ofTranscript(request.query());
        PageRequest page = request.page(new PageLimit(100, 100, false), false);
        ThreadReads.ThreadView threadView = threads.get(request.view(), id(request));
        // mail.md §10.4: messages in the trash are left out, unless the thread has no others.
        ThreadTotals totals = threadView.thread().totals();
        int excluded = totals.isClean() ? RestrictedLabel.TRASH.bit() : 0;
        // Held messages likewise (security.md §2), unless they are asked for.
        excluded |= includesHeld || totals.tier() == ThreadTotals.Tier.HELD ? 0 : RestrictedLabel.HELD.bit();
        request.reserveText(textOctets(threadView));
        UUID thread = threadView.thread().id();
        JsonObject place = threadView.additions(request.view().organization());
        if (markdownQuery != null) {
            Transcript transcript = transcript(request.view(), thread, excluded).page(page, markdownQuery);
            return Response.ok(head(threadView, page, transcript.entries().size(), transcript.older())
                    .withAll(place)
                    .withAll(transcript.members()));
        }
        Slice<RawJson> slice = messages(request, thread, excluded, page);
        return Response.ok(head(threadView, page, slice.items().size(), slice.next())
                .with("messages", slice.items().reversed())
                .withAll(place));
    }

    private static JsonObject head(
            ThreadReads.ThreadView threadView, PageRequest page, int count, @Nullable Cursor older) {
        return ThreadJson.of(threadView.thread(), threadView.inboxName(), threadView.attachments())
                .with("count", count)
                .with("limit", page.limit())
                .with("next_page_token", older == null ? null : page.next().apply(older));
    }

    private TranscriptReader transcript(View view, UUID thread, int excluded) {
        return new TranscriptReader(
                contents,
                new TranscriptReader.Source(
                        view.organization(),
                        page -> messages.ofThread(view, thread, excluded, page),
                        light -> messages.withBodies(view, light)));
    }

    /** The octets of the texts of a page, at most: those of its messages without their files, and what is extracted. */
    private static long textOctets(ThreadReads.ThreadView threadView) {
        long octets = Attachment.octetsWithout(threadView.thread().totals().size(), threadView.attachments());
        return Math.min(2 * octets, 2 * MOST_CHARACTERS);
    }

    /**
     * A page of a thread's messages, newest first. The page is short when they are large, because answers are built in
     * memory.
     */
    private Slice<RawJson> messages(Request request, UUID thread, int excluded, PageRequest page) {
        List<RawJson> list = new ArrayList<>();
        Cursor reached = page.after();
        long characters = 0;
        while (true) {
            PageRequest nextPage =
                    new PageRequest(Math.min(READ_TOGETHER, page.limit() - list.size()), false, reached, page.next());
            Slice<Messages.ThreadMessage> slice = messages.ofThread(request.view(), thread, excluded, nextPage);
            int left = slice.items().size();
            for (Messages.ThreadMessage light : slice.items()) {
                left--;
                FullMessage fullMessage =
                        light.isHeavy() ? messages.withBodies(request.view(), light.message()) : light.message();
                RawJson rendered = new RawJson(Json.text(contents.json(request.caller(), fullMessage)));
                list.add(rendered);
                characters += rendered.text().length();
                reached = Cursor.of(fullMessage.message().createdAt());
                if (characters > MOST_CHARACTERS && (slice.next() != null || left > 0)) {
                    return new Slice<>(list, reached);
                }
            }
            if (slice.next() == null || list.size() >= page.limit()) {
                return new Slice<>(list, slice.next());
            }
        }
    }

    private Response attachment(Request request) {
        UUID thread = threads.get(request.view(), id(request)).thread().id();
        Attachment attachment = messages.attachment(request.view(), request.path("attachment_id"), null, thread);
        MarkdownQuery markdownQuery = MarkdownQuery.ofFile(request.query());
        JsonObject json = attachment.link(links, request.view().organization());
        return Response.ok(
                markdownQuery == null ? json : json.withAll(files.members(request, attachment, markdownQuery)));
    }

    private Response relabel(Request request) {
        UUID id = id(request);
        LabelChange change = LabelMembers.read(request.body());
        return Response.ok(
                JsonObject.of("thread_id", id).with("labels", labels.relabelThread(request.view(), id, change)));
    }

    private Response delete(Request request) {
        String inbox = deletions.thread(request.view(), id(request));
        if (inbox != null) {
            request.change().target(inbox);
        }
        return Response.ok();
    }

    private static UUID id(Request request) {
        UUID id = Uuid7.parse(request.path("thread_id"));
        if (id == null) {
            throw Problem.notFound("Thread");
        }
        return id;
    }
}
