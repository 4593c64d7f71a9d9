package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise P8: the schedule of attempts, what counts as a failure, and when a webhook is disabled. */
class RetryDbTest {
    private World world;
    private FakeEndpoint endpoint;

    @BeforeEach
    void start() {
        world = World.start();
        endpoint = FakeEndpoint.start();
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        endpoint.close();
    }

    private TestWebhook mailed(String inbox) {
        TestWebhook hook = TestWebhook.of(world, endpoint, world.inbox(inbox));
        mail(inbox, "first");
        return hook;
    }

    private void mail(String inbox, String id) {
        assertThat(world.mail(
                        "jo@example.com", inbox + "@mail.localhost", TestMail.of("<" + id + "@x.test>", "Hello.\n")))
                .startsWith("250");
    }

    /** Moves the clock to the moment that row is due. */
    private void goTo(TestWebhook.Line line) {
        Duration rest = Duration.between(world.clock().instant(), Objects.requireNonNull(line.due()));
        world.advance(rest.isNegative() ? Duration.ZERO : rest);
    }

    @Test
    @Proves({"P8", "P18"})
    void theWholeScheduleIsWalkedWithIdenticalBytesAndIds() {
        endpoint.always(FakeEndpoint.status(500));
        Instant before = world.clock().instant();
        TestWebhook hook = mailed("walk");
        FakeEndpoint.Received first = endpoint.take();
        for (int attempt = 1; attempt <= 7; attempt++) {
            int made = attempt;
            TestWebhook.Line line = hook.line(row -> row.attempts() == made);
            Duration pause = Objects.requireNonNull(RetrySchedule.after(attempt));
            assertThat(line.due())
                    .isBetween(
                            before.plus(pause),
                            world.clock().instant().plus(pause).plus(pause.dividedBy(RetrySchedule.JITTER)));
            assertThat(line.error()).isEqualTo("status 500");
            assertThat(line.payload()).isEqualTo(first.content());
            goTo(line);
            before = world.clock().instant();
            FakeEndpoint.Received next = endpoint.take();
            assertThat(next.content()).isEqualTo(first.content());
            assertThat(TestWebhook.field(next, "svix-id")).isEqualTo(TestWebhook.field(first, "svix-id"));
            long second = Long.parseLong(TestWebhook.field(next, "svix-timestamp"));
            assertThat(second)
                    .isBetween(before.getEpochSecond(), world.clock().instant().getEpochSecond());
            assertThat(TestWebhook.field(next, "svix-signature"))
                    .isEqualTo(new WebhookSignature(hook.secret())
                            .of(TestWebhook.field(next, "svix-id"), second, next.content()));
        }
        TestWebhook.Line given = hook.line(row -> row.attempts() == 8);
        assertThat(given.due()).isNull();
        assertThat(given.failed()).isNotNull();
        assertThat(hook.enabled()).isTrue();
        world.advance(RetrySchedule.RETENTION.minusMinutes(1));
        mail("walk", "later");
        endpoint.take();
        assertThat(hook.lines()).hasSize(2);
        world.advance(Duration.ofMinutes(2));
        Eventually.await(() -> hook.lines().stream().noneMatch(line -> line.failed() != null));
    }

    @Test
    @Proves({"P8", "A22"})
    void everyAnswerButSuccessIsAFailureAndARedirectIsNotFollowed() throws IOException {
        try (FakeEndpoint elsewhere = FakeEndpoint.start()) {
            endpoint.then(
                    FakeEndpoint.respond(302, "Location: " + elsewhere.url("/") + "\r\n", ""),
                    FakeEndpoint.hangUp(),
                    FakeEndpoint.raw("no HTTP at all\r\n\r\n"),
                    FakeEndpoint.status(404));
            TestWebhook hook = mailed("answers");
            List<String> errors = List.of("status 302", "reset", "bad_response", "status 404");
            for (int attempt = 1; attempt <= errors.size(); attempt++) {
                int made = attempt;
                TestWebhook.Line line = hook.line(row -> row.attempts() == made);
                assertThat(line.error()).startsWith(errors.get(attempt - 1));
                goTo(line);
            }
            hook.settled();
            assertThat(elsewhere.received()).isEmpty();
        }
    }

