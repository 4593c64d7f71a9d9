package dev.inboxd.outbound;

import dev.inboxd.inbound.Raw;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.queue.Submissions;
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
final class Handovers {
    /** Who waits for a place may wait with a copy in memory; what is larger is read when its turn comes. */
    private static final int LARGEST = 64 * 1024;

    private final Room room;
    private final BiConsumer<Parcel, Raw> carry;
    private final Consumer<UUID> doubt;

    /**
     * What a queue has room for.
     *
     * @param places for mail to other servers
     * @param destinations null where one server takes all mail
     * @param carried what is under way
     * @param nodes as whom it claims
     */
    record Room(Places places, @Nullable Destinations destinations, Set<Parcel> carried, Nodes nodes) {}

    /**
     * Handovers of one queue.
     *
     * @param carry carries a parcel; its place, and that of its destination, are taken
     * @param doubt says of whom rows may have been committed that are claimed, and nobody carries them
     */
    Handovers(Room room, BiConsumer<Parcel, Raw> carry, Consumer<UUID> doubt) {
        this.room = room;
        this.carry = carry;
        this.doubt = doubt;
    }

    /** Takes the places for a message, or none at all. */
    Submissions.@Nullable Handover of(Submissions.AtHand message, List<String> recipients) {
        if (message.bytes().length > LARGEST || !room.nodes.isAlive()) {
            return null;
        }
        List<String> domains = recipients.stream().map(Handovers::domain).toList();
        int taken = room.places.take(message.organization(), domains.size());
        List<String> begun = new ArrayList<>();
        if (taken == domains.size()) {
            domains.stream()
                    .takeWhile(domain -> room.destinations == null || room.destinations.begin(domain))
                    .forEach(begun::add);
        }
        if (begun.size() == domains.size()) {
            return new Taken(message, domains);
        }
        room.places.give(message.organization(), taken - begun.size());
        begun.forEach(domain -> release(message.organization(), domain));
        return null;
    }

    private void release(UUID organization, String domain) {
        room.places.give(organization, 1);
        if (room.destinations != null) {
            room.destinations.undone(domain);
        }
    }

    /** As the row's column has it. */
    private static String domain(String recipient) {
        return recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    private final class Taken implements Submissions.Handover {
        private final Submissions.AtHand message;
        private final List<String> domains;
        /** All of the submission, as long as it is not known what of it is ours. */
        private @Nullable Parcel whole;

        private boolean done;

        private Taken(Submissions.AtHand message, List<String> domains) {
            this.message = message;
            this.domains = domains;
        }

        @Override
        public UUID node() {
            return room.nodes.self();
        }

        @Override
        public Duration lease() {
            return OutgoingSql.LEASE;
        }

        @Override
        public void begins(UUID submission, Submissions.NewSubmission contents) {
            List<String> recipients = contents.recipients();
            Parcel all = new Parcel(
                    message.organization(),
                    submission,
                    contents.message(),
                    contents.inbox(),
                    contents.reversePath(),
                    Instant.EPOCH,
                    contents.dsn().mail(),
                    domains.getFirst(),
                    false,
                    OutgoingSql.carriedUntil(),
                    IntStream.range(0, recipients.size())
                            .mapToObj(i -> new Parcel.Recipient(
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
            Parcel all = Objects.requireNonNull(whole);
            List<Parcel> parcels = new ArrayList<>();
            for (Parcel.Recipient recipient : all.recipients()) {
                String domain = domain(recipient.address());
                if (positions.contains(recipient.position())) {
                    parcels.add(new Parcel(
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
            parcels.forEach(parcel -> carry.accept(parcel, raw(all)));
        }

        private Raw raw(Parcel all) {
            return new Raw(
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
