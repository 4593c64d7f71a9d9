package dev.inboxd.cli;

import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.config.Settings;
import java.nio.file.Path;

/** The line that a start begins with, before anything that takes time. Logs in JSON have no such line. */
final class StartupNotice {
    private StartupNotice() {}

    static String of(Settings settings) {
        if (settings.log() == Settings.LogFormat.JSON) {
            return "";
        }
        Path data = settings.dataDirectory();
        if (settings.storage().database().isPresent()) {
            return "inboxd starts with the data folder " + data + " and the database of INBOXD_DATABASE_URL.\n";
        }
        return EmbeddedPostgres.isIn(data)
                ? "inboxd starts with the data folder " + data + ".\n"
                : "inboxd starts for the first time in " + data + ".\n"
                        + "It unpacks PostgreSQL and makes a database there, which takes some seconds and 150 MB.\n"
                        + "Later starts take a second.\n";
    }
}
