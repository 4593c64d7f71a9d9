package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.attachment.Fetching;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.OfferedFile;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.sending.SendOnce;
import dev.inboxd.sending.Sending;
import dev.inboxd.sending.Source;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/** Drafts with everything behind them, as the service is wired. */
public final class Drafting {
    private final Database database;
    private final DraftFiles files;
    private final DraftHttp http;
    private final DueDrafts due;

    /** What drafts stand on: their rows and files, and how mail is sent. */
    public record Parts(
            Database database,
            Blobs blobs,
            Fetching fetching,
            Source.Finder sources,
            Sending sending,
            SendOnce once,
            Links links,
            InstantSource clock,
            StorageQuota quota) {}

    /** Drafts with these parts; nothing runs yet. */
    public Drafting(Parts parts) {
        this.database = parts.database;
        this.files = new DraftFiles(database, parts.blobs);
        Drafts drafts = new Drafts(parts, files);
        Departure departure = new Departure(drafts, new Letters(database, files, parts.sources), files, parts.sending);
        this.http = new DraftHttp(drafts, departure, parts.once, parts.links, parts.clock);
        this.due = new DueDrafts(database, departure);
    }

    /** The routes. */
    public DraftHttp http() {
        return http;
    }

    /** The schedule. */
    public DueDrafts due() {
        return due;
    }

    /** What a signed link to a draft's file leads to; nothing when it is gone. */
    public Optional<OfferedFile> download(UUID organization, UUID id) {
        return database.read(tx -> FileSql.find(tx, View.of(organization), id))
                .flatMap(file -> files.source(organization, file)
                        .map(source -> new OfferedFile(
                                file.filename() == null ? "attachment" : file.filename(),
                                file.mediaType(),
                                file.size(),
                                "d-" + id,
                                source)));
    }
}
