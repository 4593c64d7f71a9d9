package dev.inboxd.outbound;

import dev.inboxd.inbound.RawMessage;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.queue.SubmissionQueue;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Mail that is carried as soon as it is committed: its rows are born claimed. Room for it is taken before, as for what
 * is claimed from the rows, so nothing that waits is passed over for long.
 */
final class ImmediateDelivery {
    /** Who waits for a place may wait with a copy in memory; what is larger is read when its turn comes. */
    private static final int LARGEST = 64 * 1024;

    private final Capacity room;
    private final BiConsumer<QueueItem, RawMessage> deliver;
    private final Consumer<UUID> doubt;

    /**
     * What a queue has room for.
     *
     * @param places for mail to other servers
     * @param destinations null where one server takes all mail
     * @param carried what is under way
     * @param nodes as whom it claims
     */
    record Capacity(
            OrganizationThrottle places,
            @Nullable DestinationThrottle destinations,
            Set<QueueItem> carried,
            Nodes nodes) {}

    /**
     * Handovers of one queue.
     *
     * @param carry carries a parcel; its place, and that of its destination, are taken
     * @param doubt says of whom rows may have been committed that are claimed, and nobody carries them
     */
    ImmediateDelivery(Capacity room, BiConsumer<QueueItem, RawMessage> carry, Consumer<UUID> doubt) {
        this.room = room;
        this.deliver = carry;
        this.doubt = doubt;
    }

    /** Takes the places for a message, or none at all. */
    SubmissionQueue.@Nullable ImmediateSlot of(SubmissionQueue.LoadedMessage message, List<String> recipients) {
        if (message.bytes().length > LARGEST || !room.nodes.isAlive()) {
            return null;
        }
        List<String> domains =
                recipients.stream().map(ImmediateDelivery::domain).toList();
        int taken = room.places.acquire(message.organization(), domains.size());
        List<String> begun = new ArrayList<>();
        if (taken == domains.size()) {
            domains.stream()
                    .takeWhile(domain -> room.destinations == null || room.destinations.begin(domain))
                    .forEach(begun::add);
        }
        if (begun.size() == domains.size()) {
            return new Reservation(message, domains);
        }
        room.places.release(message.organization(), taken - begun.size());
        begun.forEach(domain -> release(message.organization(), domain));
        return null;
    }

    private void release(UUID organization, String domain) {
        room.places.release(organization, 1);
        if (room.destinations != null) {
            room.destinations.release(domain);
        }
    }

    /** As the row's column has it. */
    private static String domain(String recipient) {
        return recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    private final class Reservation implements SubmissionQueue.ImmediateSlot {
        private final SubmissionQueue.LoadedMessage message;
        private final List<String> domains;
        /** All of the submission, as long as it is not known what of it is ours. */
        private @Nullable QueueItem whole;

        private boolean done;

        private Reservation(SubmissionQueue.LoadedMessage message, List<String> domains) {
            this.message = message;
            this.domains = domains;
        }

        @Override
        public UUID node() {
            return room.nodes.self();
        }

        @Override
        public Duration lease() {
            return DeliveryQueueSql.LEASE;
        }

        @Override
        public void begins(UUID submission, SubmissionQueue.NewSubmission contents) {
            List<String> recipients = contents.recipients();
            QueueItem all = new QueueItem(
                    message.organization(),
                    submission,
                    contents.message(),
                    contents.inbox(),
                    contents.reversePath(),
                    Instant.EPOCH,
                    contents.dsn().mail(),
                    domains.getFirst(),
                    false,
                    DeliveryQueueSql.carriedUntil(),
                    IntStream.range(0, recipients.size())
                            .mapToObj(i -> new QueueItem.Recipient(
                                    i + 1,
                                    recipients.get(i),
                                    1,
                                    0,
                                    contents.dsn().of(i),
                                    false))
                            .toList());
            synchronized (room.carried) {
                if (whole != null) {
                    room.carried.remove(whole); // a transaction that was given up; this one makes the rows anew
                }
                room.carried.add(all); // before the commit, so that nobody finds its rows claimed and not carried
            }
            whole = all;
        }

        @Override
        public void committed(Set<Integer> positions, Instant at) {
            QueueItem all = Objects.requireNonNull(whole);
            List<QueueItem> parcels = new ArrayList<>();
            for (QueueItem.Recipient recipient : all.recipients()) {
                String domain = domain(recipient.address());
                if (positions.contains(recipient.position())) {
                    parcels.add(new QueueItem(
                            all.organization(),
                            all.submission(),
                            all.message(),
                            all.inbox(),
                            all.reversePath(),
                            at,
                            all.dsn(),
                            domain,
                            false,
                            all.until(),
                            List.of(recipient)));
                } else {
                    release(all.organization(), domain);
                }
            }
            synchronized (room.carried) { // who looks sees the one or the others
                room.carried.addAll(parcels);
                room.carried.remove(all);
            }
            done = true;
            parcels.forEach(parcel -> deliver.accept(parcel, raw(all)));
        }

        private RawMessage raw(QueueItem all) {
            return new RawMessage(
                    all.submission().toString(),
                    message.bytes().length,
                    HexFormat.of().formatHex(message.sha256()),
                    () -> new ByteArrayInputStream(message.bytes()),
                    all.message() == null);
        }

        @Override
        public void close() {
            if (done) {
                return;
            }
            done = true;
            domains.forEach(domain -> release(message.organization(), domain));
            if (whole != null) {
                room.carried.remove(whole);
                doubt.accept(message.organization());
            }
        }
    }
}
