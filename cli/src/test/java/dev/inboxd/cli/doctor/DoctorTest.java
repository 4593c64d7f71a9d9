package dev.inboxd.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.ServerInfo;
import dev.inboxd.base.database.embedded.FolderLock;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.net.Dns;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.ModuleConfigs;
import dev.inboxd.server.World;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.testing.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Type;

/** What the doctor notices, and what it says to do. */
class DoctorTest {
    private static final InstantSource NOW = InstantSource.system();

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final DoctorReport findings = new DoctorReport(new PrintStream(said, true, StandardCharsets.UTF_8));

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private Settings settings(Map<String, String> changed) {
        Map<String, String> given = new HashMap<>(Map.of("INBOXD_DATA_DIR", folder.toString()));
        given.putAll(changed);
        return Settings.read(given, Map.of());
    }

    private Settings production(Map<String, String> changed) {
        Map<String, String> given = new HashMap<>(Map.of(
                "INBOXD_MODE",
                "production",
                "INBOXD_DOMAIN",
                "inbox.example.com",
                "INBOXD_PUBLIC_URL",
                "https://api.example.com",
                "INBOXD_SECRET_KEY",
                "6f1d8c02b7a94e53c1f0a2d498e7b365"));
        given.putAll(changed);
        return settings(given);
    }

    @Test
    void namesThatLeadHereAreFound() throws IOException {
        try (FakeDns zone = FakeDns.start()) {
            zone.mailExchangers("inbox.example.com", "10 mx.inbox.example.com")
                    .addresses("mx.inbox.example.com", "192.0.2.25", "2001:db8::25")
                    .addresses("api.example.com", "192.0.2.80")
                    .pointer("192.0.2.25", "MX.inbox.example.com")
                    .pointer("2001:db8::25", "mx.inbox.example.com");
            new NameCheck(findings, new Dns(zone.servers(), Duration.ofSeconds(5))).run(production(Map.of()));
        }
        assertThat(findings.isHealthy()).isTrue();
        assertThat(said())
                .contains(
                        "ok    MX of inbox.example.com: names mx.inbox.example.com",
                        "ok    address of api.example.com: [192.0.2.80]",
                        "ok    PTR of 192.0.2.25: names",
                        "ok    PTR of 2001:db8:0:0:0:0:0:25: names")
                .doesNotContain("warn");
    }

