package dev.inboxd.cli.doctor;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.ServerInfo;
import dev.inboxd.base.database.SessionCheck;
import dev.inboxd.cli.ServeCommand;
import dev.inboxd.config.ExternalDatabase;
import dev.inboxd.config.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Checks an external PostgreSQL: its version, and settings that make committed data durable. */
final class DatabaseCheck {
    private static final int OLDEST = 15;
    private static final int NEWEST = 18;
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);
    private static final Duration OLD_SNAPSHOT = Duration.ofMinutes(5);

    private final DoctorReport findings;
    private final InstantSource clock;

    DatabaseCheck(DoctorReport findings, InstantSource clock) {
        this.findings = findings;
        this.clock = clock;
    }

    void run(Settings settings) {
        Optional<ExternalDatabase> external = settings.storage().database();
        if (external.isEmpty()) {
            findings.ok("database", "embedded, with the settings that inboxd gives it");
            return;
        }
        Database.Location location = ServeCommand.location(external.get());
        try {
            report(ServerInfo.of(location, clock));
            sessions(SessionCheck.isOwn(location));
        } catch (ServerInfo.UnavailableException e) {
            findings.fail(
                    "database",
                    String.valueOf(e.getMessage()),
                    "Check INBOXD_DATABASE_URL, its user and password, and pg_hba.conf");
        }
        new StandbyCheck(findings).run(external.get());
    }

    private void sessions(boolean own) {
        if (own) {
            findings.ok("database sessions", "each connection has one of its own");
        } else {
            findings.fail(
                    "database sessions",
                    "connections share them, as behind a pooler in transaction mode, and no start is possible",
                    "Give this database pool_mode = session and a pool_size of 16 for each node, or name PostgreSQL"
                            + " itself");
        }
    }

    /** Reports on the server. */
    void report(ServerInfo server) {
        version(server.version());
        for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
            durability(setting, server.setting(setting));
        }
        if (server.connections() < ServeCommand.CONNECTIONS) {
            findings.fail(
                    "database connections",
                    "it allows " + server.connections() + " of " + ServeCommand.CONNECTIONS + " that each node needs",
                    "Raise max_connections, or the limit of the role");
        } else {
            findings.ok(
                    "database connections",
                    server.connections() + " are allowed, each node needs " + ServeCommand.CONNECTIONS);
        }
        if (!server.mayCreate()) {
            findings.fail("database rights", "the role may not create tables", "Make it the owner of its database");
        }
        clock(server.ahead());
        if (server.oldestSnapshot().compareTo(OLD_SNAPSHOT) > 0) {
            findings.warn(
                    "database snapshots",
                    "a transaction has been open for " + server.oldestSnapshot().toMinutes() + " minutes",
                    "End it (pg_stat_activity): it makes every change slower");
        }
    }

    private void version(int version) {
        String words = "PostgreSQL " + version;
        if (version < OLDEST) {
            findings.fail("database version", words + " is too old", "Use " + OLDEST + " to " + NEWEST);
        } else if (version > NEWEST) {
            findings.warn("database version", words + " is untested", "Use " + OLDEST + " to " + NEWEST);
        } else {
            findings.ok("database version", words);
        }
    }

    private void durability(String setting, String value) {
        if (value.equals("on") || (setting.equals("synchronous_commit") && value.startsWith("remote_"))) {
            findings.ok("database " + setting, "is " + value);
        } else {
            findings.fail(
                    "database " + setting,
                    "is " + value + ", so mail that was acknowledged can be lost",
                    "Set " + setting + " = on"
                            + (setting.equals("synchronous_commit")
                                    ? ", and connect without a pooler that drops session settings"
                                    : " in postgresql.conf"));
        }
    }

    private void clock(Duration ahead) {
        String words = "the database's clock is " + ahead.abs().toMillis() + " ms "
                + (ahead.isNegative() ? "behind" : "ahead of") + " this machine's";
        if (ahead.abs().compareTo(CLOCK_TOLERANCE) > 0) {
            findings.warn("database clock", words, "Synchronize both with chrony or systemd-timesyncd");
        } else {
            findings.ok("database clock", words);
        }
    }
}
