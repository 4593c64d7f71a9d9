package dev.inboxd.mailbox;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.InboxFeed;
import dev.inboxd.event.InboxFeedHttp;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.claim.ThreadClaims;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.deletion.Deletions;
import dev.inboxd.mailbox.deletion.InboxPurge;
import dev.inboxd.mailbox.deletion.Trash;
import dev.inboxd.mailbox.document.DocumentReader;
import dev.inboxd.mailbox.http.ClaimHttp;
import dev.inboxd.mailbox.http.ExtractedHttp;
import dev.inboxd.mailbox.http.MessageHttp;
import dev.inboxd.mailbox.http.ThreadHttp;
import dev.inboxd.mailbox.label.change.LabelUpdates;
import dev.inboxd.mailbox.markdown.FileMarkdown;
import dev.inboxd.mailbox.markdown.MarkdownItems;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.search.SearchHttp;
import dev.inboxd.mailbox.search.index.Indexer;
import dev.inboxd.mailbox.thread.ThreadReads;
import dev.inboxd.mailbox.thread.WaitingUpkeep;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.SafeHttp;
import java.time.Duration;
import java.util.List;

/** The mail of inboxes: messages, threads, attachments, search. */
public final class MailboxModule implements ServiceModule {
    private final PlatformModule platform;
    private final EventLog events;
    private final MessageContents contents;
    private final LargeMessages largeMessages;
    private final ReadableContentCache readable = new ReadableContentCache();
    private final Messages messages;
    private final Deletions deletions;
    private final Trash trash;
    private final Indexer indexer;
    private final WaitingUpkeep waiting;
    private final DocumentReader documents;
    private final AttachmentFetcher fetcher;

    /**
     * The mail on this platform.
     *
     * @param http fetches attachments by URL
     * @param events the log that changes of mail are appended to
     */
    public MailboxModule(MailboxConfig config, PlatformModule platform, SafeHttp http, EventLog events) {
        this.platform = platform;
        this.events = events;
        Database database = platform.database();
        this.contents = new MessageContents(platform.blobs());
        this.largeMessages = new LargeMessages(database, platform.blobs());
        this.messages = new Messages(database);
        this.deletions = new Deletions(database, platform.blobs(), events, platform.jobs());
        this.trash =
                new Trash(database, deletions, () -> platform.nodes().marks().isHeld());
        this.indexer = new Indexer(database, contents, readable, platform.due());
        this.waiting = new WaitingUpkeep(database, platform.due());
        this.documents = new DocumentReader(database, messages, contents, platform.due());
        this.fetcher = new AttachmentFetcher(http, new HostLimiter(config.downloadsPerTarget()), config.fetched());
    }

    /** The log that changes of mail are appended to. */
    public EventLog events() {
        return events;
    }

    public MessageContents contents() {
        return contents;
    }

    public LargeMessages largeMessages() {
        return largeMessages;
    }

    /** Keeps what is shown of messages that were just stored. */
    public ReadableContentCache readable() {
        return readable;
    }

    public Messages messages() {
        return messages;
    }

    /** Makes messages searchable. */
    public Indexer indexer() {
        return indexer;
    }

    /** Fetches attachments by URL. */
    public AttachmentFetcher fetcher() {
        return fetcher;
    }

    /** What people threw away. */
    public Trash trash() {
        return trash;
    }

    /** Deletes what an inbox held. */
    public InboxPurge purge() {
        return new InboxPurge(platform.database(), platform.blobs());
    }

    @Override
    public void mount(RouteTable routes) {
        Database database = platform.database();
        MarkdownItems listed = new MarkdownItems(database, contents);
        FileMarkdown files = new FileMarkdown(database, messages, contents);
        LabelUpdates labels = new LabelUpdates(database, events);
        new MessageHttp(new MessageHttp.Parts(
                        messages,
                        labels,
                        new FullMessageReads(database),
                        deletions,
                        contents,
                        listed,
                        files,
                        platform.links()))
                .mount(routes.at(Level.INBOX));
        new ClaimHttp(new ThreadClaims(database)).mount(routes.at(Level.INBOX));
        new ExtractedHttp(new FullMessageReads(database), contents).mount(routes.at(Level.INBOX));
        new InboxFeedHttp(new InboxFeed(database)).mount(routes.at(Level.INBOX));
        ThreadHttp threads = new ThreadHttp(new ThreadHttp.Parts(
                new ThreadReads(database, waiting),
                messages,
                labels,
                deletions,
                contents,
                listed,
                files,
                platform.links()));
        SearchHttp search = new SearchHttp(database, contents, listed, platform.searchBudget());
        search.mountMessages(routes.at(Level.INBOX));
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            threads.mount(routes.at(level));
            search.mountThreads(routes.at(level));
        }
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.SHARED, indexer::start, indexer::close);
        platform.metrics()
                .level(
                        "inboxd.search.lag.seconds",
                        "How long the oldest change at this node has waited for the search index",
                        () -> indexer.lag() / 1e9);
        platform.metrics()
                .gauge(
                        "inboxd.search.waiting",
                        "Organizations with changes at this node that are not in the search index",
                        indexer::waiting);
        PeriodicTask emptying = new PeriodicTask("trash", Duration.ofHours(1), trash::sweep);
        lifecycle.add(Phase.JOBS, emptying::start, emptying::close);
        lifecycle.add(Phase.TRAFFIC, documents::start, documents::close);
    }
}
