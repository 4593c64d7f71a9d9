package dev.inboxd.outbound;

import dev.inboxd.inbound.Raw;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.verp.ReturnPath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.platform.database.Database;
import dev.inboxd.smtp.client.Delivery;
import dev.inboxd.smtp.client.HostBusyException;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.RecipientResult;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.tenant.domain.Senders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
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

    /** Looks after what is kept of other domains; blocks. */
    void refresh() {
        if (direct != null) {
            direct.refresh();
        }
    }

    private static DirectDelivery direct(Database database, Routing.Direct way, SmtpPool pool, String hostName) {
        MailHosts hosts = new MailHosts(way.dns(), new MailHosts.Site(hostName, way.port(), way.addresses()));
        return new DirectDelivery(hosts, new StsPolicies(database, way.dns(), way.http(), ""), pool);
    }

    /** Tries some recipients of a parcel once, most often one. */
    Courier.Carried carry(Parcel parcel, Map<Parcel.Recipient, AddrSpec> recipients, Raw raw) {
        Map<Parcel.Recipient, Outcome> outcomes = new LinkedHashMap<>();
        recipients.keySet().forEach(recipient -> outcomes.put(recipient, Outcome.held())); // until it is known
        Destinations.Course course = Destinations.Course.UNKNOWN;
        try {
            for (Map.Entry<Parcel.Recipient, AddrSpec> each : recipients.entrySet()) {
                switch (routing) {
                    case Routing.Sandbox sandbox -> {
                        sandbox.shown()
                                .accept(new Routing.Captured(each.getKey().address(), raw));
                        outcomes.put(each.getKey(), new Outcome(Outcome.State.CAPTURED, "250 2.0.0 Captured"));
                    }
                    case Routing.Relay relay ->
                        outcomes.put(
                                each.getKey(),
                                Outcome.of(relayed(envelope(parcel, each.getKey(), each.getValue(), raw), raw, relay)
                                        .result()));
                    case Routing.Direct _ -> {
                        Delivery delivery = Objects.requireNonNull(direct)
                                .deliver(
                                        each.getValue().domain(),
                                        envelope(parcel, each.getKey(), each.getValue(), raw),
                                        source(raw));
                        outcomes.put(each.getKey(), Outcome.of(delivery.result()));
                        course = Destinations.Course.of(delivery);
                    }
                }
            }
        } catch (HostBusyException busy) {
            LOG.debug("Submission {} found no turn with its host", parcel.submission());
        } catch (RuntimeException failure) { // such as a blob store that is away; who has the message keeps it
            LOG.warn("Submission {} could not be carried to all", parcel.submission(), failure);
        }
        return new Courier.Carried(outcomes, course);
    }

    private Delivery relayed(SmtpEnvelope envelope, Raw raw, Routing.Relay relay) {
        try {
            List<SmtpEndpoint> endpoints = Stream.of(InetAddress.getAllByName(relay.host()))
                    .map(address -> new SmtpEndpoint(relay.host(), address, relay.port(), relay.tls(), relay.login()))
                    .toList();
            return pool.deliver(endpoints, envelope, source(raw));
        } catch (UnknownHostException unknown) {
            return new Delivery(
                    null, new RecipientResult.RefusedTemporarily(null, "The relay's name does not resolve", false));
        }
    }

    /** Of one recipient: only so has each a return path of its own, which nobody else knows (decision 0034). */
    private SmtpEnvelope envelope(Parcel parcel, Parcel.Recipient recipient, AddrSpec address, Raw raw) {
        try {
            return new SmtpEnvelope(
                    returnPath(parcel, recipient),
                    address,
                    raw.size(),
                    SmtpEnvelope.Content.of(raw.open()),
                    parcel.until(),
                    parcel.dsn(),
                    recipient.dsn());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Where bounces go: to an address that says what they are about. What must not bounce does not. */
    private @Nullable AddrSpec returnPath(Parcel parcel, Parcel.Recipient recipient) {
        if (parcel.reversePath().isEmpty()) {
            return null;
        }
        String host = parcel.reversePath().substring(parcel.reversePath().lastIndexOf('@') + 1);
        return new AddrSpec(
                returnPaths.sign(new ReturnPath(parcel.organization(), parcel.submission(), recipient.position())),
                senders.returnHost(parcel.organization(), host));
    }

    private static MessageSource source(Raw raw) {
        return out -> {
            try (InputStream in = raw.open()) {
                in.transferTo(out);
            }
        };
    }
}
