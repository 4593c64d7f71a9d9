package dev.inboxd.outbound;

import dev.inboxd.net.MailExchanger;
import dev.inboxd.smtp.client.HostBusyException;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.ServerReply;
import dev.inboxd.smtp.client.SessionFailedException;
import dev.inboxd.smtp.client.SmtpDelivery;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.SmtpResult;
import dev.inboxd.smtp.client.TlsRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands mail to the recipients' own servers. For many threads. */
final class MxDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(MxDelivery.class);
    /** After so long no other host is tried. */
    private static final long SEARCH_NANOS = Duration.ofMinutes(8).toNanos();

    private final MxResolver hosts;
    private final StsPolicies policies;
    private final SmtpPool pool;

    MxDelivery(MxResolver hosts, StsPolicies policies, SmtpPool pool) {
        this.hosts = hosts;
        this.policies = policies;
        this.pool = pool;
    }

    /**
     * Tries the hosts of a domain, one after another, until one opens a session; blocks.
     *
     * @param domain of the envelope's recipient
     */
    SmtpDelivery deliver(String domain, SmtpEnvelope envelope, MessageSource message) {
        return switch (hosts.of(domain)) {
            case MxResolver.Exchangers.NoMailService nobody ->
                new SmtpDelivery(null, new SmtpResult.PermanentFailure(nobody.reason(), false));
            case MxResolver.Exchangers.Unavailable unknown -> new SmtpDelivery(null, later(unknown.reason()));
            case MxResolver.Exchangers.Hosts some -> new Attempt(domain, envelope, message).over(some);
        };
    }

    /** Fetches policies again before they end; blocks. */
    void refresh() {
        policies.refresh();
    }

    private static SmtpResult later(String reason) {
        return new SmtpResult.TransientFailure(null, reason, false);
    }

    /** One message for one domain. */
    private final class Attempt {
        private final String domain;
        private final SmtpEnvelope envelope;
        private final MessageSource message;
        private final long end = System.nanoTime() + SEARCH_NANOS;
        private final List<String> forever = new ArrayList<>();
        private Optional<StsPolicy> policy = Optional.empty();
        private SmtpResult.TransientFailure failure =
                new SmtpResult.TransientFailure(null, "451 4.4.1 No host could be reached", false);
        private boolean mayStillWork;
        /** Those tried last where as many sessions are in use as may be, which is no failure of theirs. */
        private final List<SmtpEndpoint> busy = new ArrayList<>();

        Attempt(String domain, SmtpEnvelope envelope, MessageSource message) {
            this.domain = domain;
            this.envelope = envelope;
            this.message = message;
        }

        SmtpDelivery over(MxResolver.Exchangers.Hosts exchangers) {
            policy = domain.startsWith("[") ? Optional.empty() : policies.of(domain);
            List<MailExchanger> all = exchangers.hosts();
            for (int i = 0; i < all.size(); i++) {
                Optional<SmtpDelivery> delivery = at(all.get(i).host(), exchangers.proven());
                boolean last = i + 1 == all.size()
                        || all.get(i + 1).preference() != all.get(i).preference();
                // RFC 5321 §5.1: any of those equally preferred will do; the next ones are for when none can be
                // reached.
                delivery = delivery.isEmpty() && last ? inTurn() : delivery;
                if (delivery.isPresent()) {
                    return delivery.get();
                }
            }
            return new SmtpDelivery(
                    null,
                    mayStillWork || forever.isEmpty()
                            ? failure
                            : new SmtpResult.PermanentFailure(
                                    new ServerReply(
                                            550, "5.4.4", forever.getFirst().substring("5.4.4 ".length())),
                                    false));
        }

        private Optional<SmtpDelivery> at(String host, boolean proven) {
            for (SmtpEndpoint endpoint : isLate() ? List.<SmtpEndpoint>of() : endpoints(host, proven)) {
                Optional<SmtpDelivery> delivery = isLate() ? Optional.empty() : at(endpoint);
                if (delivery.isPresent()) {
                    return delivery;
                }
            }
            return Optional.empty();
        }

        /** Waits for a turn with any of those where there was none. */
        private Optional<SmtpDelivery> inTurn() {
            long deadline = System.nanoTime() + SmtpPool.TURN_TIMEOUT.toNanos();
            Optional<SmtpDelivery> delivery = Optional.empty();
            while (delivery.isEmpty() && !busy.isEmpty()) {
                if (isLate()) {
                    throw new HostBusyException();
                }
                SmtpEndpoint free = pool.anyFree(busy, deadline);
                busy.remove(free);
                delivery = at(free);
            }
            return delivery;
        }

        private boolean isLate() {
            return envelope.isLate() || System.nanoTime() - end > 0;
        }

        private List<SmtpEndpoint> endpoints(String host, boolean proven) {
            return switch (hosts.lookUpHost(host, domain, proven)) {
                case MxResolver.HostLookup.Unreachable not -> {
                    if (not.forever()) {
                        forever.add(not.reason());
                    } else {
                        failed("451 " + not.reason(), null);
                    }
                    yield List.of();
                }
                case MxResolver.HostLookup.Reachable known -> known.endpoints();
            };
        }

        /** Nothing when the host opens no session that may be used; another may. */
        private Optional<SmtpDelivery> at(SmtpEndpoint endpoint) {
            try {
                return ruled(endpoint);
            } catch (HostBusyException turn) {
                busy.add(endpoint);
                return Optional.empty();
            }
        }

        private Optional<SmtpDelivery> ruled(SmtpEndpoint endpoint) {
            boolean dane = endpoint.tls() instanceof TlsRule.Dane;
            StsPolicy.Mode mode = dane
                    ? StsPolicy.Mode.NONE // RFC 8461 §2: it overrides no DANE
                    : policy.map(StsPolicy::mode).orElse(StsPolicy.Mode.NONE);
            return switch (mode) {
                case NONE -> over(endpoint);
                case ENFORCE -> isNamed(endpoint) ? over(endpoint.with(new TlsRule.Verified(false))) : Optional.empty();
                case TESTING -> {
                    Optional<SmtpDelivery> strict =
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

        private Optional<SmtpDelivery> over(SmtpEndpoint endpoint) {
            try {
                return Optional.of(new SmtpDelivery(endpoint, pool.sendIfFree(endpoint, envelope, message)));
            } catch (SessionFailedException refused) {
                failed(String.valueOf(refused.getMessage()), refused.reply());
                return Optional.empty();
            }
        }

        private void failed(String reason, @Nullable ServerReply reply) {
            mayStillWork = true;
            failure = new SmtpResult.TransientFailure(reply, reason, false);
        }
    }
}
