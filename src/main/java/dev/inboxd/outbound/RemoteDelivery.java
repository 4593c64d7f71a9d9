package dev.inboxd.outbound;

import dev.inboxd.inbound.RawMessage;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.verp.ReturnPath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.platform.database.Database;
import dev.inboxd.smtp.client.HostBusyException;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.SmtpDelivery;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.SmtpResult;
import dev.inboxd.tenant.domain.SenderIdentities;
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
final class RemoteDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteDelivery.class);

    private final SenderIdentities senders;
    private final ReturnPaths returnPaths;
    private final Routing routing;
    private final SmtpPool pool;
    private final @Nullable MxDelivery direct;

    /** Mail that leaves that way from the host of that name. */
    RemoteDelivery(Courier.Parts parts, Routing routing, SmtpPool pool, String hostName) {
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

    private static MxDelivery direct(Database database, Routing.Direct way, SmtpPool pool, String hostName) {
        MxResolver hosts = new MxResolver(way.dns(), new MxResolver.Config(hostName, way.port(), way.addresses()));
        return new MxDelivery(hosts, new StsPolicies(database, way.dns(), way.http(), ""), pool);
    }

    /** Tries some recipients of a parcel once, most often one. */
    Courier.CourierResult deliver(QueueItem parcel, Map<QueueItem.Recipient, AddrSpec> recipients, RawMessage raw) {
        Map<QueueItem.Recipient, RecipientOutcome> outcomes = new LinkedHashMap<>();
        recipients.keySet().forEach(recipient -> outcomes.put(recipient, RecipientOutcome.held())); // until it is known
        DestinationThrottle.LoadSignal course = DestinationThrottle.LoadSignal.UNKNOWN;
        try {
            for (Map.Entry<QueueItem.Recipient, AddrSpec> each : recipients.entrySet()) {
                switch (routing) {
                    case Routing.Sandbox sandbox -> {
                        sandbox.listener()
                                .accept(new Routing.CapturedMessage(
                                        each.getKey().address(), raw));
                        outcomes.put(
                                each.getKey(),
                                new RecipientOutcome(RecipientOutcome.State.CAPTURED, "250 2.0.0 Captured"));
                    }
                    case Routing.Relay relay ->
                        outcomes.put(
                                each.getKey(),
                                RecipientOutcome.of(
                                        relayed(envelope(parcel, each.getKey(), each.getValue(), raw), raw, relay)
                                                .result()));
                    case Routing.Direct _ -> {
                        SmtpDelivery delivery = Objects.requireNonNull(direct)
                                .deliver(
                                        each.getValue().domain(),
                                        envelope(parcel, each.getKey(), each.getValue(), raw),
                                        source(raw));
                        outcomes.put(each.getKey(), RecipientOutcome.of(delivery.result()));
                        course = DestinationThrottle.LoadSignal.of(delivery);
                    }
                }
            }
        } catch (HostBusyException busy) {
            LOG.debug("Submission {} found no turn with its host", parcel.submission());
        } catch (RuntimeException failure) { // such as a blob store that is away; who has the message keeps it
            LOG.warn("Submission {} could not be carried to all", parcel.submission(), failure);
        }
        return new Courier.CourierResult(outcomes, course);
    }

    private SmtpDelivery relayed(SmtpEnvelope envelope, RawMessage raw, Routing.Relay relay) {
        try {
            List<SmtpEndpoint> endpoints = Stream.of(InetAddress.getAllByName(relay.host()))
                    .map(address -> new SmtpEndpoint(relay.host(), address, relay.port(), relay.tls(), relay.login()))
                    .toList();
            return pool.deliver(endpoints, envelope, source(raw));
        } catch (UnknownHostException unknown) {
            return new SmtpDelivery(
                    null, new SmtpResult.TransientFailure(null, "The relay's name does not resolve", false));
        }
    }

    /** Of one recipient: only so has each a return path of its own, which nobody else knows (decision 0034). */
    private SmtpEnvelope envelope(QueueItem parcel, QueueItem.Recipient recipient, AddrSpec address, RawMessage raw) {
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
    private @Nullable AddrSpec returnPath(QueueItem parcel, QueueItem.Recipient recipient) {
        if (parcel.reversePath().isEmpty()) {
            return null;
        }
        String host = parcel.reversePath().substring(parcel.reversePath().lastIndexOf('@') + 1);
        return new AddrSpec(
                returnPaths.sign(new ReturnPath(parcel.organization(), parcel.submission(), recipient.position())),
                senders.returnHost(parcel.organization(), host));
    }

    private static MessageSource source(RawMessage raw) {
        return out -> {
            try (InputStream in = raw.open()) {
                in.transferTo(out);
            }
        };
    }
}
