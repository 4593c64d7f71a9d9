package dev.inboxd.sending.idempotency;

import static dev.inboxd.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.WriteGate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attempts of one send: in a batch that fails, each of its sends is tried again. */
class IdempotencyDbTest {
    private static final byte[] FINGERPRINT = {1, 2, 3};

    private Database database;
    private Idempotency memory;
    private UUID organization;

    /** No service runs: nothing but the test moves the clock of an organization. */
    @BeforeEach
    void start() {
        database = new Database(TestPostgres.migrated(), null);
        memory = new Idempotency(database, new Nodes(database));
        organization = organization();
    }

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    @Proves("P5")
    void aSendThatRunsAgainAfterItsCommitIsAnsweredAsItWas() {
        IdempotencyClaim noting = memory.begin(new IdempotencyKey(organization, "key", FINGERPRINT, true));
        SendResult made = new SendResult("<1@x.test>", Uuid7.next());
        assertThat(attempt(noting, made)).isNull();
        assertThat(attempt(noting, new SendResult("<2@x.test>", Uuid7.next()))).isEqualTo(made);
    }

    @Test
    @Proves("P5")
    void whatAnAttemptFoundThatCameToNothingIsForgotten() {
        IdempotencyKey key = IdempotencyKey.unnamed(organization, FINGERPRINT);
        SendResult unheard = new SendResult("<1@x.test>", Uuid7.next());
        assertThat(attempt(memory.begin(key), unheard)).isNull();
        IdempotencyClaim noting = memory.begin(key);
        assertThat(attempt(noting, unheard)).isEqualTo(unheard);
        database.write(
                organization,
                tx -> tx.sql(View.of(organization), "delete from send_memory s where {s}")
                        .run());
        assertThat(attempt(noting, new SendResult("<2@x.test>", Uuid7.next()))).isNull();
        noting.acknowledge();
        noting.end();
        assertThat(attempt(memory.begin(key), new SendResult("<3@x.test>", Uuid7.next())))
                .as("an equal send behind an answer that was heard is a new one")
                .isNull();
    }

    /** Two nodes, of which one is silent: what it had claimed is the other's, and its own commit finds that. */
    @Test
    @Proves({"P4", "P8b"})
    void theKeyOfANodeThatIsDeadIsTakenOverAndItsCommitFails() {
        Nodes silent = new Nodes(database);
        Idempotency elsewhere = new Idempotency(database, silent);
        IdempotencyKey key = new IdempotencyKey(organization, "key", FINGERPRINT, true);
        sign(silent, 0);
        IdempotencyClaim claimed = elsewhere.begin(key);
        assertThatThrownBy(() -> memory.begin(key)).hasMessageContaining("in progress");
        sign(silent, 7);
        IdempotencyClaim taken = memory.begin(key);
        assertThatThrownBy(() -> attempt(claimed, new SendResult("<1@x.test>", Uuid7.next())))
                .hasMessageContaining("took over");
        SendResult made = new SendResult("<2@x.test>", Uuid7.next());
        assertThat(attempt(taken, made)).isNull();
        assertThatThrownBy(() -> attempt(claimed, new SendResult("<3@x.test>", Uuid7.next())))
                .hasMessageContaining("took over");
        assertThat(memory.begin(key).earlier()).isEqualTo(made);
    }

    /** Its release failed, as the database was busy: the node knows that it is not at it any more. */
    @Test
    @Proves("P4")
    void aKeyThatThisNodeClaimedAndIsNotAtAnyMoreIsFree() {
        IdempotencyKey key = new IdempotencyKey(organization, "key", FINGERPRINT, true);
        IdempotencyClaim claimed = memory.begin(key);
        assertThatThrownBy(() -> memory.begin(key)).hasMessageContaining("in progress");
        claimed.end();
        IdempotencyClaim next = memory.begin(key);
        assertThat(next.earlier()).isNull();
        assertThat(attempt(next, new SendResult("<1@x.test>", Uuid7.next()))).isNull();
    }

