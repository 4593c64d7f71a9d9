package dev.inboxd.chaos;

import dev.inboxd.base.database.ConnectionFailure;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.database.SessionCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Debian's PgBouncer between the service and the database: refused where connections share sessions, else it works. */
final class PoolerModes {
    private static final int MAILS = 60;
    private static final String CHANNEL = "suite_external";
    private static final String ASK = """
            select concat_ws(' ', current_setting('synchronous_commit'), current_setting('lock_timeout'),
                current_setting('plan_cache_mode'), current_setting('enable_seqscan'),
                current_setting('TimeZone')) as found""";
    private static final String SENTENCE = "a pooler in between lends its sessions for a transaction only, and every"
            + " connection of inboxd needs a session of its own";

    /** Ways of sharing: the sessions go by turns, or there is only one, or each statement may have another. */
    private static final Map<String, String[]> SHARED = Map.of(
            "transaction mode by turns",
                    new String[] {"pool_mode = transaction", "server_round_robin = 1", "min_pool_size = 4"},
            "transaction mode with one session", new String[] {"pool_mode = transaction", "default_pool_size = 1"},
            "statement mode", new String[] {"pool_mode = statement"});

    private final Path folder;
    private final DebianPostgres server;
    private final SuiteReport report;

    PoolerModes(Path folder, DebianPostgres server, SuiteReport report) {
        this.folder = folder;
        this.server = server;
        this.report = report;
    }

    void run() throws IOException {
        try (Pooler pooler = Pooler.start(folder, server, "pool_mode = transaction")) {
            refused(pooler.url());
        }
        for (Map.Entry<String, String[]> mode : SHARED.entrySet()) {
            try (Pooler pooler = Pooler.start(folder, server, mode.getValue())) {
                noticed(mode.getKey(), location(pooler.url()));
            }
        }
        try (Pooler pooler = Pooler.start(folder, server, "pool_mode = session", "default_pool_size = 40")) {
            settings(pooler.url());
            works(pooler.url());
        }
    }

    /** A start ends with a sentence that says what is needed, and leaves the database as it was. */
    private void refused(String url) throws IOException {
        List<String> command = new ArrayList<>(NodeCluster.program());
        command.addAll(List.of("serve", "--http-port", "0", "--smtp-port", "0", "--submission-port", "0"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("INBOXD_DATABASE_URL", url);
        builder.environment().put("INBOXD_DATA_DIR", folder.resolve("refused").toString());
        Process process = builder.start();
        String said;
        try {
            said = process.inputReader().readAllAsString();
        } finally {
            process.destroyForcibly();
        }
        report.add(
                "a start behind a pooler in transaction mode is refused, and changes nothing",
                said.contains(SENTENCE) && isEmpty(),
                said.lines().filter(line -> line.contains("cannot")).toList().toString());
    }

    private void noticed(String mode, Database.Location location) {
        try {
            SessionCheck.require(location);
            report.add("a pooler in " + mode + " is noticed", false, "it is not");
        } catch (ConnectionFailure refused) {
            String said = String.valueOf(refused.getMessage());
            report.add("a pooler in " + mode + " is noticed", said.contains(SENTENCE), "");
        }
    }

    private static Database.Location location(String url) {
        return new Database.Location(
                url.replaceFirst("^postgres://[^@]*@", "jdbc:postgresql://"), "inboxd", DebianPostgres.PASSWORD, 2);
    }

    private boolean isEmpty() {
        try (Connection connection = server.connect("inboxd");
                var tables = connection.getMetaData().getTables(null, "public", "%", null)) {
            return !tables.next();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** In session mode each connection has our settings, and hears notifications. */
    private void settings(String url) {
        CountDownLatch listening = new CountDownLatch(1);
        CountDownLatch heard = new CountDownLatch(1);
        try (Database database = new Database(location(url), null);
                Notifications notifications = new Notifications(database)) {
            String found = database.read(tx -> tx.sql(ASK).single(row -> row.text("found")));
            report.add(
                    "in session mode a connection has our settings",
                    found.equals("on 2s force_generic_plan off UTC"),
                    found);
            notifications.on(CHANNEL, new Notifications.Listener() {
                @Override
                public void notified(String word) {
                    heard.countDown();
                }

                @Override
                public void listening() {
                    listening.countDown();
                }
            });
            notifications.start();
            boolean told = await(listening);
            database.writeTransient(tx -> {
                tx.signal(CHANNEL, "word");
                return true;
            });
            report.add("in session mode notifications are heard", told && await(heard), "");
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The service makes its tables through it, takes mail and calls, and nothing is lost. */
    private void works(String url) throws IOException {
        Path blobs = folder.resolve("pooled-blobs");
        Service.Place place = new Service.Place(
                NodeCluster.program(),
                folder.resolve("pooled"),
                0,
                0,
                Map.of(
                        "INBOXD_DATABASE_URL",
                        url,
                        "INBOXD_BLOB_URL",
                        blobs.toUri().toString()));
        Service service = Service.start(place);
        Service.Place at =
                new Service.Place(place.program(), place.data(), service.httpPort(), service.smtpPort(), Map.of());
        try (Ledger ledger = new Ledger(folder.resolve("pooled.ledger"))) {
            Load load = new Load(at, ledger, service.key());
            load.start(new Load.Size(4, 2), service.smtpPort(), 1);
            Deadline.await(MAILS + " mails are stored", () -> ledger.mails() >= MAILS);
            load.finish();
            Verdict verdict = judge(ledger, blobs);
            report.add(
                    "in session mode mail and calls are stored",
                    verdict.isClean() && load.strange().isEmpty() && load.refused() == 0,
                    verdict + "; " + load.refused() + " times not now " + load.refusals());
        } finally {
            int status = service.terminate(Duration.ofSeconds(40));
            report.add("it stops in good order behind the pooler", status == 0, "status " + status);
        }
        server.execute("postgres", "drop database inboxd with (force)", "create database inboxd owner inboxd");
    }

    private Verdict judge(Ledger ledger, Path blobs) {
        try (Connection connection = server.connect("inboxd")) {
            return Verdict.of(ledger.acknowledged(), ledger.intended(), StoredState.of(connection, blobs));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