    /** Fifteen seconds for the whole exchange, whatever trickles in meanwhile. */
    @ParameterizedTest
    @Tag("long")
    @Proves("P8")
    @ValueSource(booleans = {true, false})
    void anExchangeOfMoreThanFifteenSecondsIsAFailure(boolean drips) {
        endpoint.always(
                drips
                        ? endpoint.endless(
                                "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x", Duration.ofMillis(200))
                        : endpoint.hang());
        TestWebhook hook = mailed("slow");
        assertThat(hook.line(line -> line.attempts() == 1).error()).startsWith("timeout");
    }

    @Test
    @Proves("P8")
    void aSuccessAfterFailuresEndsItAndForgetsThem() {
        endpoint.then(FakeEndpoint.status(503));
        TestWebhook hook = mailed("recovers");
        goTo(hook.line(line -> line.attempts() == 1));
        endpoint.take();
        endpoint.take();
        hook.settled();
        world.advance(Duration.ofDays(6));
        endpoint.then(FakeEndpoint.status(503));
        mail("recovers", "second");
        endpoint.take();
        hook.line(line -> line.attempts() == 1);
        assertThat(hook.enabled()).isTrue();
    }

    @Test
    @Proves("P8")
    void fiveDaysOfNothingButFailureDisableAWebhookAndCallOffWhatWaits() {
        endpoint.always(FakeEndpoint.status(500));
        TestWebhook hook = mailed("disabled");
        endpoint.take();
        hook.line(line -> line.attempts() == 1);
        world.advance(RetrySchedule.FAILING.minusMinutes(10));
        mail("disabled", "second");
        hook.line(line -> line.attempts() == 2);
        assertThat(hook.enabled()).isTrue();
        world.advance(Duration.ofMinutes(15));
        mail("disabled", "third");
        Eventually.await(() -> !hook.enabled());
        hook.settled();
        endpoint.received().clear();
        mail("disabled", "fourth");
        assertThat(hook.lines()).isEmpty();
    }

    /** A crash behind the commit that disables leaves a job behind, and nothing to anybody. */
    @Test
    void disablingAndTheWorkOfCallingOffAreOneCommit() {
        endpoint.always(FakeEndpoint.status(500));
        TestWebhook hook = mailed("atomic");
        endpoint.take();
        hook.line(line -> line.attempts() == 1);
        world.database().runGlobal(tx -> {
            tx.sqlAcrossTenants("lock table job in share mode").run(); // no job can be written
            world.advance(RetrySchedule.FAILING.plusMinutes(1));
            Eventually.await(() -> world.database()
                            .read(other -> other.sqlAcrossTenants("select count(*) as n from pg_locks l"
                                            + " where not l.granted and l.relation = 'job'::regclass")
                                    .single(row -> row.integer("n")))
                    > 0);
            assertThat(hook.enabled()).isTrue();
        });
        Eventually.await(() -> !hook.enabled());
        hook.settled();
    }

    @Test
    @Proves("P8d")
    void aRestartBetweenAttemptsLosesNothingAndRepeatsTheSameBytes() {
        endpoint.always(FakeEndpoint.status(500));
        TestWebhook hook = mailed("restart");
        FakeEndpoint.Received first = endpoint.take();
        hook.line(line -> line.attempts() == 1);
        world.restart();
        endpoint.always(FakeEndpoint.status(200));
        goTo(hook.line(line -> line.attempts() == 1));
        FakeEndpoint.Received second = endpoint.take();
        assertThat(second.content()).isEqualTo(first.content());
        assertThat(TestWebhook.field(second, "svix-id")).isEqualTo(TestWebhook.field(first, "svix-id"));
        hook.settled();
    }

    /** What was committed and never attempted, because the process died, is taken up at the start, not 20 s later. */
    @Test
    @Tag("long")
    @Proves("P8d")
    void aStartTakesUpAtOnceWhatTheLastProcessWasAboutToDeliver() {
        endpoint.always(endpoint.hang());
        TestWebhook hook = mailed("reclaim");
        endpoint.take();
        mail("reclaim", "second");
        assertThat(hook.lines()).hasSize(2);
        endpoint.always(FakeEndpoint.status(200));
        world.restart();
        endpoint.take();
        endpoint.take();
        hook.settled();
    }
}