    /** For the other nodes, which see a node that lives: it releases what it could not release at once. */
    @Test
    @Proves("P4")
    void aClaimThatCouldNotBeReleasedIsReleasedByTheCleanup() {
        IdempotencyKey key = new IdempotencyKey(organization, "key", FINGERPRINT, true);
        assertThatThrownBy(() -> memory.execute(key, _ -> {
                    database.gate().follow(_ -> WriteGate.readOnly());
                    throw WriteGate.readOnly();
                }))
                .isInstanceOf(Problem.class);
        memory.cleanUp();
        assertThat(notes(organization)).as("it cannot be written").isOne();
        database.gate().follow(_ -> null);
        memory.cleanUp();
        assertThat(notes(organization)).isZero();
    }

    @Test
    void whatWasHeardOfIsForgottenAndNobodyIsCalledForIt() {
        hear(organization);
        long before = clock();
        memory.cleanUp();
        assertThat(notes(organization)).isZero();
        assertThat(clock()).as("who follows the clock has nothing to look for").isEqualTo(before);
    }

    @Test
    void whoeverWritesForOneOrganizationIsWaitedForByItsOwnNotesAlone() throws InterruptedException {
        UUID other = organization();
        hear(organization);
        hear(other);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Thread writer = Thread.startVirtualThread(() -> database.write(other, tx -> {
            held.countDown();
            try {
                return enough.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }));
        held.await();
        Thread forgetting = Thread.startVirtualThread(memory::cleanUp);
        await(() -> notes(organization) == 0);
        assertThat(notes(other)).isOne();
        enough.countDown();
        forgetting.join();
        writer.join();
        assertThat(notes(other)).isZero();
    }

    @Test
    void whatFailsBehindACommitTakesNothingBackAndStopsNothing() {
        List<String> said = new ArrayList<>();
        String answer = database.write(organization, tx -> {
            tx.afterCommit(() -> {
                throw new AssertionError("on purpose");
            });
            tx.afterCommit(() -> said.add("second"));
            return "committed";
        });
        assertThat(answer).isEqualTo("committed");
        assertThat(said).containsExactly("second");
    }

    /** The sign of life of a node, some seconds ago. */
    private void sign(Nodes node, int seconds) {
        database.writeGlobal(tx -> tx.sql("insert into node as n (node_id, seen_at)"
                        + " values (:node, statement_timestamp() - make_interval(secs => :ago))"
                        + " on conflict (node_id) do update set seen_at = excluded.seen_at")
                .bind("node", node.self())
                .bind("ago", (double) seconds)
                .run());
    }

    private UUID organization() {
        UUID id = Uuid7.next();
        database.writeGlobal(tx ->
                new Organizations(database, InstantSource.system()).create(tx, id, Organization.Type.CONSOLE, null));
        return id;
    }

    /** Leaves the note of a send whose answer reached its caller. */
    private void hear(UUID of) {
        IdempotencyClaim noting = memory.begin(IdempotencyKey.unnamed(of, FINGERPRINT));
        assertThat(attempt(of, noting, new SendResult("<1@x.test>", Uuid7.next())))
                .isNull();
        noting.acknowledge();
        noting.end();
        assertThat(notes(of)).isOne();
    }

    private int notes(UUID of) {
        return database.read(tx -> tx.sql(View.of(of), "select count(*) as n from send_memory s where {s}")
                .single(row -> row.integer("n")));
    }

    private long clock() {
        return database.read(
                tx -> tx.sql(View.of(organization), "select k.event_seq from organization_clock k where {k}")
                        .single(row -> row.longer("event_seq")));
    }

    private @Nullable SendResult attempt(IdempotencyClaim noting, SendResult made) {
        return attempt(organization, noting, made);
    }

    private @Nullable SendResult attempt(UUID of, IdempotencyClaim noting, SendResult made) {
        View all = View.of(of);
        return database.write(of, 1, (tx, opening) -> {
            noting.prefetch(opening, all);
            opening.run();
            SendResult before = noting.decide();
            if (before == null) {
                RoundTrip writes = tx.roundTrip();
                noting.appendTo(writes, all, made);
                writes.run();
            }
            return before;
        });
    }
}
