package dev.inboxd.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.World;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.id.Uuid7;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attempts of one send: in a batch that fails, each of its sends is tried again. */
class SendMemoryDbTest {
    private static final byte[] FINGERPRINT = {1, 2, 3};

    private World world;
    private SendMemory memory;
    private UUID organization;

    @BeforeEach
    void start() {
        world = World.start();
        memory = new SendMemory(world.database());
        organization = world.organization();
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void aSendThatRunsAgainAfterItsCommitIsAnsweredAsItWas() {
        SendMemory.Noting noting = memory.noting(Objects.requireNonNull(memory.begin(organization, "key", FINGERPRINT).claim()));
        Sent made = new Sent("<1@x.test>", Uuid7.next());
        assertThat(attempt(noting, made)).isNull();
        assertThat(attempt(noting, new Sent("<2@x.test>", Uuid7.next()))).isEqualTo(made);
    }

    @Test
    void whatAnAttemptFoundThatCameToNothingIsForgotten() {
        SendMemory.Claim first = memory.unnamed(organization, FINGERPRINT);
        Sent unheard = new Sent("<1@x.test>", Uuid7.next());
        assertThat(attempt(memory.noting(first), unheard)).isNull();
        SendMemory.Claim second = memory.unnamed(organization, FINGERPRINT);
        SendMemory.Noting noting = memory.noting(second);
        assertThat(attempt(noting, unheard)).isEqualTo(unheard);
        world.database().write(organization, tx -> tx.sql(View.of(organization), "delete from send_memory s where {s}").run());
        assertThat(attempt(noting, new Sent("<2@x.test>", Uuid7.next()))).isNull();
        noting.answered();
        memory.end(second);
        assertThat(attempt(memory.noting(memory.unnamed(organization, FINGERPRINT)), new Sent("<3@x.test>", Uuid7.next())))
                .as("an equal send behind an answer that was heard is a new one").isNull();
    }

    @Test
    void whatFailsBehindACommitTakesNothingBackAndStopsNothing() {
        List<String> said = new ArrayList<>();
        String answer = world.database().write(organization, tx -> {
            tx.afterCommit(() -> {
                throw new AssertionError("on purpose");
            });
            tx.afterCommit(() -> said.add("second"));
            return "committed";
        });
        assertThat(answer).isEqualTo("committed");
        assertThat(said).containsExactly("second");
    }

    private @Nullable Sent attempt(SendMemory.Noting noting, Sent made) {
        View all = View.of(organization);
        return world.database().write(organization, 1, (tx, opening) -> {
            noting.look(opening, all);
            opening.run();
            Sent before = noting.decide();
            if (before == null) {
                RoundTrip writes = tx.roundTrip();
                noting.writeWith(writes, all, made);
                writes.run();
            }
            return before;
        });
    }
}
