package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.outbound.mx.MxDelivery;
import dev.inboxd.outbound.mx.MxResolver;
import dev.inboxd.outbound.mx.StsPolicies;
import dev.inboxd.outbound.throttle.DestinationThrottle;
import dev.inboxd.queue.ReturnPath;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.smtp.client.HostBusyException;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.SmtpDelivery;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.SmtpResult;
import dev.inboxd.tenant.domain.signing.SenderIdentities;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers messages to other servers, on the configured route. Safe for concurrent use. */
final class RemoteDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteDelivery.class);

    private final SenderIdentities senders;
    private final ReturnPaths returnPaths;
    private final ScriptedRecipients scripted;
    private final Routing routing;
    private final SmtpPool pool;
    private final @Nullable MxDelivery mxDelivery;

    /** Delivery on that route, from the host of that name. */
    RemoteDelivery(Courier.Parts parts, Routing routing, SmtpPool pool, String hostName) {
        this.senders = parts.senders();
        this.returnPaths = parts.returnPaths();
        this.scripted = parts.scripted();
        this.routing = routing;
        this.pool = pool;
        this.mxDelivery =
                routing instanceof Routing.Direct route ? mxDelivery(parts.database(), route, pool, hostName) : null;
    }

    /** Refreshes cached policies of other domains; blocks. */
    void refresh() {
        if (mxDelivery != null) {
            mxDelivery.refresh();
        }
    }

    private static MxDelivery mxDelivery(Database database, Routing.Direct route, SmtpPool pool, String hostName) {
        MxResolver hosts =
                new MxResolver(route.dns(), new MxResolver.Config(hostName, route.port(), route.addresses()));
        return new MxDelivery(hosts, new StsPolicies(database, route.dns(), route.http(), ""), pool);
    }

    /**
     * Tries some recipients of an item once, usually one; blocks.
     *
     * @param recipients with their parsed addresses
     * @param raw the message
     */
    Courier.CourierResult deliver(QueueItem item, Map<QueueItem.Recipient, AddrSpec> recipients, RawMessage raw) {
        Map<QueueItem.Recipient, RecipientOutcome> outcomes = new LinkedHashMap<>();
        recipients.keySet().forEach(recipient -> outcomes.put(recipient, RecipientOutcome.held())); // until it is known
        DestinationThrottle.LoadSignal signal = DestinationThrottle.LoadSignal.UNKNOWN;
        try {
            for (Map.Entry<QueueItem.Recipient, AddrSpec> entry : recipients.entrySet()) {
                Optional<SmtpReply> answer = scripted.answer(handOver(item, entry.getKey(), entry.getValue()));
                if (answer.isPresent()) {
                    outcomes.put(entry.getKey(), answered(answer.get(), entry.getKey(), raw));
                    continue;
                }
                switch (routing) {
                    case Routing.Sandbox _ -> outcomes.put(entry.getKey(), captured(entry.getKey(), raw));
                    case Routing.Relay relay ->
                        outcomes.put(
                                entry.getKey(),
                                RecipientOutcome.of(
                                        sendToRelay(envelope(item, entry.getKey(), entry.getValue(), raw), raw, relay)
                                                .result()));
                    case Routing.Direct _ -> {
                        SmtpDelivery delivery = Objects.requireNonNull(mxDelivery)
                                .deliver(
                                        entry.getValue().domain(),
                                        envelope(item, entry.getKey(), entry.getValue(), raw),
                                        source(raw));
                        outcomes.put(entry.getKey(), RecipientOutcome.of(delivery.result()));
                        signal = DestinationThrottle.LoadSignal.of(delivery);
                    }
                }
            }
        } catch (HostBusyException busy) {
            LOG.debug("Submission postponed, its host is busy submission_id={}", item.submission());
        } catch (RuntimeException failure) { // such as a blob store that is away; outcomes so far count
            LOG.warn("Delivery failed for some recipients submission_id={}", item.submission(), failure);
        }
        return new Courier.CourierResult(outcomes, signal);
    }

    private ScriptedRecipients.HandOver handOver(QueueItem item, QueueItem.Recipient recipient, AddrSpec address) {
        return new ScriptedRecipients.HandOver(
                item.organization(),
                item.submission(),
                recipient.position(),
                item.message(),
                item.inbox(),
                address,
                returnPath(item, recipient),
                item.queuedAt());
    }

    /** What a scripted recipient says to a mail, which does not leave. */
    private RecipientOutcome answered(SmtpReply reply, QueueItem.Recipient recipient, RawMessage raw) {
        return reply.isPositive()
                ? captured(recipient, raw)
                : reply.isPermanentFailure()
                        ? RecipientOutcome.refused(reply.toString())
                        : new RecipientOutcome(RecipientOutcome.State.DELAYED, reply.toString());
    }

    private RecipientOutcome captured(QueueItem.Recipient recipient, RawMessage raw) {
        if (routing instanceof Routing.Sandbox sandbox) {
            sandbox.listener().accept(new Routing.CapturedMessage(recipient.address(), raw));
        }
        return new RecipientOutcome(RecipientOutcome.State.CAPTURED, "250 2.0.0 Captured");
    }

    private SmtpDelivery sendToRelay(SmtpEnvelope envelope, RawMessage raw, Routing.Relay relay) {
        try {
            List<SmtpEndpoint> endpoints = Stream.of(InetAddress.getAllByName(relay.host()))
                    .map(address -> new SmtpEndpoint(relay.host(), address, relay.port(), relay.tls(), relay.login()))
                    .toList();
            return pool.deliver(endpoints, envelope, source(raw));
        } catch (UnknownHostException unknown) {
            return new SmtpDelivery(
                    null, new SmtpResult.TransientFailure(null, "The relay's host name does not resolve", false));
        }
    }

    /**
     * The envelope for one recipient. Each recipient has its own return path, which no other recipient knows (decision
     * 0034).
     */
    private SmtpEnvelope envelope(QueueItem item, QueueItem.Recipient recipient, AddrSpec address, RawMessage raw) {
        try {
            return new SmtpEnvelope(
                    returnPath(item, recipient),
                    address,
                    raw.size(),
                    SmtpEnvelope.Content.of(raw.open()),
                    item.until(),
                    item.dsn(),
                    recipient.dsn());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * The return path: a signed address that identifies organization, submission and recipient. Null for a message that
     * must not bounce.
     */
    private @Nullable AddrSpec returnPath(QueueItem item, QueueItem.Recipient recipient) {
        if (item.reversePath().isEmpty()) {
            return null;
        }
        String host = item.reversePath().substring(item.reversePath().lastIndexOf('@') + 1);
        return new AddrSpec(
                returnPaths.sign(new ReturnPath(item.organization(), item.submission(), recipient.position())),
                senders.returnHost(item.organization(), host));
    }

    private static MessageSource source(RawMessage raw) {
        return out -> {
            try (InputStream in = raw.open()) {
                in.transferTo(out);
            }
        };
    }
}
