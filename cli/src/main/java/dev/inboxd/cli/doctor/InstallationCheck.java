package dev.inboxd.cli.doctor;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.Marks;
import dev.inboxd.cli.ServeCommand;
import dev.inboxd.config.Settings;
import dev.inboxd.server.Installation;
import dev.inboxd.server.InstallationException;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks what has to fit the database: the master key, and the store of large messages. */
final class InstallationCheck {
    private static final String SECRET = "secret key";

    private final DoctorReport findings;
    private final Settings settings;

    InstallationCheck(DoctorReport findings, Settings settings) {
        this.findings = findings;
        this.settings = settings;
    }

    /**
     * What the database knows.
     *
     * @param installation null when the service was never started on it, or it could not be asked
     * @param keys those that sign the service's own mail
     * @param marks what holds it back, or null when it has no table for that yet
     */
    record StoredState(
            @Nullable Installation installation,
            List<SigningKeys.PublishedKey> keys,
            @Nullable Marks marks) {
        static final StoredState NOTHING = new StoredState(null, List.of(), null);
    }

    /** Asks the database, unless it does not run. */
    StoredState storedState() {
        try {
            return location().map(this::read).orElse(StoredState.NOTHING);
        } catch (RuntimeException unusable) { // away, as the check of the database says, starting, or without tables
            return StoredState.NOTHING;
        }
    }

    private StoredState read(Database.Location location) {
        try (Database database = new Database(location, null)) {
            String domain = settings.names().domain();
            return new StoredState(
                    Installation.of(database).orElse(null),
                    database.read(tx -> SigningKeys.published(tx, domain)),
                    marks(database));
        }
    }

    private static @Nullable Marks marks(Database database) {
        try {
            return new MarkChanges(database).marks();
        } catch (RuntimeException older) { // of a version before, which the next start migrates
            return null;
        }
    }

    /** Where the database is; empty while it does not run. */
    Optional<Database.Location> location() {
        return settings.storage()
                .database()
                .map(ServeCommand::location)
                .or(() -> EmbeddedPostgres.running(settings.dataDirectory())
                        .map(server -> new Database.Location(server.jdbcUrl(), server.user(), server.password(), 1)));
    }

    /** What is held does not leave until somebody says so. */
    void departures(StoredState stored) {
        Marks marks = stored.marks;
        if (marks == null || !marks.isHeld()) {
            return;
        }
        if (marks.movedTo() != null) {
            findings.fail(
                    "service",
                    "it has moved to another installation, so no start is possible",
                    "Use " + marks.movedTo());
            return;
        }
        Marks.Hold hold = marks.hold();
        findings.warn(
                "departures",
                "mail, webhooks and scheduled drafts are held"
                        + (hold == null ? "" : " since " + hold.since() + ", after a " + hold.reason()),
                isMoving(marks)
                        ? "A move was interrupted: run inboxd move again, or inboxd move --abandon"
                        : "inboxd queue resume lets them leave");
    }

    private static boolean isMoving(Marks marks) {
        Marks.Hold hold = marks.hold();
        return marks.readOnlyAt() != null || (hold != null && hold.reason().equals("move"));
    }

    void secret(StoredState stored) {
        boolean isConfigured = !settings.storage().secretKeys().isEmpty();
        boolean hasFile = Files.exists(settings.dataDirectory().resolve("secret.key"));
        if (stored.installation == null) {
            findings.ok(
                    SECRET,
                    (isConfigured ? "is given" : hasFile ? "is in the data folder" : "will be made by the first start")
                            + "; whether it opens what the database holds is checked while the database runs");
            return;
        }
        if (!isConfigured && !hasFile) {
            findings.fail(
                    SECRET,
                    "there is none, and the database holds secrets that were sealed with one",
                    "Give it in INBOXD_SECRET_KEY, or restore secret.key of the data folder");
            return;
        }
        try {
            var _ = stored.installation.vault(settings);
            findings.ok(SECRET, "opens what the database holds");
        } catch (InstallationException wrong) {
            findings.fail(SECRET, stripped(wrong), "Give the key that the service was started with");
        }
    }

    /** The store is read, never written. */
    void blobs(StoredState stored) {
        URI url = settings.storage().blobs();
        boolean files = !"s3".equals(url.getScheme());
        String subject = files ? "blob store " + url.getPath() : "S3 bucket " + url.getAuthority();
        if (files && Files.notExists(Path.of(url.getPath()).resolve("incoming"))) {
            if (stored.installation == null) {
                findings.ok(subject, "will be made by the first start");
            } else {
                findings.fail(
                        subject,
                        "is not there, though the service was started with one",
                        "Mount the disk, or name the right folder in INBOXD_BLOB_URL");
            }
            return;
        }
        try (Blobs blobs = Blobs.at(url.toString())) {
            compare(subject, blobs.storeId(), stored.installation);
        } catch (RuntimeException unusable) {
            findings.fail(
                    subject,
                    "cannot be read: " + stripped(cause(unusable)),
                    files
                            ? "Make it readable to the account that runs inboxd"
                            : "Check INBOXD_BLOB_URL, its endpoint and region, and the AWS key in the environment");
        }
    }

    private void compare(String subject, Optional<UUID> marker, @Nullable Installation installation) {
        if (installation == null) {
            findings.ok(
                    subject, "can be read; whether it is the one of the database is checked while the database runs");
        } else if (marker.equals(Optional.of(installation.store()))) {
            findings.ok(subject, "is the one of this database, whose store.id is " + installation.store());
        } else if (marker.isEmpty() && !installation.storeMarked()) {
            findings.ok(subject, "can be read, and will be marked by the next start");
        } else {
            findings.fail(
                    subject,
                    marker.map(id -> "belongs to another database: its store.id is " + id)
                                    .orElse("has no store.id, so it is empty or its disk is not mounted")
                            + ", and the database names "
                            + installation.store(),
                    "Mount the disk, or name the store of this database in INBOXD_BLOB_URL");
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }

    private static String stripped(Throwable failure) {
        String words = String.valueOf(failure.getMessage());
        return words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
    }
}