    @Test
    void namesThatDoNotAreToldWithTheRecordToPublish() throws IOException {
        try (FakeDns zone = FakeDns.start()) {
            zone.mailExchangers("inbox.example.com", "10 mail.other.example")
                    .addresses("mx.inbox.example.com", "192.0.2.25", "192.0.2.26", "192.0.2.27")
                    .failing("api.example.com", Type.A)
                    .failing("api.example.com", Type.AAAA)
                    .pointer("192.0.2.25", "host-25.isp.example")
                    .failing("27.2.0.192.in-addr.arpa", Type.PTR);
            new NameCheck(findings, new Dns(zone.servers(), Duration.ofSeconds(5))).run(production(Map.of()));
        }
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said())
                .contains(
                        "FAIL  MX of inbox.example.com: names [mail.other.example], not mx.inbox.example.com."
                                + " Publish: inbox.example.com. MX 10 mx.inbox.example.com.",
                        "warn  PTR of 192.0.2.25: names [host-25.isp.example], not mx.inbox.example.com. Have the",
                        "warn  PTR of 192.0.2.26: there is none",
                        "warn  PTR of 192.0.2.27: DNS does not answer",
                        "warn  address of api.example.com: DNS does not answer");
    }

    @Test
    void theRecordsThatMailIsJudgedByAreComparedAndTold() throws IOException {
        List<SigningKeys.PublishedKey> keys = List.of(new SigningKeys.PublishedKey("inboxd", "v=DKIM1; k=rsa; p=ABCD"));
        try (FakeDns zone = FakeDns.start()) {
            zone.text("inbox.example.com", "v=spf1 include:spf.inbox.example.com -all")
                    .text("inboxd._domainkey.inbox.example.com", "v=DKIM1; k=rsa; p=EFGH")
                    .text("spf.inbox.example.com", "v=spf1 ip4:192.0.2.25 -all")
                    .failing("mx.inbox.example.com", Type.TXT);
            Dns dns = new Dns(zone.servers(), Duration.ofSeconds(5));
            new ZoneCheck(findings, dns).run(production(Map.of()), keys);
            assertThat(findings.isHealthy()).isFalse();
            assertThat(said())
                    .contains(
                            "ok    SPF of inbox.example.com: is published",
                            "FAIL  DKIM at inboxd._domainkey.inbox.example.com: invalid, found v=DKIM1; k=rsa; p=EFGH",
                            "FAIL  DMARC at _dmarc.inbox.example.com: there is none",
                            "Publish: _dmarc.inbox.example.com.\tIN\tTXT\t\"v=DMARC1; p=none\"",
                            "ok    SPF of spf.inbox.example.com: is published",
                            "warn  SPF of mx.inbox.example.com: DNS does not answer");
            DoctorReport sandbox = new DoctorReport(new PrintStream(said, true, StandardCharsets.UTF_8));
            new ZoneCheck(sandbox, dns).run(production(Map.of("INBOXD_DELIVERY", "sandbox")), List.of());
            assertThat(sandbox.isHealthy()).as("no mail leaves").isTrue();
            assertThat(said()).contains("warn  DKIM of inbox.example.com: its keys are not known", "warn  DMARC at");
        }
    }

    @Test
    void aWrongSettingPreventsOnlyTheChecksThatGoByIt() {
        SettingValues values = new SettingValues(
                Map.of("INBOXD_HTP_PORT", "1"),
                Map.of(
                        "--mode", "production",
                        "--data-dir", folder.toString(),
                        "--http-port", "99999",
                        "--smtp-port", "0",
                        "--submission-port", "0",
                        "--admin-port", "off",
                        "--relay", "nonsense"));
        assertThat(Doctor.examine(values, new PrintStream(said, true, StandardCharsets.UTF_8)))
                .isEqualTo(1);
        assertThat(said())
                .contains(
                        "FAIL  setting: INBOXD_HTTP_PORT is \"99999\"",
                        "FAIL  setting: INBOXD_HTP_PORT is not a setting; did you mean INBOXD_HTTP_PORT?",
                        "FAIL  setting: INBOXD_DOMAIN must be set in production",
                        "skip  HTTP port",
                        "ok    SMTP port 0",
                        "ok    data folder",
                        "ok    database: embedded",
                        "skip  secret key",
                        "ok    blob store",
                        "certificate",
                        "skip  DNS",
                        "skip  SPF, DKIM and DMARC",
                        "skip  outgoing mail");
    }

    @Test
    void aRelayHasToAnswer() throws IOException {
        try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                for (String greeting : List.of("220 relay.test ready\r\n", "554 no\r\n")) {
                    try (Socket client = relay.accept()) {
                        client.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            Settings settings = settings(Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + relay.getLocalPort()));
            new RelayCheck(findings).run(settings);
            assertThat(findings.isHealthy()).isTrue();
            new RelayCheck(findings).run(settings);
            assertThat(said()).contains("answers\n", "FAIL  relay 127.0.0.1", "greets with 554");
        }
    }

    @Test
    void theMasterKeyAndTheStoreHaveToBeThoseOfTheDatabase() throws IOException {
        try (World world = World.start()) {
            Map<String, String> same =
                    Map.of("INBOXD_DATA_DIR", world.folder().toString(), "INBOXD_DATABASE_URL", world.databaseUrl());
            InstallationCheck right = new InstallationCheck(findings, settings(same));
            InstallationCheck.StoredState known = right.storedState();
            right.secret(known);
            right.blobs(known);
            assertThat(said()).contains("ok    secret key: opens", "is the one of this database, whose store.id is");
            assertThat(findings.isHealthy()).isTrue();
            assertThat(known.keys()).hasSize(2);
            right.departures(known);
            assertThat(said()).doesNotContain("departures");
            new MarkChanges(world.database()).hold("restore");
            right.departures(right.storedState());
            assertThat(said())
                    .contains("warn  departures", "after a restore", "inboxd queue resume")
                    .doesNotContain("--abandon");
            new MarkChanges(world.database()).readOnly(true);
            right.departures(right.storedState());
            assertThat(said()).contains("inboxd move --abandon");
            new MarkChanges(world.database()).readOnly(false);

            Map<String, String> other = new HashMap<>(same);
            other.put("INBOXD_SECRET_KEY", "another-key-0123456789abcdefghijk");
            other.put("INBOXD_BLOB_URL", "file:" + folder.resolve("elsewhere"));
            InstallationCheck wrong = new InstallationCheck(findings, settings(other));
            wrong.secret(known);
            wrong.blobs(known);
            Files.createDirectories(folder.resolve("elsewhere").resolve("incoming"));
            wrong.blobs(known);
            Path marker = folder.resolve("elsewhere").resolve("store.id");
            Files.writeString(marker, "01a2181b-25be-7690-870b-052394bd8e50\n");
            wrong.blobs(known);
            Files.delete(marker);
            Files.createDirectory(marker); // can no more be read than one without the right to
            wrong.blobs(known);
            assertThat(said())
                    .contains(
                            "FAIL  secret key: ",
                            "is not there, though",
                            "is empty or its disk is not mounted, and the database names",
                            "its store.id is 01a2181b-25be-7690-870b-052394bd8e50, and the database names",
                            "cannot be read: ")
                    .doesNotContain("another-key");
            assertThat(findings.isHealthy()).isFalse();
        }
    }

    @Test
    void aDatabaseIsAskedAsOurConnectionsWouldFindIt() throws ServerInfo.UnavailableException {
        Database.Location location = TestPostgres.migrated();
        ServerInfo found = ServerInfo.of(location, NOW);
        assertThat(found.version()).isBetween(15, 18);
        assertThat(found.setting("synchronous_commit")).isEqualTo("on");
        assertThat(found.mayCreate()).isTrue();
        assertThat(found.ahead()).isBetween(Duration.ofSeconds(-5), Duration.ofSeconds(5));
        new DatabaseCheck(findings, NOW).report(found);
        assertThat(said()).contains("ok    database version: PostgreSQL " + found.version());
        // A database for tests may be one that forgets, and then the doctor says so.
        boolean durable = found.setting("fsync").equals("on");
        assertThat(said().contains("ok    database fsync: is on")).isEqualTo(durable);
        assertThat(findings.isHealthy()).isEqualTo(durable);
    }

    @Test
    void anIndexThatIsInvalidIsToldWithWhatToDo() throws SQLException {
        Database.Location location = TestPostgres.migrated();
        new SchemaCheck(findings).run(Optional.of(location));
        assertThat(said()).contains("ok    tables: are those of this version").doesNotContain("job_claimed");
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute("drop index job_claimed");
            statement.execute("create table twice as select 1 as one from generate_series(1, 2)");
            assertThatThrownBy(() -> statement.execute("create unique index concurrently job_claimed on twice (one)"))
                    .hasMessageContaining("duplicated");
        }
        new SchemaCheck(findings).run(Optional.of(location));
        assertThat(said())
                .contains("warn  tables: the index job_claimed is invalid")
                .contains("reindex index concurrently job_claimed");
        assertThat(findings.isHealthy()).isTrue();
    }

    @Test
    void aDatabaseThatForgetsIsToldWithWhatToSet() {
        new DatabaseCheck(findings, NOW)
                .report(new ServerInfo(
                        14,
                        Map.of("fsync", "off", "full_page_writes", "on", "synchronous_commit", "local"),
                        5,
                        false,
                        Duration.ofSeconds(-90),
                        Duration.ofHours(2)));
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said())
                .contains(
                        "FAIL  database version: PostgreSQL 14 is too old. Use 15 to 18",
                        "FAIL  database fsync: is off, so mail that was acknowledged can be lost. Set fsync = on in",
                        "ok    database full_page_writes",
                        "FAIL  database synchronous_commit: is local",
                        "FAIL  database connections: it allows 5 of 12",
                        "FAIL  database rights",
                        "warn  database clock: the database's clock is 90000 ms behind",
                        "warn  database snapshots: a transaction has been open for 120 minutes");
    }

    @Test
    void aDatabaseThatCannotBeReachedIsToldInItsOwnWordsWithoutThePassword() throws IOException {
        int nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = free.getLocalPort();
        }
        new DatabaseCheck(findings, NOW)
                .run(settings(Map.of("INBOXD_DATABASE_URL", "postgres://joe:canary@127.0.0.1:" + nobody + "/inboxd")));
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said())
                .contains("FAIL  database: The database postgresql://joe:***@127.0.0.1:", "nothing listens")
                .contains("INBOXD_DATABASE_URL")
                .doesNotContain("canary");
    }

    @Test
    void aCertificateIsReadAndItsAgeAndNamesAreJudged() throws IOException {
        ServerTls.selfSigned(folder, List.of("mx.inbox.example.com"), NOW);
        Settings settings = production(Map.of(
                "INBOXD_TLS_CERT",
                folder.resolve("tls-cert.pem").toString(),
                "INBOXD_TLS_KEY",
                folder.resolve("tls-key.pem").toString()));
        new TlsCheck(findings, NOW).run(settings);
        assertThat(findings.isHealthy()).isTrue();
        assertThat(said())
                .contains("is valid until", "names mx.inbox.example.com")
                .doesNotContain("warn");

        Instant inTenYears = Instant.now().plus(Duration.ofDays(3_640));
        new TlsCheck(findings, () -> inTenYears).run(settings);
        assertThat(said()).contains("warn  certificate", "expires at", "Renew it");
        new TlsCheck(findings, () -> inTenYears.plus(Duration.ofDays(20))).run(settings);
        assertThat(said()).contains("FAIL  certificate", "has expired at");
    }

    @Test
    void aCertificateForAnotherNameAndAKeyForEverybodyAreTold() throws IOException {
        ServerTls.selfSigned(folder, List.of("old.example.com"), NOW);
        Path key = folder.resolve("tls-key.pem");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        new TlsCheck(findings, NOW)
                .run(production(Map.of(
                        "INBOXD_HTTP_TLS",
                        "on",
                        "INBOXD_TLS_CERT",
                        folder.resolve("tls-cert.pem").toString(),
                        "INBOXD_TLS_KEY",
                        key.toString())));
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said())
                .contains(
                        "does not name mx.inbox.example.com", "does not name api.example.com", "Run: chmod o-r " + key);
    }

    @Test
    void filesThatAreNoCertificateAreTold() throws IOException {
        Path file = Files.writeString(folder.resolve("some.pem"), "nothing");
        new TlsCheck(findings, NOW)
                .run(production(Map.of("INBOXD_TLS_CERT", file.toString(), "INBOXD_TLS_KEY", file.toString())));
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said()).contains("FAIL  certificate " + file);
    }

    @Test
    void aClockBehindItsOwnPastIsWrong() throws IOException {
        Files.writeString(folder.resolve("lock"), "1");
        Files.setLastModifiedTime(
                folder.resolve("lock"), FileTime.from(Instant.now().plus(Duration.ofDays(1))));
        new ClockCheck(findings, NOW).run(folder);
        assertThat(findings.isHealthy()).isFalse();
        assertThat(said()).contains("FAIL  clock", "Set the clock");
        DoctorReport others = new DoctorReport(new PrintStream(said, true, StandardCharsets.UTF_8));
        new ClockCheck(others, NOW).run(folder.resolve("missing"));
        assertThat(others.isHealthy()).isTrue();
    }

    @Test
    void aPortInUseIsAFaultUnlessInboxdItselfIsRunning() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Settings settings = settings(Map.of(
                    "INBOXD_HTTP_PORT",
                    Integer.toString(taken.getLocalPort()),
                    "INBOXD_SMTP_PORT",
                    "0",
                    "INBOXD_SUBMISSION_PORT",
                    "0"));
            new PortCheck(findings, "4711").run(settings);
            assertThat(findings.isHealthy()).isTrue();
            assertThat(said()).contains("is in use, and inboxd is running (process 4711)");
            new PortCheck(findings, null).run(settings);
            assertThat(findings.isHealthy()).isFalse();
            assertThat(said()).contains("FAIL  HTTP port " + taken.getLocalPort(), "INBOXD_HTTP_PORT");
        }
    }

    @Test
    void aCollectorThatIsAwayOrRefusesIsToldAndItsKeyIsNot() throws IOException {
        try (FakeEndpoint collector =
                FakeEndpoint.start().then(FakeEndpoint.status(200), FakeEndpoint.status(401), FakeEndpoint.hangUp())) {
            Map<String, String> given = Map.of(
                    "INBOXD_OTLP_ENDPOINT", collector.url("/otlp"), "INBOXD_OTLP_HEADERS", "x-key=collector-key");
            CollectorCheck check = new CollectorCheck(findings, ModuleConfigs.net(settings(given)));
            check.run(settings(given).telemetry());
            assertThat(collector.take().path()).isEqualTo("/otlp/v1/traces");
            assertThat(said()).contains("ok    collector " + collector.url("/otlp/v1/traces") + ": takes traces");
            check.run(settings(given).telemetry());
            assertThat(collector.take().fields()).containsEntry("x-key", "collector-key");
            assertThat(said()).contains("status 401", "INBOXD_OTLP_HEADERS");
            check.run(settings(given).telemetry());
            assertThat(said()).contains("does not answer").doesNotContain("collector-key");
        }
        assertThat(findings.isHealthy()).as("the service runs without it").isTrue();
    }

    @Test
    void productionIsRemindedOfPort25() {
        new PortCheck(findings, null)
                .run(production(Map.of(
                        "INBOXD_HTTP_PORT",
                        "0",
                        "INBOXD_SMTP_PORT",
                        "0",
                        "INBOXD_SUBMISSION_PORT",
                        "0",
                        "INBOXD_ADMIN_PORT",
                        "off")));
        assertThat(said()).contains("warn  SMTP port 0: other servers deliver only to port 25. Forward port 25 of mx.");
    }

    @Test
    void aFolderThatOthersCanReadIsToldAndOneInUseIsKnown() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        new DiskCheck(findings).run(settings(Map.of()));
        assertThat(said()).contains("warn  data folder " + folder, "Run: chmod 700");
        assertThat(FolderLock.holder(folder)).isNull();
        try (FolderLock lock = FolderLock.take(folder)) {
            assertThat(lock).isNotNull();
            assertThat(FolderLock.holder(folder))
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
        }
    }
}
