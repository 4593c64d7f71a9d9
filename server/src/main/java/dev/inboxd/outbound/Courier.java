package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Digests;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.outbound.throttle.DestinationThrottle;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.tenant.domain.signing.SenderIdentities;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import dev.inboxd.tenant.list.ListVerdict;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Collection;
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

/**
 * Attempts delivery of a queue item to each of its recipients, in inboxes of this server or at other servers. Holds no
 * transaction meanwhile.
 */
public final class Courier {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    private static final RecipientOutcome DELETED =
            new RecipientOutcome(RecipientOutcome.State.BOUNCED, "550 5.7.0 The message was deleted");

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;
    private final AddressDirectory addresses;
    private final InboundStore inbound;
    private final RemoteDelivery remoteDelivery;
    private final DeliveryMeters meters;

    /** The services of a courier. */
    public record Parts(
            Database database,
            Messages messages,
            MessageContents contents,
            AddressDirectory addresses,
            InboundStore inbound,
            SenderIdentities senders,
            ReturnPaths returnPaths,
            SubmissionQueue submissions,
            DeliveryMeters meters,
            ScriptedRecipients scripted) {}

    /**
     * The result of an attempt.
     *
     * @param outcomes by recipient
     * @param signal what they say about the load of the destination
     */
    record CourierResult(Map<QueueItem.Recipient, RecipientOutcome> outcomes, DestinationThrottle.LoadSignal signal) {}

    Courier(Parts parts, RemoteDelivery remoteDelivery) {
        this.database = parts.database;
        this.messages = parts.messages;
        this.contents = parts.contents;
        this.addresses = parts.addresses;
        this.inbound = parts.inbound;
        this.remoteDelivery = remoteDelivery;
        this.meters = parts.meters;
    }

    /**
     * Tries every recipient of the item once; blocks.
     *
     * @param loaded the message when it was accepted just now, after all checks; else null
     */
    CourierResult attempt(QueueItem item, @Nullable RawMessage loaded) {
        long began = System.nanoTime();
        CourierResult result = deliver(item, loaded);
        meters.ended(item, System.nanoTime() - began, result.outcomes.values());
        return result;
    }

    private CourierResult deliver(QueueItem item, @Nullable RawMessage loaded) {
        Optional<RawMessage> raw = loaded == null ? raw(item) : Optional.of(loaded);
        Map<QueueItem.Recipient, RecipientOutcome> outcomes = new LinkedHashMap<>();
        Map<QueueItem.Recipient, AddrSpec> remoteRecipients = new LinkedHashMap<>();
        Map<AddressDirectory.Destination, List<QueueItem.Recipient>> inboxes = new LinkedHashMap<>();
        RecipientOutcome refusal = refusal(item, raw);
        if (refusal != null) {
            item.recipients().forEach(recipient -> outcomes.put(recipient, refusal));
            return new CourierResult(outcomes, DestinationThrottle.LoadSignal.UNKNOWN);
        }
        Map<String, String> refused = loaded == null ? database.read(tx -> refused(tx, item)) : Map.of();
        for (QueueItem.Recipient recipient : item.recipients()) {
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
            switch (resolution(address.get(), loaded != null)) {
                case AddressDirectory.Resolution.LocalInbox inbox ->
                    inboxes.computeIfAbsent(inbox.destination(), _ -> new ArrayList<>())
                            .add(recipient);
                case AddressDirectory.Resolution.UnknownAddress _ ->
                    outcomes.put(recipient, RecipientOutcome.refused("550 5.1.1 No such mailbox here"));
                case AddressDirectory.Resolution.Remote _ -> remoteRecipients.put(recipient, address.get());
            }
        }
        // An inbox gets one copy, however many of its addresses are recipients.
        inboxes.forEach((destination, recipients) -> {
            RecipientOutcome outcome = local(item, destination, recipients, raw.orElseThrow());
            recipients.forEach(recipient -> outcomes.put(recipient, outcome));
        });
        DestinationThrottle.LoadSignal signal = signal(outcomes.values());
        if (!remoteRecipients.isEmpty()) {
            CourierResult remote = remoteDelivery.deliver(item, remoteRecipients, raw.orElseThrow());
            outcomes.putAll(remote.outcomes);
            signal = remote.signal;
        }
        return new CourierResult(outcomes, signal);
    }

