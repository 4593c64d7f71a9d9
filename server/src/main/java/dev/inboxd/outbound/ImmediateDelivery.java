package dev.inboxd.outbound;

import dev.inboxd.base.job.Nodes;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.outbound.throttle.DestinationThrottle;
import dev.inboxd.outbound.throttle.OrganizationThrottle;
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
 * Delivers a message directly after its commit, without reading it back from the queue: its rows are inserted as
 * claimed. Permits are taken before the commit, as for queued mail, so that no queued message waits behind new ones for
 * long.
 */
final class ImmediateDelivery {
    /**
     * Maximum octets of a message that is held in memory while it waits; a larger one is read from storage when it is
     * sent.
     */
    private static final int LARGEST = 64 * 1024;

    private final Capacity capacity;
    private final BiConsumer<QueueItem, RawMessage> deliver;
    private final Consumer<UUID> reclaim;

    /**
     * The limits of a queue.
     *
     * @param organizations permits for mail to other servers
     * @param destinations null where a relay takes all mail
     * @param inProgress the items being delivered
     * @param nodes the identity under which rows are claimed
     */
    record Capacity(
            OrganizationThrottle organizations,
            @Nullable DestinationThrottle destinations,
            Set<QueueItem> inProgress,
            Nodes nodes) {}

    /**
     * The immediate delivery of one queue.
     *
     * @param deliver delivers an item; its permit and its destination's are taken
     * @param reclaim called with an organization that may have committed rows as claimed which nobody delivers
     */
    ImmediateDelivery(Capacity capacity, BiConsumer<QueueItem, RawMessage> deliver, Consumer<UUID> reclaim) {
        this.capacity = capacity;
        this.deliver = deliver;
        this.reclaim = reclaim;
    }

    /**
     * Takes the permits for all recipients of a message.
     *
     * @return null when a permit is missing; then none is taken
     */
    SubmissionQueue.@Nullable ImmediateSlot of(SubmissionQueue.LoadedMessage message, List<String> recipients) {
        if (message.bytes().length > LARGEST || !capacity.nodes.departures().mayBegin(message.organization())) {
            return null;
        }
        List<String> domains =
                recipients.stream().map(ImmediateDelivery::domain).toList();
        int permits = capacity.organizations.acquire(message.organization(), domains.size());
        List<String> reserved = new ArrayList<>();
        if (permits == domains.size()) {
            domains.stream()
                    .takeWhile(domain -> capacity.destinations == null || capacity.destinations.begin(domain))
                    .forEach(reserved::add);
        }
        if (reserved.size() == domains.size()) {
            return new Reservation(message, domains);
        }
        capacity.organizations.release(message.organization(), permits - reserved.size());
        reserved.forEach(domain -> release(message.organization(), domain));
        return null;
    }

    private void release(UUID organization, String domain) {
        capacity.organizations.release(organization, 1);
        if (capacity.destinations != null) {
            capacity.destinations.release(domain);
        }
    }

    /** The domain in the form of the row's column. */
    private static String domain(String recipient) {
        return recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    private final class Reservation implements SubmissionQueue.ImmediateSlot {
        private final SubmissionQueue.LoadedMessage message;
        private final List<String> domains;
        /** The whole submission, until it is known which of its recipients are delivered here. */
        private @Nullable QueueItem submissionItem;

        private boolean done;

        private Reservation(SubmissionQueue.LoadedMessage message, List<String> domains) {
            this.message = message;
            this.domains = domains;
        }

        @Override
        public UUID node() {
            return capacity.nodes.self();
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
                    DeliveryQueueSql.deliveryDeadline(),
                    IntStream.range(0, recipients.size())
                            .mapToObj(i -> new QueueItem.Recipient(
                                    i + 1,
                                    recipients.get(i),
                                    1,
                                    0,
                                    contents.dsn().of(i),
                                    false))
                            .toList());
            synchronized (capacity.inProgress) {
                if (submissionItem != null) {
                    capacity.inProgress.remove(
                            submissionItem); // of a transaction that was rolled back; this one inserts the rows again
                }
                capacity.inProgress.add(
                        all); // before the commit, so that no thread finds its rows claimed and not being delivered
            }
            submissionItem = all;
        }

        @Override
        public void committed(Set<Integer> positions, Instant at) {
            QueueItem all = Objects.requireNonNull(submissionItem);
            List<QueueItem> items = new ArrayList<>();
            for (QueueItem.Recipient recipient : all.recipients()) {
                String domain = domain(recipient.address());
                if (positions.contains(recipient.position())) {
                    items.add(new QueueItem(
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
            synchronized (capacity.inProgress) { // a reader sees either the whole or its parts
                capacity.inProgress.addAll(items);
                capacity.inProgress.remove(all);
            }
            done = true;
            items.forEach(item -> deliver.accept(item, raw(all)));
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
            if (submissionItem != null) {
                capacity.inProgress.remove(submissionItem);
                reclaim.accept(message.organization());
            }
        }
    }
}
