package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.id.Digests;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.mail.compose.AddrSpec;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Messages;
import dev.inboxd.receive.Ingest;
import dev.inboxd.receive.Raw;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        List<Parcel.Recipient> elsewhere = new ArrayList<>();
        for (Parcel.Recipient recipient : parcel.recipients()) {
            if (raw.isEmpty()) {
                outcomes.put(recipient, new Outcome(Outcome.State.BOUNCED, "550 5.7.0 The message was deleted"));
                continue;
            }
            int at = recipient.address().lastIndexOf('@');
            switch (addresses.resolve(recipient.address().substring(0, at), recipient.address().substring(at + 1))) {
                case Addresses.Resolution.Ours ours -> outcomes.put(recipient, local(parcel, ours, raw.get()));
                case Addresses.Resolution.Unknown _ -> outcomes.put(recipient,
                        new Outcome(Outcome.State.BOUNCED, "550 5.1.1 No such mailbox here"));
                case Addresses.Resolution.Elsewhere _ -> elsewhere.add(recipient);
            }
        }
        if (!elsewhere.isEmpty()) {
            try {
                outcomes.putAll(away(parcel, elsewhere, raw.orElseThrow()));
            } catch (RuntimeException failure) { // such as a blob store that is away
                LOG.warn("Submission {} could not be carried", parcel.submission(), failure);
                elsewhere.forEach(recipient -> outcomes.put(recipient, Outcome.held()));
            }
        }
        return outcomes;
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

    private Map<Parcel.Recipient, Outcome> away(Parcel parcel, List<Parcel.Recipient> recipients, Raw raw) {
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        switch (routing) {
            case Routing.Sandbox sandbox -> recipients.forEach(recipient -> {
                sandbox.shown().accept(new Routing.Captured(recipient.address(), raw));
                outcomes.put(recipient, new Outcome(Outcome.State.CAPTURED, "250 2.0.0 Captured"));
            });
            case Routing.Relay relay -> {
                List<RecipientResult> results = relayed(parcel, recipients, raw, relay);
                for (int i = 0; i < results.size(); i++) {
                    outcomes.put(recipients.get(i), Outcome.of(results.get(i)));
                }
            }
        }
        return outcomes;
    }

    private List<RecipientResult> relayed(Parcel parcel, List<Parcel.Recipient> recipients, Raw raw,
            Routing.Relay relay) {
        try {
            SmtpEndpoint endpoint = new SmtpEndpoint(relay.host(), InetAddress.getByName(relay.host()), relay.port());
            SmtpEnvelope envelope = new SmtpEnvelope(address(parcel.reversePath()),
                    recipients.stream().map(each -> AddrSpec.parse("to", each.address())).toList(), raw.size(),
                    SmtpEnvelope.Content.SEVEN_BIT);
            return pool.deliver(List.of(endpoint), envelope, out -> {
                try (InputStream in = raw.open()) {
                    in.transferTo(out);
                }
            }).results();
        } catch (UnknownHostException unknown) {
            return later(recipients, "The relay's name does not resolve");
        } catch (MalformedFieldException malformed) {
            return recipients.stream().<RecipientResult>map(_ -> new RecipientResult.RefusedPermanently(
                    new ServerReply(553, "5.1.3", "The address cannot be written in SMTP"))).toList();
        }
    }

    private static List<RecipientResult> later(List<Parcel.Recipient> recipients, String reason) {
        return recipients.stream().<RecipientResult>map(_ ->
                new RecipientResult.RefusedTemporarily(null, reason, false)).toList();
    }

    private static @Nullable AddrSpec address(String reversePath) {
        return reversePath.isEmpty() ? null : AddrSpec.parse("from", reversePath);
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
