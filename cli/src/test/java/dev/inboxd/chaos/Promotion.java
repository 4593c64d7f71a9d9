package dev.inboxd.chaos;

import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.config.SettingValues;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.SmtpProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A primary with a synchronous standby, which is promoted while senders work: what was acknowledged is there, senders
 * hear "not now" meanwhile, and {@code inboxd doctor} tells what is amiss at each step.
 */
final class Promotion {
    private static final String OPTION = "?targetServerType=primary";
    private static final int MAILS = 150;
    private static final int REFUSALS = 10;
    private static final Duration ARRIVAL_LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final DebianPostgres primary;
    private final SuiteReport report;
    private final Path blobs;

    Promotion(Path folder, DebianPostgres primary, SuiteReport report) {
        this.folder = folder;
        this.primary = primary;
        this.report = report;
        this.blobs = folder.resolve("blobs");
    }

    void run() throws IOException {
        told("one server alone", url(primary.host()), "warn  database standby: commits wait for none");
        try (DebianPostgres standby = primary.standby(folder, "two")) {
            standby.start("cluster_name=two", "max_connections=200");
            String both = url(primary.host() + "," + standby.host());
            replicate(standby, both);
            underLoad(standby, both + OPTION);
            returning(standby, both + OPTION);
        }
    }

    /** Commits wait for the standby, and doctor has looked at each step on the way. */
    private void replicate(DebianPostgres standby, String both) {
        told("one host of two", url(primary.host()), "warn  database hosts: the URL names one host only");
        told("no server type", both, "warn  database hosts: the first that answers is used, even a standby");
        commitsWaitFor("two", primary);
        told("a role that may not see it", both + OPTION, "warn  database standby: commits wait for two, and the role");
        primary.execute("postgres", "grant pg_monitor to inboxd");
        commitsWaitFor("three", primary);
        told("a synchronous standby that is away", both + OPTION, "FAIL  database standby: commits wait for three");
        commitsWaitFor("two", primary);
        told(
                "a synchronous standby",
                both + OPTION,
                "ok    database standby: commits wait for two, and 1 are connected",
                "ok    database host " + standby.host() + ": is a standby");
    }

    /** Sets the synchronous standby of a server, and returns when that holds. */
    private static void commitsWaitFor(String name, DebianPostgres server) {
        server.execute(
                "postgres", "alter system set synchronous_standby_names = '" + name + "'", "select pg_reload_conf()");
        String asked = "select 1 where current_setting('synchronous_standby_names') = '" + name + "' and (select"
                + " count(*) from pg_stat_replication where sync_state = 'sync' and application_name = '" + name
                + "') = (select count(*) from pg_stat_replication where application_name = '" + name + "')";
        Deadline.await("commits wait for " + name, () -> server.hasRow("postgres", asked));
    }

    private void underLoad(DebianPostgres standby, String url) throws IOException {
        Map<String, String> settings = Map.of(
                "INBOXD_DATABASE_URL", url, "INBOXD_BLOB_URL", blobs.toUri().toString());
        Service service =
                Service.start(new Service.Place(NodeCluster.program(), folder.resolve("data"), 0, 0, settings));
        Service.Place place =
                new Service.Place(List.of(), folder.resolve("data"), service.httpPort(), service.smtpPort(), settings);
        try (Ledger ledger = new Ledger(folder.resolve("ledger"));
                WebhookReceiver postbox = new WebhookReceiver()) {
            Load load = new Load(place, ledger, service.key());
            load.hook(postbox.url());
            load.start(new Load.Size(4, 2), service.smtpPort(), 1);
            Deadline.await("mail is stored", () -> ledger.mails() >= MAILS);
            int calm = load.refused();
            primary.kill();
            long killed = System.nanoTime();
            Deadline.await("senders are refused", () -> load.refused() >= calm + REFUSALS);
            told("no primary", url, "FAIL  database hosts: none takes changes");
            takeOver(standby, ledger, killed);
            load.finish();
            report.add(
                    "meanwhile senders hear 451 and callers 503, and before that nobody",
                    calm == 0
                            && Set.of("SMTP 451", "HTTP 503", "HTTP 409").containsAll(load.refusals())
                            && load.strange().isEmpty(),
                    load.refused() + " times " + load.refusals() + ", strange " + load.strange());
            kept(standby, ledger, postbox, new Api(place, service.key()));
            if (!System.getenv().getOrDefault("TEST_EVERYTHING", "").isEmpty()) {
                hanging(standby, load.open("hanging"), service.smtpPort());
            }
        } finally {
            service.terminate(Duration.ofSeconds(40));
        }
    }

