package dev.inboxd.outbound.mx;

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

/** Delivers messages to the MX hosts of recipients' domains. Safe for concurrent use. */
public final class MxDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(MxDelivery.class);
    /** Time after which no further host is tried. */
    private static final long ATTEMPT_NANOS = Duration.ofMinutes(8).toNanos();

    private final MxResolver hosts;
    private final StsPolicies policies;
    private final SmtpPool pool;

    public MxDelivery(MxResolver hosts, StsPolicies policies, SmtpPool pool) {
        this.hosts = hosts;
        this.policies = policies;
        this.pool = pool;
    }

    /**
     * Tries the hosts of a domain one after another, until one opens a session; blocks.
     *
     * @param domain of the envelope's recipient
     * @return the result; a transient failure when no host could be reached
     */
    public SmtpDelivery deliver(String domain, SmtpEnvelope envelope, MessageSource message) {
        return switch (hosts.of(domain)) {
            case MxResolver.Exchangers.NoMailService noMailService ->
                new SmtpDelivery(null, new SmtpResult.PermanentFailure(noMailService.reason(), false));
            case MxResolver.Exchangers.Unavailable unknown -> new SmtpDelivery(null, later(unknown.reason()));
            case MxResolver.Exchangers.Hosts mxHosts -> new Attempt(domain, envelope, message).run(mxHosts);
        };
    }

    /** Refreshes MTA-STS policies that become old; blocks. */
    public void refresh() {
        policies.refresh();
    }

    private static SmtpResult later(String reason) {
        return new SmtpResult.TransientFailure(null, reason, false);
    }

    /** The delivery attempt of one message to one domain. */
    private final class Attempt {
        private final String domain;
        private final SmtpEnvelope envelope;
        private final MessageSource message;
        private final long end = System.nanoTime() + ATTEMPT_NANOS;
        private final List<String> permanentReasons = new ArrayList<>();
        private Optional<StsPolicy> policy = Optional.empty();
        private SmtpResult.TransientFailure failure =
                new SmtpResult.TransientFailure(null, "451 4.4.1 No host could be reached", false);
        private boolean retryable;
        /** Hosts at which the maximum number of our sessions is in use; no failure of theirs. */
        private final List<SmtpEndpoint> busy = new ArrayList<>();

        Attempt(String domain, SmtpEnvelope envelope, MessageSource message) {
            this.domain = domain;
            this.envelope = envelope;
            this.message = message;
        }

        SmtpDelivery run(MxResolver.Exchangers.Hosts exchangers) {
            policy = domain.startsWith("[") ? Optional.empty() : policies.of(domain);
            List<MailExchanger> all = exchangers.hosts();
            for (int i = 0; i < all.size(); i++) {
                Optional<SmtpDelivery> delivery = at(all.get(i).host(), exchangers.proven());
                boolean last = i + 1 == all.size()
                        || all.get(i + 1).preference() != all.get(i).preference();
                // RFC 5321 §5.1: hosts of equal preference are equivalent; the next ones are for when none of them
                // can be reached.
                delivery = delivery.isEmpty() && last ? afterWaiting() : delivery;
                if (delivery.isPresent()) {
                    return delivery.get();
                }
            }
            return new SmtpDelivery(
                    null,
                    retryable || permanentReasons.isEmpty()
                            ? failure
                            : new SmtpResult.PermanentFailure(
                                    new ServerReply(
                                            550,
                                            "5.4.4",
                                            permanentReasons.getFirst().substring("5.4.4 ".length())),
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

        /** Waits for a free session with one of the busy hosts. */
        private Optional<SmtpDelivery> afterWaiting() {
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
                        permanentReasons.add(not.reason());
                    } else {
                        failed("451 " + not.reason(), null);
                    }
                    yield List.of();
                }
                case MxResolver.HostLookup.Reachable reachable -> reachable.endpoints();
            };
        }

        /** Tries one address; empty when no usable session could be opened, so that another may be tried. */
        private Optional<SmtpDelivery> at(SmtpEndpoint endpoint) {
            try {
                return withPolicy(endpoint);
            } catch (HostBusyException allInUse) {
                busy.add(endpoint);
                return Optional.empty();
            }
        }

        private Optional<SmtpDelivery> withPolicy(SmtpEndpoint endpoint) {
            boolean dane = endpoint.tls() instanceof TlsRule.Dane;
            StsPolicy.Mode mode = dane
                    ? StsPolicy.Mode.NONE // RFC 8461 §2: MTA-STS does not override DANE
                    : policy.map(StsPolicy::mode).orElse(StsPolicy.Mode.NONE);
            return switch (mode) {
                case NONE -> send(endpoint);
                case ENFORCE -> isNamed(endpoint) ? send(endpoint.with(new TlsRule.Verified(false))) : Optional.empty();
                case TESTING -> {
                    Optional<SmtpDelivery> strict =
                            isNamed(endpoint) ? send(endpoint.with(new TlsRule.Verified(false))) : Optional.empty();
                    if (strict.isEmpty()) {
                        LOG.info(
                                "MTA-STS policy in testing mode would prevent delivery domain={} host={} reason=\"{}\"",
                                domain,
                                endpoint.host(),
                                failure.reason());
                    }
                    yield strict.isPresent() ? strict : send(endpoint);
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

        private Optional<SmtpDelivery> send(SmtpEndpoint endpoint) {
            try {
                return Optional.of(new SmtpDelivery(endpoint, pool.sendIfFree(endpoint, envelope, message)));
            } catch (SessionFailedException refused) {
                failed(String.valueOf(refused.getMessage()), refused.reply());
                return Optional.empty();
            }
        }

        private void failed(String reason, @Nullable ServerReply reply) {
            retryable = true;
            failure = new SmtpResult.TransientFailure(reply, reason, false);
        }
    }
}
