package dev.inboxd.cli.doctor;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.migration.Migrations;
import java.util.Optional;

/** Checks whether a start can use the tables of the database. */
final class SchemaCheck {
    private static final String SUBJECT = "tables";

    private final DoctorReport findings;

    SchemaCheck(DoctorReport findings) {
        this.findings = findings;
    }

    /** @param location of the database; empty while it does not run */
    void run(Optional<Database.Location> location) {
        if (location.isEmpty()) {
            findings.ok(SUBJECT, "are checked while the database runs");
            return;
        }
        try {
            findings.ok(
                    SUBJECT,
                    Migrations.requireUsable(location.get())
                            ? "are those of this version"
                            : "will be made, or brought to this version, by the next start");
            Migrations.invalidIndexes(location.get())
                    .forEach(index -> findings.warn(
                            SUBJECT,
                            "the index " + index + " is invalid, as making it was stopped in the middle; what needs it"
                                    + " is slow",
                            "The service makes it anew after its next start. If it stays, the log of that start says"
                                    + " why: see that the disk has room, then have the database run: reindex index"
                                    + " concurrently " + index
                                    + " (on Citus: drop it, and create it with the definition in pg_indexes)"));
        } catch (SchemaException refused) {
            String words = String.valueOf(refused.getMessage());
            int remedy = words.indexOf(": ");
            findings.fail(
                    SUBJECT,
                    (remedy < 0 ? words : words.substring(0, remedy)) + "; no start is possible",
                    remedy < 0 ? "Use the version that made them" : capital(words.substring(remedy + 2)));
        } catch (DatabaseFailure away) {
            findings.skip(SUBJECT, "not checked, because the database cannot be asked");
        }
    }

    private static String capital(String remedy) {
        String sentence = Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