    /** Promotes, and times the first mail that is acknowledged. */
    private void takeOver(DebianPostgres standby, Ledger ledger, long killed) {
        long before = ledger.mails();
        long began = System.nanoTime();
        standby.promote();
        long promoted = System.nanoTime();
        Deadline.await("mail is stored again", () -> ledger.mails() > before);
        long first = System.nanoTime();
        Deadline.await("mail goes on being stored", () -> ledger.mails() >= before + MAILS);
        report.add(
                "mail is stored again after the promotion",
                true,
                "first 250 " + millis(promoted, first) + " ms after the standby took changes, which took "
                        + millis(began, promoted) + " ms; " + millis(killed, first) + " ms after the kill");
    }

    /** Commits wait for a standby that is away: nothing is acknowledged, and what is repeated then is there once. */
    private void hanging(DebianPostgres server, String inbox, int port) {
        commitsWaitFor("nobody", server);
        long began = System.nanoTime();
        String meanwhile = mail(port, inbox);
        long refused = System.nanoTime();
        commitsWaitFor("", server);
        String afterwards = mail(port, inbox);
        boolean once = !server.hasRow("inboxd", "select from message where subject = 'hanging' offset 1");
        report.add(
                "without its standby nothing is acknowledged, and a repeat is absorbed",
                meanwhile.startsWith("451") && afterwards.startsWith("250") && once,
                meanwhile + " after " + millis(began, refused) + " ms, then " + afterwards);
    }

    private static String mail(int port, String inbox) {
        try (SmtpProbe session = new SmtpProbe(port, Duration.ofMinutes(3))) {
            return session.send(
                    "load@elsewhere.test",
                    List.of(inbox),
                    "From: load@elsewhere.test\nSubject: hanging\nMessage-ID: <hanging@elsewhere.test>\n\nHello.\n");
        }
    }

    private static long millis(long from, long to) {
        return Duration.ofNanos(to - from).toMillis();
    }

    private void kept(DebianPostgres standby, Ledger ledger, WebhookReceiver postbox, Api api) {
        Verdict verdict = judge(standby, ledger);
        report.add("what was acknowledged is at the new primary, once", verdict.isClean(), verdict.toString());
        List<String> wrong = api.wrong(ledger.acknowledged());
        report.add("the API lists every mail once and gives its octets", wrong.isEmpty(), wrong.toString());
        List<String> untold = new ArrayList<>();
        Eventually.isMet(ARRIVAL_LIMIT, () -> {
            untold.clear();
            untold.addAll(postbox.missing(ledger));
            return untold.isEmpty();
        });
        report.add(
                "every arrival reached the webhook",
                untold.isEmpty(),
                postbox.received() + " posts, missing " + untold);
    }

    private Verdict judge(DebianPostgres server, Ledger ledger) {
        try (Connection connection = server.connect("inboxd")) {
            return Verdict.of(ledger.acknowledged(), ledger.intended(), StoredState.of(connection, blobs));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The old primary comes back as one: it acknowledges nothing, as its commits wait for the standby that is none. */
    private void returning(DebianPostgres standby, String url) {
        primary.start("max_connections=200");
        told(
                "an old primary that came back",
                url,
                "FAIL  database hosts: " + primary.host() + " and " + standby.host() + " take changes");
        String answer;
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://" + primary.host() + "/inboxd?socketTimeout=3",
                        "postgres",
                        DebianPostgres.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("set statement_timeout = 500");
            statement.execute("create table acknowledged (n int)");
            answer = "acknowledged";
        } catch (SQLException failure) {
            answer = String.valueOf(failure.getMessage());
        }
        report.add("an old primary acknowledges nothing without its standby", answer.contains("I/O error"), answer);
    }

    private static String url(String hosts) {
        return "postgres://inboxd:" + DebianPostgres.PASSWORD + "@" + hosts + "/inboxd";
    }

    private void told(String when, String url, String... lines) {
        String said = doctor(url);
        boolean all = List.of(lines).stream().allMatch(said::contains);
        report.add("doctor with " + when, all, all ? lines[0] : said);
    }

    private String doctor(String url) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            Doctor.examine(
                    new SettingValues(
                            Map.of(
                                    "INBOXD_DATABASE_URL", url,
                                    "INBOXD_DATA_DIR", folder.resolve("doctor").toString(),
                                    "INBOXD_BLOB_URL", blobs.toUri().toString()),
                            Map.of("--http-port", "0", "--smtp-port", "0", "--submission-port", "0")),
                    out);
        }
        return said.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("database"))
                .toList()
                .toString();
    }
}
