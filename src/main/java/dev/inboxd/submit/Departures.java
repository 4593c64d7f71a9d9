package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.domain.Senders;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.verp.ReturnPath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.receive.Raw;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes mail to other servers, or wherever the settings have it go instead. For many threads. */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

    private final Senders senders;
    private final ReturnPaths returnPaths;
    private final Routing routing;
    private final SmtpPool pool;
    private final @Nullable DirectDelivery direct;

    /** Mail that leaves that way from the host of that name. */
    Departures(Courier.Parts parts, Routing routing, SmtpPool pool, String hostName) {
        this.senders = parts.senders();
        this.returnPaths = parts.returnPaths();
        this.routing = routing;
        this.pool = pool;
        this.direct = routing instanceof Routing.Direct way ? direct(parts.database(), way, pool, hostName) : null;
    }

    private static DirectDelivery direct(Database database, Routing.Direct way, SmtpPool pool, String hostName) {
        MailHosts hosts = new MailHosts(way.dns(), new MailHosts.Site(hostName, way.port(), way.addresses()));
        return new DirectDelivery(hosts, new StsPolicies(database, way.dns(), way.http(), ""), pool);
    }

    /** Tries some recipients of a parcel once. */
    Courier.Carried carry(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw) {
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        recipients.keySet().forEach(recipient -> outcomes.put(recipient, Outcome.held())); // until it is known
        try {
            return carried(parcel, recipients, raw, outcomes);
        } catch (HostBusyException busy) {
            return new Courier.Carried(outcomes, Destinations.Course.UNKNOWN);
        } catch (RuntimeException failure) { // such as a blob store that is away; who has the message keeps it
            LOG.warn("Submission {} could not be carried to all", parcel.submission(), failure);
            return new Courier.Carried(outcomes, Destinations.Course.UNKNOWN);
        }
    }

    private Courier.Carried carried(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw,
            Map<Parcel.Recipient, Outcome> outcomes) {
        Destinations.Course course = Destinations.Course.UNKNOWN;
        switch (routing) {
            case Routing.Sandbox sandbox -> recipients.keySet().forEach(recipient -> {
                sandbox.shown().accept(new Routing.Captured(recipient.address(), raw));
                outcomes.put(recipient, new Outcome(Outcome.State.CAPTURED, "250 2.0.0 Captured"));
            });
            case Routing.Relay relay -> outcomes(recipients, relayed(parcel, recipients, raw, relay), outcomes);
            case Routing.Direct _ -> {
                for (Map<Parcel.Recipient, AddrSpec> together : apart(recipients)) {
                    String domain = together.values().iterator().next().domain();
                    Delivery delivery = Objects.requireNonNull(direct).deliver(domain, envelope(parcel, together, raw),
                            source(raw));
                    outcomes(together, delivery, outcomes);
                    course = Destinations.Course.of(delivery);
                }
            }
        }
        return new Courier.Carried(outcomes, course);
    }

    private static void outcomes(Map<Parcel.Recipient, AddrSpec> recipients, Delivery delivery,
            Map<Parcel.Recipient, Outcome> outcomes) {
        Iterator<RecipientResult> results = delivery.results().iterator();
        recipients.keySet().forEach(recipient -> outcomes.put(recipient, Outcome.of(results.next())));
    }

    /**
     * Those who can share a transaction: of one domain, and who all need SMTPUTF8 or none of them, so that a host without
     * it keeps the message from nobody else (RFC 6531 §3.2).
     */
    private static Collection<Map<Parcel.Recipient, AddrSpec>> apart(Map<Parcel.Recipient, AddrSpec> recipients) {
        Map<String, Map<Parcel.Recipient, AddrSpec>> groups = new LinkedHashMap<>();
        recipients.forEach((recipient, address) -> groups.computeIfAbsent(address.domain() + address.isAscii(),
                _ -> new LinkedHashMap<>()).put(recipient, address));
        return groups.values();
    }

    private Delivery relayed(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw, Routing.Relay relay) {
        try {
            List<SmtpEndpoint> endpoints = Stream.of(InetAddress.getAllByName(relay.host()))
                    .map(address -> new SmtpEndpoint(relay.host(), address, relay.port(), relay.tls(), relay.login()))
                    .toList();
            return pool.deliver(endpoints, envelope(parcel, recipients, raw), source(raw));
        } catch (UnknownHostException unknown) {
            return new Delivery(null, Collections.nCopies(recipients.size(), new RecipientResult.RefusedTemporarily(null,
                    "The relay's name does not resolve", false)));
        }
    }

    private SmtpEnvelope envelope(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw) {
        try {
            return new SmtpEnvelope(returnPath(parcel, recipients.keySet()), List.copyOf(recipients.values()), raw.size(),
                    SmtpEnvelope.Content.of(raw.open()), parcel.until());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Where bounces go: to an address that says what they are about. What must not bounce does not. */
    private @Nullable AddrSpec returnPath(Parcel parcel, Collection<Parcel.Recipient> recipients) {
        if (parcel.reversePath().isEmpty()) {
            return null;
        }
        int position = recipients.iterator().next().position();
        boolean single = recipients.size() == 1 && position <= ReturnPath.LAST;
        String host = parcel.reversePath().substring(parcel.reversePath().lastIndexOf('@') + 1);
        return new AddrSpec(returnPaths.sign(new ReturnPath(parcel.organization(), parcel.submission(),
                single ? position : ReturnPath.SHARED)), senders.returnHost(parcel.organization(), host));
    }

    private static MessageSource source(Raw raw) {
        return out -> {
            try (InputStream in = raw.open()) {
                in.transferTo(out);
            }
        };
    }
}
