package dev.inboxd.outbound;

import dev.inboxd.net.MailExchanger;
import dev.inboxd.smtp.client.Delivery;
import dev.inboxd.smtp.client.HostBusyException;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.RecipientResult;
import dev.inboxd.smtp.client.ServerReply;
import dev.inboxd.smtp.client.SessionFailedException;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.TlsRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands mail to the recipients' own servers. For many threads. */
final class DirectDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(DirectDelivery.class);
    /** After so long no other host is tried. */
    private static final long SEARCH_NANOS = Duration.ofMinutes(8).toNanos();

    private final MailHosts hosts;
    private final StsPolicies policies;
    private final SmtpPool pool;

    DirectDelivery(MailHosts hosts, StsPolicies policies, SmtpPool pool) {
        this.hosts = hosts;
        this.policies = policies;
        this.pool = pool;
    }

    /**
     * Tries the hosts of a domain, one after another, until one opens a session; blocks.
     *
     * @param domain of the envelope's recipient
     */
    Delivery deliver(String domain, SmtpEnvelope envelope, MessageSource message) {
        return switch (hosts.of(domain)) {
            case MailHosts.Exchangers.Nobody nobody ->
                new Delivery(null, new RecipientResult.RefusedPermanently(nobody.reason(), false));
            case MailHosts.Exchangers.Unknown unknown -> new Delivery(null, later(unknown.reason()));
            case MailHosts.Exchangers.Some some -> new Attempt(domain, envelope, message).over(some);
        };
    }

    /** Fetches policies again before they end; blocks. */
    void refresh() {
        policies.refresh();
    }

    private static RecipientResult later(String reason) {
        return new RecipientResult.RefusedTemporarily(null, reason, false);
    }

    /** One message for one domain. */
    private final class Attempt {
        private final String domain;
        private final SmtpEnvelope envelope;
        private final MessageSource message;
        private final long end = System.nanoTime() + SEARCH_NANOS;
        private final List<String> forever = new ArrayList<>();
        private Optional<StsPolicy> policy = Optional.empty();
        private RecipientResult.RefusedTemporarily failure =
                new RecipientResult.RefusedTemporarily(null, "451 4.4.1 No host could be reached", false);
        private boolean mayStillWork;
        /** Those tried last where as many sessions are in use as may be, which is no failure of theirs. */
        private final List<SmtpEndpoint> busy = new ArrayList<>();

        Attempt(String domain, SmtpEnvelope envelope, MessageSource message) {
            this.domain = domain;
            this.envelope = envelope;
            this.message = message;
        }

        Delivery over(MailHosts.Exchangers.Some exchangers) {
            policy = domain.startsWith("[") ? Optional.empty() : policies.of(domain);
            List<MailExchanger> all = exchangers.hosts();
            for (int i = 0; i < all.size(); i++) {
                Optional<Delivery> delivery = at(all.get(i).host(), exchangers.proven());
                boolean last = i + 1 == all.size()
                        || all.get(i + 1).preference() != all.get(i).preference();
                // RFC 5321 §5.1: any of those equally preferred will do; the next ones are for when none can be
                // reached.
                delivery = delivery.isEmpty() && last ? inTurn() : delivery;
                if (delivery.isPresent()) {
                    return delivery.get();
                }
            }
            return new Delivery(
                    null,
                    mayStillWork || forever.isEmpty()
                            ? failure
                            : new RecipientResult.RefusedPermanently(
                                    new ServerReply(
                                            550, "5.4.4", forever.getFirst().substring("5.4.4 ".length())),
                                    false));
        }

        private Optional<Delivery> at(String host, boolean proven) {
            for (SmtpEndpoint endpoint : isLate() ? List.<SmtpEndpoint>of() : endpoints(host, proven)) {
                Optional<Delivery> delivery = isLate() ? Optional.empty() : at(endpoint);
                if (delivery.isPresent()) {
                    return delivery;
                }
            }
            return Optional.empty();
        }

        /** Waits for a turn with any of those where there was none. */
        private Optional<Delivery> inTurn() {
            long patience = System.nanoTime() + SmtpPool.FOR_A_TURN.toNanos();
            Optional<Delivery> delivery = Optional.empty();
            while (delivery.isEmpty() && !busy.isEmpty()) {
                if (isLate()) {
                    throw new HostBusyException();
                }
                SmtpEndpoint free = pool.anyFree(busy, patience);
                busy.remove(free);
                delivery = at(free);
            }
            return delivery;
        }

        private boolean isLate() {
            return envelope.isLate() || System.nanoTime() - end > 0;
        }

        private List<SmtpEndpoint> endpoints(String host, boolean proven) {
            return switch (hosts.reach(host, domain, proven)) {
                case MailHosts.Known.Not not -> {
                    if (not.forever()) {
                        forever.add(not.reason());
                    } else {
                        failed("451 " + not.reason(), null);
                    }
                    yield List.of();
                }
                case MailHosts.Known.At known -> known.endpoints();
            };
        }

        /** Nothing when the host opens no session that may be used; another may. */
        private Optional<Delivery> at(SmtpEndpoint endpoint) {
            try {
                return ruled(endpoint);
            } catch (HostBusyException turn) {
                busy.add(endpoint);
                return Optional.empty();
            }
        }

        private Optional<Delivery> ruled(SmtpEndpoint endpoint) {
            boolean dane = endpoint.tls() instanceof TlsRule.Dane;
            StsPolicy.Mode mode = dane
                    ? StsPolicy.Mode.NONE // RFC 8461 §2: it overrides no DANE
                    : policy.map(StsPolicy::mode).orElse(StsPolicy.Mode.NONE);
            return switch (mode) {
                case NONE -> over(endpoint);
                case ENFORCE -> isNamed(endpoint) ? over(endpoint.with(new TlsRule.Verified(false))) : Optional.empty();
                case TESTING -> {
                    Optional<Delivery> strict =
                            isNamed(endpoint) ? over(endpoint.with(new TlsRule.Verified(false))) : Optional.empty();
                    if (strict.isEmpty()) {
                        LOG.info(
                                "The MTA-STS policy of {} would keep mail from {}: {}",
                                domain,
                                endpoint.host(),
                                failure.reason());
                    }
                    yield strict.isPresent() ? strict : over(endpoint);
                }
            };
        }

        private boolean isNamed(SmtpEndpoint endpoint) {
            boolean named = policy.isPresent() && policy.get().names(endpoint.host());
            if (!named) {
                failed("451 4.7.5 The MTA-STS policy of " + domain + " does not name " + endpoint.host(), null);
            }
            return named;
        }

        private Optional<Delivery> over(SmtpEndpoint endpoint) {
            try {
                return Optional.of(new Delivery(endpoint, pool.sendIfFree(endpoint, envelope, message)));
            } catch (SessionFailedException refused) {
                failed(String.valueOf(refused.getMessage()), refused.reply());
                return Optional.empty();
            }
        }

        private void failed(String reason, @Nullable ServerReply reply) {
            mayStillWork = true;
            failure = new RecipientResult.RefusedTemporarily(reply, reason, false);
        }
    }
}
