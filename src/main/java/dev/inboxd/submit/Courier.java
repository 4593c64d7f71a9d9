package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.id.Digests;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.lists.Direction;
import dev.inboxd.lists.Screening;
import dev.inboxd.lists.Verdict;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Messages;
import dev.inboxd.receive.Ingest;
import dev.inboxd.receive.Raw;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
    private final Routing routing;
    private final SmtpPool pool;

    /** What a courier stands on. */
    public record Parts(Database database, Messages messages, Contents contents, Addresses addresses, Ingest ingest) {}

    Courier(Parts parts, Routing routing, SmtpPool pool) {
        this.database = parts.database;
        this.messages = parts.messages;
        this.contents = parts.contents;
        this.addresses = parts.addresses;
        this.ingest = parts.ingest;
        this.routing = routing;
        this.pool = pool;
    }

    /** Tries every recipient of the parcel once. */
    Map<Parcel.Recipient, Outcome> carry(Parcel parcel) {
        Optional<Raw> raw = raw(parcel);
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        Map<Parcel.Recipient, AddrSpec> elsewhere = new LinkedHashMap<>();
        Map<String, String> refused = database.read(tx -> refused(tx, parcel));
        for (Parcel.Recipient recipient : parcel.recipients()) {
            if (raw.isEmpty()) {
                outcomes.put(recipient, new Outcome(Outcome.State.BOUNCED, "550 5.7.0 The message was deleted"));
                continue;
            }
            Optional<AddrSpec> address = address(recipient.address());
            if (address.isEmpty()) {
                outcomes.put(recipient, Outcome.refused("553 5.1.3 The address cannot be written in SMTP"));
                continue;
            }
            String why = refused.get(recipient.address());
            if (why != null) {
                outcomes.put(recipient, Outcome.rejected(why));
                continue;
            }
            switch (addresses.resolve(address.get().localPart(), address.get().domain())) {
                case Addresses.Resolution.Ours ours -> outcomes.put(recipient, local(parcel, ours, raw.get()));
                case Addresses.Resolution.Unknown _ ->
                        outcomes.put(recipient, Outcome.refused("550 5.1.1 No such mailbox here"));
                case Addresses.Resolution.Elsewhere _ -> elsewhere.put(recipient, address.get());
            }
        }
        if (!elsewhere.isEmpty()) {
            try {
                outcomes.putAll(away(parcel, elsewhere, raw.orElseThrow()));
            } catch (RuntimeException failure) { // such as a blob store that is away
                LOG.warn("Submission {} could not be carried", parcel.submission(), failure);
                elsewhere.keySet().forEach(recipient -> outcomes.put(recipient, Outcome.held()));
            }
        }
        return outcomes;
    }

    /** The recipients against whom a list stands since the message was accepted; why, by address. */
    private static Map<String, String> refused(Tx tx, Parcel parcel) {
        Optional<UUID> inbox = OutgoingSql.inbox(tx, parcel.view(), parcel.submission());
        if (inbox.isEmpty()) {
            return Map.of();
        }
        List<String> recipients = parcel.recipients().stream().map(Parcel.Recipient::address)
                .filter(text -> address(text).isPresent()).toList();
        Screening screening = new Screening();
        screening.ask(inbox.get(), recipients);
        RoundTrip trip = tx.roundTrip();
        screening.look(trip, parcel.view(), Direction.SEND);
        trip.run();
        Map<String, String> refused = new HashMap<>();
        for (String recipient : recipients) {
            Verdict verdict = screening.verdict(inbox.get(), Direction.SEND, recipient);
            // A bounce from before the recipient was an inbox here counts no longer, as when the message was accepted.
            boolean old = verdict instanceof Verdict.Blocked blocked && blocked.isOfBounce()
                    && Addresses.isOpen(tx, recipient);
            if (verdict.isBlocked() && !old) {
                refused.put(recipient, String.valueOf(verdict.why()));
            }
        }
        return refused;
    }

    private Outcome local(Parcel parcel, Addresses.Resolution.Ours ours, Raw raw) {
        try {
            ingest.deliverLocally(parcel.reversePath(), ours.destination(), raw);
            return new Outcome(Outcome.State.DELIVERED, "250 2.0.0 Stored");
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

    private Map<Parcel.Recipient, Outcome> away(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw) {
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        switch (routing) {
            case Routing.Sandbox sandbox -> recipients.keySet().forEach(recipient -> {
                sandbox.shown().accept(new Routing.Captured(recipient.address(), raw));
                outcomes.put(recipient, new Outcome(Outcome.State.CAPTURED, "250 2.0.0 Captured"));
            });
            case Routing.Relay relay -> {
                Iterator<RecipientResult> results =
                        relayed(parcel, List.copyOf(recipients.values()), raw, relay).iterator();
                recipients.keySet().forEach(recipient -> outcomes.put(recipient, Outcome.of(results.next())));
            }
        }
        return outcomes;
    }

    private List<RecipientResult> relayed(Parcel parcel, List<AddrSpec> recipients, Raw raw, Routing.Relay relay) {
        try {
            SmtpEndpoint endpoint = new SmtpEndpoint(relay.host(), InetAddress.getByName(relay.host()), relay.port());
            AddrSpec reversePath = parcel.reversePath().isEmpty() ? null : AddrSpec.parse(parcel.reversePath());
            SmtpEnvelope envelope = new SmtpEnvelope(reversePath, recipients, raw.size(),
                    SmtpEnvelope.Content.of(raw.open()));
            return pool.deliver(List.of(endpoint), envelope, out -> {
                try (InputStream in = raw.open()) {
                    in.transferTo(out);
                }
            }).results();
        } catch (UnknownHostException unknown) {
            return Collections.nCopies(recipients.size(), new RecipientResult.RefusedTemporarily(null,
                    "The relay's name does not resolve", false));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The bytes to carry; none when the message was deleted before it left. */
    private Optional<Raw> raw(Parcel parcel) {
        if (parcel.message() == null) {
            return database.read(tx -> OutgoingSql.raw(tx, parcel.view(), parcel.submission()))
                    .map(bytes -> raw(parcel, bytes.length, Digests.sha256().digest(bytes),
                            () -> new ByteArrayInputStream(bytes)));
        }
        return messages.find(parcel.view(), parcel.message()).map(found -> raw(parcel, found.message().size(),
                found.content().sha256(), () -> contents.open(parcel.organization(), found.content())));
    }

    private static Raw raw(Parcel parcel, long size, byte[] sha256, Raw.Source source) {
        return new Raw(parcel.submission().toString(), size, HexFormat.of().formatHex(sha256), source);
    }
}
