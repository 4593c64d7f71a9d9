package dev.inboxd.cli.doctor;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.config.Settings;
import java.util.Optional;

/** Looks for every blob that a row names, which takes a request for each where the store is S3 ({@code --deep}). */
final class BlobCheck {
    private static final String SUBJECT = "blobs";
    private static final int NAMED = 3;

    private final DoctorReport report;

    BlobCheck(DoctorReport report) {
        this.report = report;
    }

    /** @param location of the database; empty while it does not run */
    void run(Settings settings, Optional<Database.Location> location) {
        if (location.isEmpty()) {
            report.skip(SUBJECT, "not looked for, because the database does not run");
            return;
        }
        Search search = new Search();
        try (Snapshot snapshot = Snapshot.of(location.get());
                Blobs blobs = Blobs.at(settings.storage().blobs().toString())) {
            snapshot.blobs((organization, name) -> search.check(blobs, new BlobKey(organization, name)));
        } catch (RuntimeException away) {
            report.fail(SUBJECT, "not all looked for: " + away.getMessage(), "See the checks of database and store");
            return;
        }
        search.report();
    }

    /** What was found so far. */
    private final class Search {
        private final StringBuilder examples = new StringBuilder();
        private long all;
        private long missing;

        void check(Blobs blobs, BlobKey key) {
            all++;
            if (blobs.size(key).isEmpty()) {
                missing++;
                if (missing <= NAMED) {
                    examples.append(missing == 1 ? "" : ", ").append(key.path());
                }
            }
        }

        void report() {
            if (missing == 0) {
                report.ok(SUBJECT, "all " + all + " that rows name are in the store");
            } else {
                report.fail(
                        SUBJECT,
                        missing + " of the " + all + " that rows name are not in the store, such as " + examples
                                + "; those that were deleted while this looked are among them",
                        "Copy them from a backup, whose folder blobs has them under the same names");
            }
        }
    }
}
