package dev.inboxd.sending.draft;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.FileDownload;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.mailbox.http.DownloadHttp;
import dev.inboxd.sending.SendingModule;
import dev.inboxd.sending.limit.ExemptionHttp;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.inbox.Inboxes;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Drafts, their schedule and their files. */
public final class DraftModule implements ServiceModule {
    private final PlatformModule platform;
    private final MailboxModule mailbox;
    private final DraftFiles files;
    private final DraftHttp http;
    private final DraftReviewHttp reviews;
    private final DraftScheduler scheduler;

    /** The drafts of this mail. */
    public DraftModule(PlatformModule platform, MailboxModule mailbox, SendingModule sending) {
        this.platform = platform;
        this.mailbox = mailbox;
        Database database = platform.database();
        this.files = new DraftFiles(database, platform.blobs());
        Drafts drafts = new Drafts(
                database,
                files,
                new AttachedFiles.Sources(
                        mailbox.fetcher(), sending.originals(), sending.config().storage()));
        DraftSender sender = new DraftSender(
                drafts, new DraftMessages(database, files, sending.originals()), files, sending.sender());
        this.http = new DraftHttp(drafts, sender, sending.idempotency(), platform.links(), platform.clock());
        this.reviews = new DraftReviewHttp(
                new DraftReviews(database, drafts, sender, mailbox.events()), sending.idempotency());
        sending.sender()
                .approvals()
                .setDesk(new WaitingDrafts(database, files, sending.config().storage(), mailbox.events()));
        this.scheduler = new DraftScheduler(database, sender, platform.due(), platform.nodes());
        platform.takeOver().add(scheduler.claims());
    }

    /** Deletes the drafts of an inbox together with it, by a job of this platform. */
    public static Inboxes.DeletionHook purge(PlatformModule platform) {
        DraftPurge purge = new DraftPurge(platform.database(), platform.blobs(), platform.jobs());
        platform.jobs().handle(DraftPurge.KIND, purge);
        return purge;
    }

    /** Lets drafts in which a key wrote need approval ({@link KeyWritings.Hook}). */
    public static @Nullable String bind(Tx tx, UUID organization, KeyWritings.Part part) {
        return DraftApprovalSql.bind(tx, View.of(organization), part);
    }

    /** Downloads are mounted here: a signed link leads to a file of a message or of a draft. */
    @Override
    public void mount(RouteTable routes) {
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            http.mount(routes.at(level));
        }
        http.mountInbox(routes.at(Level.INBOX));
        reviews.mount(routes.at(Level.INBOX));
        new ExemptionHttp(platform.database()).mount(routes.at(Level.INBOX));
        new DownloadHttp(platform.database(), mailbox.messages(), mailbox.contents(), platform.links(), this::download)
                .mount(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Phase.TRAFFIC, scheduler::close);
    }

    /** What a signed link to a draft's file leads to; nothing when it is gone. */
    private Optional<FileDownload> download(UUID organization, UUID id) {
        return platform.database()
                .read(tx -> DraftFileSql.find(tx, View.of(organization), id))
                .flatMap(file -> files.source(organization, file)
                        .map(source -> new FileDownload(
                                file.filename() == null ? "attachment" : file.filename(),
                                file.mediaType(),
                                file.size(),
                                "d-" + id,
                                source)));
    }
}
