package dev.inboxd.move;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.copy.CopyLock;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.OrganizationMark;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writers that have read no marks, as those of a process that was frozen during a move. */
@Proves("P2i")
class MoveFenceDbTest {
    private static final String PLACE = "postgres://new.test/inboxd";

    @RegisterExtension
    private final World world = World.start();

    private Database late;
    private UUID goes;
    private UUID stays;

    @BeforeEach
    void start() {
        late = new Database(world.location(), null);
        goes = organization(world.otherOrganization(), "goes");
        stays = organization(world.otherOrganization(), "stays");
    }

    private UUID organization(String key, String username) {
        String inbox = world.as(key)
                .post("/v0/inboxes", json("username", username))
                .is(200)
                .text("inbox_id");
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("organization_id")));
    }

    @AfterEach
    void stop() {
        late.close();
    }

    private void moveAll() {
        try (CopyLock lock = CopyLock.of(world.location())) {
            lock.commit(tx -> MarkChanges.moved(tx, PLACE));
        }
    }

    private void moveOne() {
        try (CopyLock lock = CopyLock.of(world.location(), goes)) {
            lock.commit(tx -> MarkChanges.mark(tx, goes, new OrganizationMark(OrganizationMark.State.MOVED, PLACE)));
        }
    }

    /** Writes a row of a table that a move takes along. */
    private void write(UUID organization) {
        late.write(organization, tx -> insert(tx, organization));
    }

    private static int insert(Tx tx, UUID organization) {
        return tx.sql(
                        View.of(organization),
                        "insert into job (organization_id, job_id, kind, subject, created_at, due_at)"
                                + " values ({organization}, :id, 'none', '', {now}, {now})")
                .bind("id", UUID.randomUUID())
                .run();
    }

    private void writeGlobal() {
        late.writeGlobal(
                tx -> tx.sql("insert into session_key (kid, private_key, created_at)" + " values (:id, '', {now})")
                        .bind("id", UUID.randomUUID().toString())
                        .run());
    }

    private List<PendingCommit<String>> writeTogether(List<UUID> organizations) {
        GroupCommit<String> commit = GroupCommit.of(late, (_, _, _) -> new GroupCommit.Change() {
            @Override
            public ClockReservation claim() {
                return ClockReservation.numbers(1);
            }

            @Override
            public void write(RoundTrip writes) {}
        });
        return organizations.stream().map(each -> commit.submit(each, "item")).toList();
    }

    private long number(UUID organization) {
        return world.database()
                .read(tx -> tx.sql(View.of(organization), "select k.event_seq from organization_clock k where {k}")
                        .single(row -> row.longer("event_seq")));
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable late) {
        assertThatThrownBy(late)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.MOVED))
                .hasMessageContaining(PLACE);
    }

    @Test
    void nobodyCommitsBehindTheMoveOfAnInstallation() {
        moveAll();
        long before = number(goes); // work of its own may have changed something until then
        assertRefused(() -> write(goes));
        assertRefused(() -> write(stays));
        assertRefused(this::writeGlobal);
        assertThat(world.database()
                        .<Integer>read(tx -> tx.sql("select count(*)::int as some from session_key")
                                .single(row -> row.integer("some"))))
                .isZero();
        for (PendingCommit<String> each : writeTogether(List.of(goes, stays))) {
            assertRefused(each::await);
        }
        assertThat(number(goes)).isEqualTo(before);
    }

    @Test
    void behindTheMoveOfAnOrganizationTheOthersGoOn() {
        moveOne();
        long before = number(goes);
        assertRefused(() -> write(goes));
        write(stays);
        writeGlobal();
        List<PendingCommit<String>> both = writeTogether(List.of(goes, stays));
        assertRefused(both.getFirst()::await);
        both.getLast().await();
        assertThat(number(goes)).isEqualTo(before);

        new MarkChanges(world.database()).unmark(goes);
        write(goes);
    }

    @Test
    void whoWaitedWhileAnOrganizationMovedIsRefused() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                CopyLock lock = CopyLock.of(world.location(), goes)) {
            Future<?> waits = threads.submit(() -> write(goes));
            awaitWaiting();
            lock.commit(tx -> MarkChanges.mark(tx, goes, new OrganizationMark(OrganizationMark.State.MOVED, PLACE)));
            assertRefused(() -> ended(waits));
        }
    }

    @Test
    void whoWaitedWhileAnInstallationMovedIsRefused() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                CopyLock lock = CopyLock.of(world.location())) {
            Future<?> waits = threads.submit(() -> write(goes));
            Future<?> founds = threads.submit(this::writeGlobal);
            awaitWaiting();
            lock.commit(tx -> MarkChanges.moved(tx, PLACE));
            assertRefused(() -> ended(waits));
            assertRefused(() -> ended(founds));
        }
    }

    @Test
    void aTransactionThatHasBegunComesToItsEndBeforeTheLock() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> write = threads.submit(() -> late.write(goes, tx -> {
                began.countDown();
                awaitWaiting();
                return insert(tx, goes);
            }));
            began.await();
            try (CopyLock lock = CopyLock.of(world.location())) {
                lock.commit(tx -> MarkChanges.moved(tx, PLACE));
            }
            assertThat(write.get()).isOne();
        }
    }

    private void awaitWaiting() {
        Eventually.await(() -> world.database()
                        .<Integer>read(tx -> tx.sql("select count(*)::int as some"
                                        + " from pg_stat_activity a where a.wait_event_type = 'Lock'"
                                        + " and a.datname = current_database()")
                                .single(row -> row.integer("some")))
                > 0);
    }

    private static @Nullable Object ended(Future<?> write) throws Throwable {
        try {
            return write.get();
        } catch (ExecutionException failed) {
            throw failed.getCause();
        }
    }
}
