package dev.inboxd.outbound;

import dev.inboxd.inbound.Ingest;
import dev.inboxd.inbound.Raw;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.mailbox.message.Contents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.queue.Submissions;
import dev.inboxd.tenant.domain.Senders;
import dev.inboxd.tenant.inbox.Addresses;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.Screening;
import dev.inboxd.tenant.list.Verdict;
import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries one parcel to its recipients and tells how each fared. Holds no transaction while it does. */
public final class Courier {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    private final Database database;
    private final Messages messages;
    private final Contents contents;
    private final Addresses addresses;
    private final Ingest ingest;
    private final Departures departures;

    /** What a courier stands on. */
    public record Parts(
            Database database,
            Messages messages,
            Contents contents,
            Addresses addresses,
            Ingest ingest,
            Senders senders,
            ReturnPaths returnPaths,
            Submissions submissions) {}

    /**
     * How a parcel fared.
     *
     * @param course what that says of its destination
     */
    record Carried(Map<Parcel.Recipient, Outcome> outcomes, Destinations.Course course) {}

    Courier(Parts parts, Departures departures) {
        this.database = parts.database;
        this.messages = parts.messages;
        this.contents = parts.contents;
        this.addresses = parts.addresses;
        this.ingest = parts.ingest;
        this.departures = departures;
    }

    /**
     * Tries every recipient of the parcel once.
     *
     * @param atHand its bytes when it was accepted just now, lists and all; else null
     */
    Carried carry(Parcel parcel, @Nullable Raw atHand) {
        Optional<Raw> raw = atHand == null ? raw(parcel) : Optional.of(atHand);
        Destinations.Course course = Destinations.Course.UNKNOWN;
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        Map<Parcel.Recipient, AddrSpec> elsewhere = new LinkedHashMap<>();
        Outcome unfit = unfit(parcel, raw);
        if (unfit != null) {
            parcel.recipients().forEach(recipient -> outcomes.put(recipient, unfit));
            return new Carried(outcomes, course);
        }
        Map<String, String> refused = atHand == null ? database.read(tx -> refused(tx, parcel)) : Map.of();
        for (Parcel.Recipient recipient : parcel.recipients()) {
            if (raw.isEmpty()) {
                outcomes.put(recipient, new Outcome(Outcome.State.BOUNCED, "550 5.7.0 The message was deleted"));
                continue;
            }
            Optional<AddrSpec> address = address(recipient.address());
            if (address.isEmpty()) {
                outcomes.put(recipient, Outcome.rejected("Invalid recipient address"));
                continue;
            }
            String why = refused.get(recipient.address());
            if (why != null) {
                outcomes.put(recipient, Outcome.rejected("Recipient " + why));
                continue;
            }
            switch (resolution(address.get(), atHand != null)) {
                case Addresses.Resolution.Ours ours -> outcomes.put(recipient, local(parcel, ours, raw.get()));
                case Addresses.Resolution.Unknown _ ->
                    outcomes.put(recipient, Outcome.refused("550 5.1.1 No such mailbox here"));
                case Addresses.Resolution.Elsewhere _ -> elsewhere.put(recipient, address.get());
            }
        }
        if (outcomes.values().stream().anyMatch(Outcome::isHandedOver)) {
            course = Destinations.Course.ANSWERED; // a domain of our own
        }
        if (!elsewhere.isEmpty()) {
            Carried away = departures.carry(parcel, elsewhere, raw.orElseThrow());
            outcomes.putAll(away.outcomes);
            course = away.course;
        }
        return new Carried(outcomes, course);
    }

    /** What keeps the message from everybody: a virus, or that nobody can say whether there is one. */
    private @Nullable Outcome unfit(Parcel parcel, Optional<Raw> raw) {
        try {
            Reply refusal = raw.isEmpty() ? null : ingest.refusal(raw.get());
            return refusal == null
                    ? null
                    : refusal.isPermanentFailure()
                            ? Outcome.rejected(refusal.text())
                            : new Outcome(Outcome.State.HELD, refusal.toString());
        } catch (RuntimeException failure) { // such as a blob store that is away
            LOG.warn("Submission {} could not be read", parcel.submission(), failure);
            return Outcome.held();
        }
    }

    /** The recipients against whom a list stands since the message was accepted; why, by address. */
    private static Map<String, String> refused(Tx tx, Parcel parcel) {
        UUID inbox = parcel.inbox();
        if (inbox == null || parcel.isReport()) {
            return Map.of();
        }
        List<String> recipients = parcel.recipients().stream()
                .map(Parcel.Recipient::address)
                .filter(text -> address(text).isPresent())
                .toList();
        Screening screening = new Screening();
        screening.ask(inbox, recipients);
        RoundTrip trip = tx.roundTrip();
        screening.look(trip, parcel.view(), Direction.SEND);
        trip.run();
        Map<String, String> refused = new HashMap<>();
        for (String recipient : recipients) {
            Verdict verdict = screening.verdict(inbox, Direction.SEND, recipient);
            // A bounce from before the recipient was an inbox here counts no longer, as when the message was accepted.
            boolean old = verdict instanceof Verdict.Blocked blocked
                    && blocked.isOfBounce()
                    && Addresses.isOpen(tx, recipient);
            if (verdict.isBlocked() && !old) {
                refused.put(recipient, String.valueOf(verdict.why()));
            }
        }
        return refused;
    }

    /** What was handed over is at no domain that anybody here holds, its rows say (see {@link Submissions.Handover}). */
    private Addresses.Resolution resolution(AddrSpec address, boolean handedOver) {
        return handedOver
                ? addresses.resolveUnheld(address.localPart(), address.domain())
                : addresses.resolve(address.localPart(), address.domain());
    }

    private Outcome local(Parcel parcel, Addresses.Resolution.Ours ours, Raw raw) {
        try {
            Reply reply = ingest.deliverLocally(parcel.reversePath(), ours.destination(), raw);
            return reply.isPositive()
                    ? new Outcome(Outcome.State.DELIVERED, "250 2.0.0 Stored")
                    : new Outcome(Outcome.State.DELAYED, reply.toString());
        } catch (RuntimeException failure) {
            LOG.warn("Submission {} could not be stored in an inbox of ours", parcel.submission(), failure);
            return Outcome.held();
        }
    }

    /** One unusable recipient must not keep the message from the others, so each is read by itself. */
    private static Optional<AddrSpec> address(String text) {
        try {
            return Optional.of(AddrSpec.parse(text));
        } catch (AddressSyntaxException unusable) {
            return Optional.empty();
        }
    }

    /** The bytes to carry; none when the message was deleted before it left. */
    private Optional<Raw> raw(Parcel parcel) {
        if (parcel.message() == null) {
            return database.read(tx -> OutgoingSql.raw(tx, parcel.view(), parcel.submission()))
                    .map(bytes -> raw(
                            parcel,
                            bytes.length,
                            Digests.sha256().digest(bytes),
                            () -> new ByteArrayInputStream(bytes)));
        }
        return messages.find(parcel.view(), parcel.message())
                .map(found -> raw(
                        parcel,
                        found.message().size(),
                        found.content().sha256(),
                        () -> contents.open(parcel.organization(), found.content())));
    }

    private static Raw raw(Parcel parcel, long size, byte[] sha256, Raw.Source source) {
        return new Raw(
                parcel.submission().toString(),
                size,
                HexFormat.of().formatHex(sha256),
                source,
                parcel.message() == null);
    }
}
