package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.config.Settings;
import dev.inboxd.net.FakeDns;
import dev.inboxd.server.retention.Retention;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.RsaKeys;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestFolder;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The whole service in this Java, on a real PostgreSQL and real sockets, with a clock that tests can move. Nothing is
 * replaced: what a test sees is what a user sees.
 *
 * <p>In a field with {@code @RegisterExtension} it is closed by JUnit: behind the class when the field is static, else
 * behind each test, which then has a service of its own. It is closed too when a start that follows it fails.
 */
public final class World implements AutoCloseable, BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    static {
        RsaKeys.install();
    }

    private final Path folder;
    private final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
    private final MovableClock clock = new MovableClock(() -> Instant.now().plus(skew.get()));
    private final Database.Location direct;
    private final Database.Location location;
    private final FakeDns dns;
    private final boolean ownsDns;
    private final Settings settings;
    private final Path blobFolder;
    private Vault vault;
    private final String key;
    private final Map<String, String> changed;
    private final Ways ways;
    private Database database;
    private Server server;
    private @Nullable String testClass;

    /**
     * What lies between the service and what it stands on, to watch or disturb it.
     *
     * @param database how the database is reached
     * @param blobs what is in front of the blob store
     * @param ahead how far its clock is ahead from the start
     */
    private record Ways(UnaryOperator<Database.Location> database, UnaryOperator<Blobs> blobs, Duration ahead) {
        static final Ways DIRECT = new Ways(UnaryOperator.identity(), UnaryOperator.identity());

        Ways(UnaryOperator<Database.Location> database, UnaryOperator<Blobs> blobs) {
            this(database, blobs, Duration.ZERO);
        }
    }

    private World(Map<String, String> changed, @Nullable World first, Ways ways) {
        this.ways = ways;
        skew.set(ways.ahead);
        dns = first == null ? FakeDns.start() : first.dns;
        ownsDns = first == null;
        this.changed = Map.copyOf(changed);
        try {
            folder = TestFolder.create("inboxd-world");
            blobFolder = first == null ? folder.resolve("blobs") : first.blobFolder;
            settings = settings(first == null ? changed : first.joined(changed));
            direct = first == null ? TestPostgres.migrated() : first.location;
            location = ways.database.apply(direct);
            database = new Database(location, this::reading);
            PlatformModule.Storage storage = storage();
            vault = storage.vault();
            server = new Server(settings, storage);
            key = first == null ? Objects.requireNonNull(server.firstKey()) : first.key;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** How the clock differs from that of the database, which nobody moves. */
    private ClockPosition reading() {
        ClockPosition reading = clock.reading();
        return reading.stands() == null ? new ClockPosition(reading.shift().plus(skew.get()), null) : reading;
    }

    private PlatformModule.Storage storage() {
        Blobs blobs = ways.blobs.apply(Blobs.at(blobFolder.toString()));
        return Installation.open(settings, database, blobs, clock());
    }

    /** The settings of a second node: it has the same master key. */
    private Map<String, String> joined(Map<String, String> changes) {
        Map<String, String> settings = new HashMap<>(changes);
        MasterKeys.present(this.settings).forEach(key -> settings.putIfAbsent("INBOXD_SECRET_KEY", key));
        return settings;
    }

    /** Stops the service and starts it again on what it left; its ports are others then. */
    public void restart() {
        stop();
        database = new Database(location, this::reading);
        try {
            PlatformModule.Storage storage = storage();
            vault = storage.vault();
            server = new Server(settings, storage);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A service with the settings of development. */
    public static World start() {
        return start(Map.of());
    }

    /** A service whose clock is ahead of the machine's from its first start. */
    public static World ahead(Duration ahead) {
        return new World(Map.of(), null, new Ways(UnaryOperator.identity(), UnaryOperator.identity(), ahead));
    }

    /** A service with other settings, by variable: {@code Map.of("INBOXD_DELIVERY", "relay")}. */
    public static World start(Map<String, String> settings) {
        return new World(settings, null, Ways.DIRECT);
    }

    /** The same, on a database that is reached in another way than directly: through what watches or disturbs it. */
    public static World start(Map<String, String> settings, UnaryOperator<Database.Location> way) {
        return new World(settings, null, new Ways(way, UnaryOperator.identity()));
    }

    /** A service with the settings of development, and something in front of its blob store. */
    public static World storing(UnaryOperator<Blobs> way) {
        return storing(Map.of(), way);
    }

    /** The same with other settings. */
    public static World storing(Map<String, String> settings, UnaryOperator<Blobs> way) {
        return new World(settings, null, new Ways(UnaryOperator.identity(), way));
    }

    /** A second node on the same database and blobs with the same settings. */
    public World beside() {
        return beside(changed);
    }

    /** A second node on the same database and blobs, with settings of its own. */
    public World beside(Map<String, String> settings) {
        return new World(settings, this, Ways.DIRECT);
    }

    /** The service as it was moved to another database and store, with settings of its own; its keys stay. */
    public World moved(Database.Location database, Path blobs, Map<String, String> settings) {
        return new World(settings, this, new Ways(_ -> database, _ -> Blobs.at(blobs.toString())));
    }

    /** Where the database is. */
    public Database.Location location() {
        return location;
    }

    /** Where large messages lie. */
    public Path blobFolder() {
        return blobFolder;
    }

    private Settings settings(Map<String, String> changed) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "INBOXD_DATA_DIR",
                folder.toString(),
                "INBOXD_HTTP_PORT",
                "0",
                "INBOXD_SMTP_PORT",
                "0",
                "INBOXD_SUBMISSION_PORT",
                "0",
                "INBOXD_DNS_SERVERS",
                "127.0.0.1:" + dns.servers().getFirst().getPort()));
        environment.putAll(changed);
        return Settings.read(environment, Map.of());
    }

    /** The first key, which may do everything in its organization. */
    public String key() {
        return key;
    }

    /** A client with the first key. */
    public HttpProbe http() {
        return as(key);
    }

    /** A client with that key. */
    public HttpProbe as(String otherKey) {
        return HttpProbe.of(server.httpPort(), otherKey).described();
    }

    /** A client without any key. */
    public HttpProbe anonymous() {
        return HttpProbe.of(server.httpPort(), null).described();
    }

    /** The browser of the person who opened the console by the address that the server printed. */
    public HttpProbe operator() {
        return anonymous().with("Cookie", operatorCookie());
    }

    /** The cookie of that browser. */
    public String operatorCookie() {
        String cookie =
                Objects.requireNonNull(anonymous().get(consoleAddress()).is(303).header("Set-Cookie"));
        return cookie.substring(0, cookie.indexOf(';'));
    }

    /** The path and the query of the address by which the console is opened. */
    public String consoleAddress() {
        URI address = server.consoleAddress().orElseThrow();
        return address.getRawPath() + (address.getRawQuery() == null ? "" : "?" + address.getRawQuery());
    }

    /** The port of mail from other servers. */
    public int smtpPort() {
        return server.smtpPort();
    }

    /** The port of mail that users submit. */
    public int submissionPort() {
        return server.submissionPort();
    }

    /** The port of HTTP. */
    public int httpPort() {
        return server.httpPort();
    }

    /** The DNS that the service asks: real questions over a socket, and no name exists unless a test says so. */
    public FakeDns dns() {
        return dns;
    }

    /** Every route there is. */
    public List<Route> routes() {
        return server.routes();
    }

    /** Every route of the operator's port. */
    public List<Route> operatorRoutes() {
        return server.operatorRoutes();
    }

    /** What the service seals with. */
    public Vault vault() {
        return vault;
    }

    /** The database behind it all, for what no route shows. */
    public Database database() {
        return database;
    }

    /** Learns what was marked as spam, as the service does every few seconds. */
    public void learn() {
        server.learn(database.read(tx -> tx.sqlAcrossTenants("select o.organization_id from organization o")
                .list(row -> row.uuid("organization_id"))));
    }

    /** Sweeps as the service would after so long: what nobody keeps by then is gone. */
    public void sweepAfter(Duration duration) {
        AtomicReference<Instant> time = new AtomicReference<>(clock().instant());
        try (Blobs blobs = Blobs.at(blobFolder.toString())) {
            Retention retention = new Retention(database, blobs, time::get, Map.of());
            time.updateAndGet(now -> now.plus(duration));
            // The database's time stands still meanwhile, by which each sweep has its turn.
            database.writeTransient(tx -> tx.sql("delete from upkeep").run());
            retention.sweep();
        }
    }

    /** The database as a setting names it. */
    public String databaseUrl() {
        return TestPostgres.setting(location);
    }

    /** The folder of this service's data. */
    public Path folder() {
        return folder;
    }

    /** Moves the time of the service, in Java and in its SQL, forward from now on. */
    public void advance(Duration duration) {
        skew.updateAndGet(before -> before.plus(duration));
    }

    /** Moves the time by the door of developers: what is due on the way is done when this returns. */
    public HttpProbe.Answer walk(Duration duration) {
        return anonymous()
                .post("/sandbox/clock", json("advance", duration.toString()))
                .is(200);
    }

    /** The service's clock. */
    public MovableClock clock() {
        return clock;
    }

    /** A new inbox of the first key's organization at the default domain; returns its address. */
    public String inbox(String username) {
        return http().post("/v0/inboxes", json("username", username)).is(200).text("inbox_id");
    }

    /** Whether a search finds all that happened, which a background batch reads. */
    public boolean isIndexed() {
        return database.read(
                tx -> tx.sqlAcrossTenants("select 1 as one from organization_clock k left join search_progress p"
                                + " on p.organization_id = k.organization_id where k.event_seq > coalesce(p.seq, 0)")
                        .first(row -> row.integer("one"))
                        .isEmpty());
    }

    /** The first key's organization. */
    public UUID organization() {
        return database.read(
                tx -> tx.sqlAcrossTenants("select o.organization_id from organization o where o.type = 'console'"
                                + " order by o.created_at limit 1")
                        .single(row -> row.uuid("organization_id")));
    }

    /** One more organization; returns a key that may do everything in it. */
    public String otherOrganization() {
        return database.writeGlobal(tx -> {
            Organizations.NewOrganization founded =
                    new Organizations(database, clock()).create(tx, Uuid7.next(), Organization.Type.CONSOLE, null);
            return ApiKeys.issue(
                            tx,
                            founded.organization().id(),
                            new ApiKeys.KeySpec("Other", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false),
                            clock().instant())
                    .secret();
        });
    }

    /** A key that may do everything in one pod of the first key's organization. */
    public String podKey(String pod) {
        return issue(new ApiKey.Owner(UUID.fromString(pod), null, null));
    }

    /** A key that may do everything in one inbox of the first key's organization. */
    public String inboxKey(String inbox) {
        return issue(database.read(tx -> tx.sql(
                        View.of(organization()),
                        "select i.pod_id, i.inbox_id from inbox i where {i} and i.address = :address")
                .bind("address", inbox)
                .single(row -> new ApiKey.Owner(row.uuid("pod_id"), row.uuid("inbox_id"), inbox))));
    }

    private String issue(ApiKey.Owner owner) {
        return database.write(
                organization(),
                tx -> ApiKeys.issue(
                                tx,
                                organization(),
                                new ApiKeys.KeySpec("Narrow", owner, ApiKey.Grant.ROOT, null, false),
                                tx.next().at())
                        .secret());
    }

    /** A session in the console of one more human behind the first key's organization; returns its token. */
    public String session() {
        String human = "human-" + Uuid7.next() + "@people.test";
        UUID organization = organization();
        database.<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, organization));
        anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        String code = lettersSince(human, 0)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
        return anonymous()
                .post("/console/session", json("human_email", human, "code", code))
                .is(200)
                .text("session_token");
    }

    /** The letters to somebody as soon as there are more than so many: codes are sent behind the answer. */
    public List<String> lettersSince(String address, int known) {
        Eventually.await(() -> letters(address).size() > known);
        return letters(address);
    }

    /** The letters of the service to somebody, as they were composed, the oldest first. */
    public List<String> letters(String address) {
        return database.read(tx -> tx.sqlAcrossTenants("""
                select s.raw from submission s join submission_recipient r
                on r.organization_id = s.organization_id and r.submission_id = s.submission_id
                where r.recipient = :address order by s.created_at, s.submission_id""")
                .bind("address", address)
                .list(row -> new String(row.bytes("raw"), StandardCharsets.UTF_8)));
    }

    /** One more pod of the first key's organization; returns its id. */
    public String pod(String name) {
        return http().post("/v0/pods", json("name", name)).is(200).text("pod_id");
    }

    /**
     * Sends a mail from outside over a real SMTP session.
     *
     * @param to one recipient
     * @param message the message; its lines may end in LF
     * @return the reply after the final dot, or the one that refused
     */
    public String mail(String from, String to, String message) {
        try (SmtpProbe probe = new SmtpProbe(smtpPort())) {
            return probe.send(from, List.of(to), message);
        }
    }

    /** With an idle client left, HTTP would give it a second to say something. */
    private void stop() {
        HttpProbe.leave(server.httpPort());
        server.close();
    }

    /** Only a static field is told of the class; of the classes nested in it too. */
    @Override
    public void beforeAll(ExtensionContext context) {
        if (testClass == null) {
            testClass = context.getUniqueId();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (testClass == null) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (testClass == null || testClass.equals(context.getUniqueId())) {
            close();
        }
    }

    @Override
    public void close() {
        stop();
        if (ownsDns) {
            dns.close();
            TestPostgres.leave(direct);
        }
    }
}
