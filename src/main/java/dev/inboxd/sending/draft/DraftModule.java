package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.FileDownload;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.sending.IdempotentSender;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.OriginalMessage;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/** Drafts with everything behind them, as the service is wired. */
public final class DraftModule {
    private final Database database;
    private final DraftFiles files;
    private final DraftHttp http;
    private final DraftScheduler scheduler;

    /** What drafts stand on: their rows and files, and how mail is sent. */
    public record Parts(
            Database database,
            Blobs blobs,
            AttachmentFetcher fetching,
            OriginalMessage.Finder sources,
            MailSender sending,
            IdempotentSender once,
            Links links,
            InstantSource clock,
            StorageQuota quota) {}

    /** Drafts with these parts; nothing runs yet. */
    public DraftModule(Parts parts) {
        this.database = parts.database;
        this.files = new DraftFiles(database, parts.blobs);
        Drafts drafts = new Drafts(parts, files);
        DraftSender departure =
                new DraftSender(drafts, new DraftMessages(database, files, parts.sources), files, parts.sending);
        this.http = new DraftHttp(drafts, departure, parts.once, parts.links, parts.clock);
        this.scheduler = new DraftScheduler(database, departure);
    }

    /** The routes. */
    public DraftHttp http() {
        return http;
    }

    /** The schedule. */
    public DraftScheduler scheduler() {
        return scheduler;
    }

    /** What a signed link to a draft's file leads to; nothing when it is gone. */
    public Optional<FileDownload> download(UUID organization, UUID id) {
        return database.read(tx -> DraftFileSql.find(tx, View.of(organization), id))
                .flatMap(file -> files.source(organization, file)
                        .map(source -> new FileDownload(
                                file.filename() == null ? "attachment" : file.filename(),
                                file.mediaType(),
                                file.size(),
                                "d-" + id,
                                source)));
    }
}