    /**
     * The outcome for all recipients when the message itself must not leave: it was deleted, contains a virus, or could
     * not be scanned now.
     */
    private @Nullable RecipientOutcome refusal(QueueItem item, Optional<RawMessage> raw) {
        try {
            if (raw.isEmpty()) {
                return DELETED;
            }
            SmtpReply refusal = inbound.refusal(raw.get());
            return refusal == null
                    ? null
                    : refusal.isPermanentFailure()
                            ? RecipientOutcome.rejected(refusal.text())
                            : new RecipientOutcome(RecipientOutcome.State.HELD, refusal.toString());
        } catch (RuntimeException failure) { // such as a blob store that is away
            LOG.warn("Message not read, next attempt soon submission_id={}", item.submission(), failure);
            return RecipientOutcome.held();
        }
    }

    /** The recipients blocked by a list entry made since the message was accepted, with the reason, by address. */
    private static Map<String, String> refused(Tx tx, QueueItem item) {
        UUID inbox = item.inbox();
        if (inbox == null || item.isReport()) {
            return Map.of();
        }
        List<String> recipients = item.recipients().stream()
                .map(QueueItem.Recipient::address)
                .filter(text -> address(text).isPresent())
                .toList();
        ListLookup lookup = new ListLookup();
        lookup.require(inbox, recipients);
        RoundTrip trip = tx.roundTrip();
        lookup.prefetch(trip, item.view(), Direction.SEND);
        trip.run();
        Map<String, String> refused = new HashMap<>();
        for (String recipient : recipients) {
            ListVerdict verdict = lookup.verdict(inbox, Direction.SEND, recipient);
            // A bounce from before the recipient was an inbox of this server no longer counts, as on acceptance.
            boolean old = verdict instanceof ListVerdict.Blocked blocked
                    && blocked.isOfBounce()
                    && AddressDirectory.isOpen(tx, recipient);
            if (verdict.isBlocked() && !old) {
                refused.put(recipient, String.valueOf(verdict.reason()));
            }
        }
        return refused;
    }

    /**
     * Resolves an address. The rows of an immediate delivery say that no organization here holds the domain (see
     * {@link SubmissionQueue.ImmediateSlot}).
     */
    private AddressDirectory.Resolution resolution(AddrSpec address, boolean immediate) {
        return immediate
                ? addresses.resolveUnheld(address.localPart(), address.domain())
                : addresses.resolve(address.localPart(), address.domain());
    }

    /** What deliveries to inboxes say: their domain is one of this server. */
    private static DestinationThrottle.LoadSignal signal(Collection<RecipientOutcome> outcomes) {
        return outcomes.stream().anyMatch(RecipientOutcome::isHandedOver)
                ? DestinationThrottle.LoadSignal.ANSWERED
                : DestinationThrottle.LoadSignal.UNKNOWN;
    }

    private RecipientOutcome local(
            QueueItem item, AddressDirectory.Destination inbox, List<QueueItem.Recipient> recipients, RawMessage raw) {
        try {
            List<String> addresses =
                    recipients.stream().map(QueueItem.Recipient::address).toList();
            SmtpReply reply = inbound.deliverLocally(item.reversePath(), inbox, addresses, raw);
            return reply.isPositive()
                    ? new RecipientOutcome(RecipientOutcome.State.DELIVERED, "250 2.0.0 Stored")
                    : new RecipientOutcome(RecipientOutcome.State.DELAYED, reply.toString());
        } catch (RuntimeException failure) {
            LOG.warn(
                    "Message not stored in an inbox of this server, next attempt soon submission_id={}",
                    item.submission(),
                    failure);
            return RecipientOutcome.held();
        }
    }

    /**
     * Parses one address; empty when it is invalid. One invalid recipient must not keep the message from the others.
     */
    private static Optional<AddrSpec> address(String text) {
        try {
            return Optional.of(AddrSpec.parse(text));
        } catch (AddressSyntaxException unusable) {
            return Optional.empty();
        }
    }

    /** The message; empty when it was deleted before it left. */
    private Optional<RawMessage> raw(QueueItem item) {
        if (item.message() == null) {
            return database.read(tx -> DeliveryQueueSql.raw(tx, item.view(), item.submission()))
                    .map(bytes -> raw(
                            item, bytes.length, Digests.sha256().digest(bytes), () -> new ByteArrayInputStream(bytes)));
        }
        return messages.find(item.view(), item.message())
                .map(message -> raw(
                        item,
                        message.message().size(),
                        message.content().sha256(),
                        () -> contents.open(item.organization(), message.content())));
    }

    private static RawMessage raw(QueueItem item, long size, byte[] sha256, RawMessage.Source source) {
        return new RawMessage(
                item.submission().toString(), size, HexFormat.of().formatHex(sha256), source, item.message() == null);
    }
}
