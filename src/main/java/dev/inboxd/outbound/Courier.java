package dev.inboxd.outbound;

import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.RawMessage;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.tenant.domain.SenderIdentities;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import dev.inboxd.tenant.list.ListVerdict;
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
    private final MessageContents contents;
    private final AddressDirectory addresses;
    private final InboundStore ingest;
    private final RemoteDelivery departures;

    /** What a courier stands on. */
    public record Parts(
            Database database,
            Messages messages,
            MessageContents contents,
            AddressDirectory addresses,
            InboundStore ingest,
            SenderIdentities senders,
            ReturnPaths returnPaths,
            SubmissionQueue submissions) {}

    /**
     * How a parcel fared.
     *
     * @param signal what that says of its destination
     */
    record CourierResult(Map<QueueItem.Recipient, RecipientOutcome> outcomes, DestinationThrottle.LoadSignal signal) {}

    Courier(Parts parts, RemoteDelivery departures) {
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
    CourierResult deliver(QueueItem parcel, @Nullable RawMessage atHand) {
        Optional<RawMessage> raw = atHand == null ? raw(parcel) : Optional.of(atHand);
        DestinationThrottle.LoadSignal course = DestinationThrottle.LoadSignal.UNKNOWN;
        Map<QueueItem.Recipient, RecipientOutcome> outcomes = new LinkedHashMap<>();
        Map<QueueItem.Recipient, AddrSpec> elsewhere = new LinkedHashMap<>();
        RecipientOutcome unfit = unfit(parcel, raw);
        if (unfit != null) {
            parcel.recipients().forEach(recipient -> outcomes.put(recipient, unfit));
            return new CourierResult(outcomes, course);
        }
        Map<String, String> refused = atHand == null ? database.read(tx -> refused(tx, parcel)) : Map.of();
        for (QueueItem.Recipient recipient : parcel.recipients()) {
            if (raw.isEmpty()) {
                outcomes.put(
                        recipient,
                        new RecipientOutcome(RecipientOutcome.State.BOUNCED, "550 5.7.0 The message was deleted"));
                continue;
            }
            Optional<AddrSpec> address = address(recipient.address());
            if (address.isEmpty()) {
                outcomes.put(recipient, RecipientOutcome.rejected("Invalid recipient address"));
                continue;
            }
            String why = refused.get(recipient.address());
            if (why != null) {
                outcomes.put(recipient, RecipientOutcome.rejected("Recipient " + why));
                continue;
            }
            switch (resolution(address.get(), atHand != null)) {
                case AddressDirectory.Resolution.LocalInbox ours ->
                    outcomes.put(recipient, local(parcel, ours, raw.get()));
                case AddressDirectory.Resolution.UnknownAddress _ ->
                    outcomes.put(recipient, RecipientOutcome.refused("550 5.1.1 No such mailbox here"));
                case AddressDirectory.Resolution.Remote _ -> elsewhere.put(recipient, address.get());
            }
        }
        if (outcomes.values().stream().anyMatch(RecipientOutcome::isHandedOver)) {
            course = DestinationThrottle.LoadSignal.ANSWERED; // a domain of our own
        }
        if (!elsewhere.isEmpty()) {
            CourierResult away = departures.deliver(parcel, elsewhere, raw.orElseThrow());
            outcomes.putAll(away.outcomes);
            course = away.signal;
        }
        return new CourierResult(outcomes, course);
    }

    /** What keeps the message from everybody: a virus, or that nobody can say whether there is one. */
    private @Nullable RecipientOutcome unfit(QueueItem parcel, Optional<RawMessage> raw) {
        try {
            SmtpReply refusal = raw.isEmpty() ? null : ingest.refusal(raw.get());
            return refusal == null
                    ? null
                    : refusal.isPermanentFailure()
                            ? RecipientOutcome.rejected(refusal.text())
                            : new RecipientOutcome(RecipientOutcome.State.HELD, refusal.toString());
        } catch (RuntimeException failure) { // such as a blob store that is away
            LOG.warn("Submission {} could not be read", parcel.submission(), failure);
            return RecipientOutcome.held();
        }
    }

    /** The recipients against whom a list stands since the message was accepted; why, by address. */
    private static Map<String, String> refused(Tx tx, QueueItem parcel) {
        UUID inbox = parcel.inbox();
        if (inbox == null || parcel.isReport()) {
            return Map.of();
        }
        List<String> recipients = parcel.recipients().stream()
                .map(QueueItem.Recipient::address)
                .filter(text -> address(text).isPresent())
                .toList();
        ListLookup screening = new ListLookup();
        screening.require(inbox, recipients);
        RoundTrip trip = tx.roundTrip();
        screening.prefetch(trip, parcel.view(), Direction.SEND);
        trip.run();
        Map<String, String> refused = new HashMap<>();
        for (String recipient : recipients) {
            ListVerdict verdict = screening.verdict(inbox, Direction.SEND, recipient);
            // A bounce from before the recipient was an inbox here counts no longer, as when the message was accepted.
            boolean old = verdict instanceof ListVerdict.Blocked blocked
                    && blocked.isOfBounce()
                    && AddressDirectory.isOpen(tx, recipient);
            if (verdict.isBlocked() && !old) {
                refused.put(recipient, String.valueOf(verdict.reason()));
            }
        }
        return refused;
    }

    /** What was handed over is at no domain that anybody here holds, its rows say (see {@link SubmissionQueue.ImmediateSlot}). */
    private AddressDirectory.Resolution resolution(AddrSpec address, boolean handedOver) {
        return handedOver
                ? addresses.resolveUnheld(address.localPart(), address.domain())
                : addresses.resolve(address.localPart(), address.domain());
    }

    private RecipientOutcome local(QueueItem parcel, AddressDirectory.Resolution.LocalInbox ours, RawMessage raw) {
        try {
            SmtpReply reply = ingest.deliverLocally(parcel.reversePath(), ours.destination(), raw);
            return reply.isPositive()
                    ? new RecipientOutcome(RecipientOutcome.State.DELIVERED, "250 2.0.0 Stored")
                    : new RecipientOutcome(RecipientOutcome.State.DELAYED, reply.toString());
        } catch (RuntimeException failure) {
            LOG.warn("Submission {} could not be stored in an inbox of ours", parcel.submission(), failure);
            return RecipientOutcome.held();
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
    private Optional<RawMessage> raw(QueueItem parcel) {
        if (parcel.message() == null) {
            return database.read(tx -> DeliveryQueueSql.raw(tx, parcel.view(), parcel.submission()))
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

    private static RawMessage raw(QueueItem parcel, long size, byte[] sha256, RawMessage.Source source) {
        return new RawMessage(
                parcel.submission().toString(),
                size,
                HexFormat.of().formatHex(sha256),
                source,
                parcel.message() == null);
    }
}
