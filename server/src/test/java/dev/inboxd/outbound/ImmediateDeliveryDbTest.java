package dev.inboxd.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.job.Nodes;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.outbound.throttle.DestinationThrottle;
import dev.inboxd.outbound.throttle.OrganizationThrottle;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.server.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mail that is carried as soon as it is committed, and what becomes of its places when it is not. */
class ImmediateDeliveryDbTest {
    private static final byte[] MAIL = {'m', 'a', 'i', 'l'};

    private final World world = World.start();
    private final OrganizationThrottle places = new OrganizationThrottle();
    private final DestinationThrottle destinations = new DestinationThrottle(2, 1_000, System::nanoTime);
    private final Set<QueueItem> carried = new HashSet<>();
    private final List<QueueItem> sent = new ArrayList<>();
    private final List<String> bytes = new ArrayList<>();
    private final List<UUID> doubted = new ArrayList<>();
    private final UUID organization = UUID.randomUUID();
    private final UUID submission = UUID.randomUUID();
    private final ImmediateDelivery handovers = new ImmediateDelivery(
            new ImmediateDelivery.Capacity(places, destinations, carried, new Nodes(world.database())),
            this::carry,
            doubted::add);

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void whatIsCommittedLeavesInAParcelForEachRecipientWithoutWhoIsHere() throws Exception {
        SubmissionQueue.ImmediateSlot handover = taken("a@one.test", "b@TWO.test", "c@one.test", "here@inboxd.test");
        handover.begins(submission, contents("a@one.test", "b@TWO.test", "c@one.test", "here@inboxd.test"));
        assertThat(carried).hasSize(1); // nobody may find the rows claimed and nobody carrying them
        handover.committed(Set.of(1, 2, 3), Instant.EPOCH);
        handover.close();

        assertThat(sent).extracting(QueueItem::destination).containsExactly("one.test", "two.test", "one.test");
        assertThat(sent.getLast().recipients())
                .containsExactly(new QueueItem.Recipient(3, "c@one.test", 1, 0, RecipientDsn.NONE, false));
        assertThat(sent).extracting(QueueItem::submission).containsOnly(submission);
        assertThat(bytes).containsOnly("mail");
        assertThat(carried).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(doubted).isEmpty();
        places.release(organization, 3); // theirs; that of who is here was given back
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
        assertThat(destinations.begin("inboxd.test")).isTrue();
    }

    @Test
    void whatWasNeverQueuedLeavesNoTrace() throws Exception {
        taken("a@one.test").close();
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
        assertThat(destinations.begin("one.test")).isTrue();
        assertThat(doubted).isEmpty();
    }

    @Test
    void whatIsCommittedForInboxesHereAloneGivesItsPlacesBackAndIsNotDoubted() throws Exception {
        SubmissionQueue.ImmediateSlot handover = taken("here@inboxd.test");
        handover.begins(submission, contents("here@inboxd.test"));
        handover.committed(Set.of(), Instant.EPOCH);
        handover.close();
        assertThat(sent).isEmpty();
        assertThat(carried).isEmpty();
        assertThat(doubted).isEmpty();
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
    }

    @Test
    void whatComesToNothingCountsInNoMinute() {
        DestinationThrottle strict = new DestinationThrottle(5, 1, () -> 0);
        assertThat(strict.begin("one.test")).isTrue();
        strict.release("one.test");
        assertThat(strict.begin("one.test")).isTrue();
        strict.ended("one.test", DestinationThrottle.LoadSignal.ANSWERED);
        assertThat(strict.begin("one.test")).isFalse();
    }

    @Test
    void whatIsNotKnownToBeCommittedIsDoubted() throws Exception {
        SubmissionQueue.ImmediateSlot handover = taken("a@one.test");
        handover.begins(submission, contents("a@one.test"));
        handover.close();
        assertThat(sent).isEmpty();
        assertThat(carried).isEmpty();
        assertThat(doubted).containsExactly(organization);
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
    }

    @Test
    void withoutAPlaceForAllOfItItWaitsForItsTurn() throws Exception {
        assertThat(handovers.of(message(MAIL), List.of("a@two.test", "b@two.test", "c@two.test")))
                .isNull();
        assertThat(destinations.begin("two.test")).isTrue(); // two at a time, as set above
        assertThat(destinations.begin("two.test")).isTrue();
        assertThat(handovers.of(message(MAIL), List.of("a@one.test", "b@two.test")))
                .isNull();
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
        assertThat(destinations.begin("one.test")).isTrue();
        assertThat(handovers.of(message(new byte[65 * 1024]), List.of("a@three.test")))
                .isNull();
        int all = places.acquire(organization, 1_000);
        assertThat(handovers.of(message(MAIL), List.of("a@three.test"))).isNull();
        places.release(organization, all);
        assertThat(places.awaitEmpty(Duration.ZERO)).isTrue();
    }

    private SubmissionQueue.ImmediateSlot taken(String... recipients) {
        return Objects.requireNonNull(handovers.of(message(MAIL), List.of(recipients)));
    }

    private SubmissionQueue.LoadedMessage message(byte[] content) {
        return new SubmissionQueue.LoadedMessage(organization, content, new byte[32]);
    }

    private static SubmissionQueue.NewSubmission contents(String... recipients) {
        return new SubmissionQueue.NewSubmission(
                UUID.randomUUID(), UUID.randomUUID(), "me@inboxd.test", new byte[0], List.of(recipients));
    }

    private void carry(QueueItem parcel, RawMessage raw) {
        sent.add(parcel);
        try {
            bytes.add(new String(raw.bytes(), StandardCharsets.US_ASCII));
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
