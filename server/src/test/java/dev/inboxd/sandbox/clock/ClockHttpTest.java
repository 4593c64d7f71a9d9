package dev.inboxd.sandbox.clock;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock of a server in development (sandbox.md §5). */
class ClockHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private Answer clock() {
        return world.anonymous().get("/sandbox/clock").is(200);
    }

    private Answer move(String body) {
        return world.anonymous().post("/sandbox/clock", body).is(200);
    }

    private static Instant now(Answer clock) {
        return Instant.parse(clock.text("now"));
    }

    private Instant sqlNow(World node) {
        return node.database().read(tx -> tx.sql("select {now} as at").single(row -> row.instant("at")));
    }

    private String draft(String inbox, Duration in) {
        String at = world.clock().instant().plus(in).toString();
        return world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json("to", "jo@elsewhere.example", "text", "Hi", "send_at", at))
                .is(200)
                .text("draft_id");
    }

    @Test
    void beforeTheFirstMoveItShowsTheRealTime() {
        Answer clock = clock();
        assertThat(clock.at("offset_seconds")).isEqualTo(0.0);
        assertThat(clock.at("frozen")).isEqualTo(false);
        assertThat(now(clock)).isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
        assertThat(clock.at("steps")).isNull();
    }

    @Test
    void aDraftOfTomorrowIsSentOnTheWayAtItsTimeAndTheMomentsAreCounted() {
        String inbox = world.inbox("tomorrow");
        Instant due = world.clock().instant().plus(Duration.ofDays(1));
        draft(inbox, Duration.ofDays(1));
        Answer moved = world.walk(Duration.ofDays(2));
        assertThat(moved.at("settled")).isEqualTo(true);
        assertThat((Long) moved.at("steps")).isPositive();
        Answer messages = world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        assertThat(Instant.parse(messages.text("messages.0.timestamp"))).isCloseTo(due, within(1, ChronoUnit.SECONDS));
        assertThat(world.anonymous().get("/sandbox/messages").is(200).text("messages.0.captured_at"))
                .startsWith(messages.text("messages.0.timestamp").substring(0, 16));
        assertThat((Double) moved.at("offset_seconds")).isCloseTo(172_800, within(1.0));
    }

    @Test
    void javaAndTheDatabaseShowTheSameAndItRunsOn() {
        Answer moved = world.walk(Duration.ofDays(3));
        assertThat(sqlNow(world)).isCloseTo(world.clock().instant(), within(2, ChronoUnit.SECONDS));
        Eventually.await(() -> world.clock().instant().isAfter(now(moved).plusMillis(50)));
        assertThat(Duration.between(now(moved), now(clock()))).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void aFrozenClockStandsAndTimesOfEventsGoOnByMicroseconds() {
        Instant stands = now(move(json("freeze", true)));
        String inbox = world.inbox("frozen");
        for (int i = 0; i < 3; i++) {
            world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <" + i + "@x.test>\n\nHi\n");
        }
        assertThat(now(clock())).isEqualTo(stands);
        assertThat(sqlNow(world)).isEqualTo(world.clock().instant());
        List<Instant> times = world.database()
                .read(tx -> tx.sqlAcrossTenants("select e.at from event e order by e.organization_id, e.seq")
                        .list(row -> row.instant("at")));
        assertThat(times).doesNotHaveDuplicates();
        assertThat(times.getLast()).isAfter(stands).isBefore(stands.plusSeconds(1));
        assertThat(now(world.walk(Duration.ofHours(1)))).isEqualTo(stands.plusSeconds(3_600));
        assertThat(clock().at("frozen")).isEqualTo(true);
        assertThat(move(json("resume", true)).at("frozen")).isEqualTo(false);
        Eventually.await(() -> world.clock().instant().isAfter(stands.plusSeconds(3_600)));
    }

    @Test
    void mailIsDeliveredWhileTheClockStands() {
        move(json("freeze", true));
        String inbox = world.inbox("stands");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@elsewhere.example", "text", "Hi"))
                .is(200);
        assertThat(world.walk(Duration.ZERO).at("settled")).isEqualTo(true);
        assertThat(world.anonymous().get("/sandbox/messages").is(200).at("count"))
                .isEqualTo(1L);
    }

    @Test
    void setIsAnAdvanceToATime() {
        Instant at = now(clock()).plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.SECONDS);
        assertThat(now(move(json("set", at.toString())))).isCloseTo(at, within(5, ChronoUnit.SECONDS));
        Refusal.ofMember(
                world.anonymous()
                        .post("/sandbox/clock", json("set", at.minusSeconds(60).toString())),
                "set");
    }

    @Test
    void aJumpGoesThereAtOnceAndDoesWhatWasDueThen() {
        String inbox = world.inbox("jump");
        draft(inbox, Duration.ofDays(1));
        draft(inbox, Duration.ofDays(2));
        Answer moved = move(json("advance", "P3D", "jump", true));
        assertThat(moved.at("steps")).isEqualTo(0L);
        assertThat(moved.at("settled")).isEqualTo(true);
        Answer messages = world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        assertThat(messages.list("messages")).hasSize(2);
        assertThat(Instant.parse(messages.text("messages.1.timestamp")))
                .isAfter(now(moved).minusSeconds(60));
    }

    @Test
    void itNeverGoesBackWhileThereIsAnOrganization() {
        world.walk(Duration.ofHours(1));
        Refusal.of(
                world.anonymous().post("/sandbox/clock", json("reset", true)), ErrorCode.CONFLICT, "empty data folder");
        world.database()
                .<Integer>writeGlobal(tx -> tx.sqlAcrossTenants("delete from organization where type <> 'operator'")
                        .run());
        assertThat(move(json("reset", true)).at("offset_seconds")).isEqualTo(0.0);
    }

    @Test
    void allNodesHaveOneClockAlsoThoseThatComeLater() {
        try (World second = world.beside()) {
            Instant moved = now(world.walk(Duration.ofDays(5)));
            Eventually.await(() -> second.clock().instant().isAfter(moved.minusSeconds(1)));
            assertThat(sqlNow(second)).isCloseTo(sqlNow(world), within(5, ChronoUnit.SECONDS));
            Instant again = now(second.walk(Duration.ofDays(5)));
            Eventually.await(() -> !world.clock().instant().isBefore(again));
        }
        try (World third = world.beside()) {
            assertThat(third.clock().instant()).isCloseTo(world.clock().instant(), within(1, ChronoUnit.SECONDS));
        }
    }

    @Test
    void callsAtOnceAreDoneOneAfterTheOther() throws Exception {
        Instant before = world.clock().instant();
        try (World second = world.beside();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Answer>> calls = List.of(
                    () -> world.walk(Duration.ofHours(1)),
                    () -> second.walk(Duration.ofHours(1)),
                    () -> world.walk(Duration.ofHours(1)),
                    () -> second.walk(Duration.ofHours(1)));
            for (Future<Answer> each : threads.invokeAll(calls)) {
                assertThat(each.get().at("settled")).isEqualTo(true);
            }
            Duration passed = Duration.between(before, now(world.walk(Duration.ZERO)));
            assertThat(passed)
                    .isBetween(Duration.ofHours(4), Duration.ofHours(4).plusMinutes(5));
        }
    }

    /** The row is as a process leaves it that was killed between two moments; its lease has ended. */
    @Test
    @Tag("long")
    void aWalkThatNobodyGoesOnWithEndsWhereItCame() {
        Instant at = world.clock().instant().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MICROS);
        world.walk(Duration.ZERO);
        world.database()
                .<Integer>writeTransient(tx -> tx.sql("""
                update sandbox_clock c set number = c.number + 1, stands_at = :at, walker = :walker,
                    walker_until = {real_now}""")
                        .bind("at", at)
                        .bind("walker", UUID.randomUUID())
                        .run());
        Eventually.await(() -> world.clock().instant().isAfter(at));
        assertThat(clock().at("frozen")).isEqualTo(false);
        assertThat(Duration.between(at, world.clock().instant())).isLessThan(Duration.ofMinutes(1));
        assertThat(world.walk(Duration.ofHours(1)).at("settled")).isEqualTo(true);
    }

    @Test
    @Tag("long")
    void readsAreAnsweredWhileItWalks() throws Exception {
        String inbox = world.inbox("reads");
        for (int i = 1; i <= 20; i++) {
            draft(inbox, Duration.ofHours(i));
        }
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Answer> walk = threads.submit(() -> world.walk(Duration.ofDays(1)));
            Instant last = Instant.MIN;
            while (!walk.isDone()) {
                Instant now = now(clock());
                assertThat(now).isAfterOrEqualTo(last);
                last = now;
                world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
            }
            assertThat(walk.get().at("settled")).isEqualTo(true);
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(20);
    }

    @Test
    @Proves("P25a")
    void inProductionThereIsNoSandbox() {
        try (World production = world.beside(Map.of(
                "INBOXD_MODE",
                "production",
                "INBOXD_DOMAIN",
                "inboxd-clock.dev",
                "INBOXD_PUBLIC_URL",
                "https://inboxd-clock.dev"))) {
            List<Route> routes = world.routes().stream()
                    .filter(route -> route.template().startsWith("/sandbox"))
                    .toList();
            assertThat(routes).hasSizeGreaterThan(11);
            for (Route route : routes) {
                String path = route.template()
                        .replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString());
                Refusal.of(production.http().raw().send(route.method(), path, null), ErrorCode.NOT_FOUND);
            }
            for (String path : List.of("/sandbox/clock", "/sandbox", "/sandbox/any")) {
                Refusal.of(production.anonymous().raw().get(path), ErrorCode.NOT_FOUND);
                Refusal.of(production.http().raw().post(path, json("advance", 1)), ErrorCode.NOT_FOUND);
            }
            assertThat(production.clock().reading()).isEqualTo(ClockPosition.REAL);
        }
    }
}
