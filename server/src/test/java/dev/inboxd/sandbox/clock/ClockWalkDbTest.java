package dev.inboxd.sandbox.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.job.WorkSurvey;
import dev.inboxd.server.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A walk by work of a test's own. */
class ClockWalkDbTest {
    /** Due a minute from now, whenever that is. */
    private static final String ENDLESS =
            "select {now} + interval '1 minute' from organization_clock c where c.organization_id = {organization}";

    private static final WorkKind.Pace PACE = WorkKind.Pace.of(Duration.ofSeconds(1), 4);

    @RegisterExtension
    private final World world = World.start();

    private StoredClock clock;
    private DueWork due;

    @BeforeEach
    void start() {
        clock = new StoredClock(world.database(), world.clock());
        due = new DueWork(world.database());
        UUID organization = world.organization();
        world.database()
                .<Integer>write(
                        organization,
                        tx -> tx.sql(
                                        View.of(organization),
                                        "insert into due_work (organization_id, kind, due_at)"
                                                + " values ({organization}, 'endless', {now})")
                                .run());
    }

    private WorkSurvey survey() {
        return due.survey(TakeOver.of(world.database(), new Nodes(world.database())));
    }

    @Test
    void afterTooManyMomentsTheClockGoesOnFromWhereItCame() {
        due.add(new WorkKind("endless", ENDLESS, PACE, _ -> {}));
        Instant before = world.clock().instant();
        try (StoredClock.Turn turn = Objects.requireNonNull(clock.take())) {
            ClockWalk walk = new ClockWalk(clock, turn, survey(), () -> false);
            assertThatThrownBy(() -> walk.walk(before.plus(Duration.ofDays(1)), 100))
                    .isInstanceOfSatisfying(Problem.class, refused -> {
                        assertThat(refused.code()).isEqualTo(ErrorCode.UNPROCESSABLE);
                        assertThat(refused.message()).contains("100 moments");
                    });
            assertThat(walk.steps()).isEqualTo(100);
        }
        assertThat(Duration.between(before, world.clock().instant()))
                .isBetween(Duration.ofMinutes(100), Duration.ofMinutes(110));
        assertThat(world.clock().reading().stands()).isNull();
    }

    @Test
    void whileOneCallHasTheClockNoOtherTakesIt() {
        try (StoredClock.Turn turn = Objects.requireNonNull(clock.take())) {
            assertThat(clock.take()).isNull();
            turn.extend();
        }
        Objects.requireNonNull(clock.take()).close();
    }

    @Test
    @Tag("long")
    void whatDoesNotEndInItsTimeIsLeftBehindAndNotWaitedForAgain() {
        List<Instant> begun = new ArrayList<>();
        CountDownLatch end = new CountDownLatch(1);
        Instant first = Instant.parse(
                        world.http().get("/v0/organizations").is(200).text("created_at"))
                .plus(Duration.ofHours(1));
        due.add(new WorkKind("endless", ENDLESS, PACE, _ -> {}));
        due.add(new WorkKind(
                "hanging", "select o.created_at + interval '1 hour' from organization o where {o}", PACE, _ -> {
                    begun.add(world.clock().instant());
                    await(end);
                }));
        long start = System.nanoTime();
        try (StoredClock.Turn turn = Objects.requireNonNull(clock.take())) {
            ClockWalk walk = new ClockWalk(clock, turn, survey(), () -> false);
            walk.walk(first.plus(Duration.ofMinutes(30)), ClockWalk.MOST_STEPS);
            turn.resume(clock.now());
        } finally {
            end.countDown();
        }
        assertThat(Duration.between(first, begun.getFirst())).isLessThan(Duration.ofMinutes(1));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(5), Duration.ofMinutes(2));
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
