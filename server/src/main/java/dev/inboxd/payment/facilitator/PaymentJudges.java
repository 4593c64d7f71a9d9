package dev.inboxd.payment.facilitator;

import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.NetConfig;
import dev.inboxd.payment.offer.ChargeMethod;
import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import dev.inboxd.payment.offer.ServiceUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is asked about which payment, and what the facilitator supports. Safe for concurrent use. */
public final class PaymentJudges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentJudges.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);
    private static final long FRESH_NANOS = Duration.ofMinutes(10).toNanos();
    /** Verifiers that a changed file has left are forgotten when there are more. */
    private static final int MOST_VERIFIERS = 64;

    private final ServiceClient.Parts anywhere;
    private final ServiceClient.Parts nearby;
    private final boolean production;
    private final @Nullable PaymentJudge facilitator;
    private final @Nullable PaymentJudge proofs;
    private final Map<ChargeMethod.Verifier.Url, PaymentJudge> verifiers = new ConcurrentHashMap<>();
    private final PeriodicTask looks = new PeriodicTask("facilitator", BETWEEN_LOOKS, this::refreshSupported);
    private volatile SupportedKinds supported = SupportedKinds.UNKNOWN;
    /** Of the one thread that looks: until then nothing is asked; and whether the last look failed. */
    private long freshUntil = System.nanoTime();

    private boolean silent;

    /**
     * The judges of a server.
     *
     * @throws IllegalArgumentException when a URL cannot be requested
     */
    public PaymentJudges(NetConfig net, FacilitatorConfig config, Metrics metrics) {
        this(
                config,
                ServiceClient.Parts.of(net.operatorHttp(), metrics),
                ServiceClient.Parts.of(net.operatorHttp(AddressPolicy.PRIVATE), metrics));
    }

    PaymentJudges(FacilitatorConfig config, ServiceClient.Parts anywhere, ServiceClient.Parts nearby) {
        this.anywhere = anywhere;
        this.nearby = nearby;
        this.production = config.production();
        this.facilitator = config.kind() == FacilitatorKind.DEVELOPMENT
                ? new DevelopmentFacilitator()
                : config.url()
                        .map(url -> new FacilitatorClient(client(url, config.headers())))
                        .orElse(null);
        this.proofs = config.proofUrl()
                .<PaymentJudge>map(url -> new FacilitatorClient(client(url, Map.of())))
                .orElse(facilitator);
    }

    private ServiceClient client(URI url, Map<String, String> headers) {
        return new ServiceClient(ServiceUrl.isPrivateOnly(url, production) ? nearby : anywhere, url, headers);
    }

    /** The facilitator; empty when there is none. Proofs have one of their own where a setting says so. */
    public Optional<PaymentJudge> facilitator(boolean proof) {
        return Optional.ofNullable(proof ? proofs : facilitator);
    }

    /** Who is asked about payments of a method; empty when there is no facilitator for it. */
    public Optional<PaymentJudge> of(ChargeMethod method, boolean proof) {
        return switch (method.verifier()) {
            case ChargeMethod.Verifier.Facilitator _ -> facilitator(proof);
            case ChargeMethod.Verifier.Url url -> {
                if (verifiers.size() >= MOST_VERIFIERS) {
                    verifiers.clear();
                }
                yield Optional.of(verifiers.computeIfAbsent(
                        url, service -> new VerifierClient(client(service.url(), service.headers()))));
            }
        };
    }

    /** Whether payments are taken that nobody checks. */
    public boolean isDevelopment() {
        return facilitator instanceof DevelopmentFacilitator;
    }

    /** What the facilitator said last that it supports; nothing while it has not answered. Asks nobody. */
    public SupportedKinds supported() {
        return supported;
    }

    /**
     * Asks the facilitator what it supports. Blocks for seconds.
     *
     * @return empty when it does not answer, or there is none to ask
     */
    public Optional<SupportedKinds> ask() {
        Map<?, ?> answer = facilitator instanceof FacilitatorClient client ? client.supported() : null;
        if (answer == null) {
            return Optional.empty();
        }
        supported = SupportedKinds.read(answer);
        return Optional.of(supported);
    }

    /** Begins to ask the facilitator what it supports, now and then. */
    public void start() {
        looks.start();
    }

    /** Asks when the last answer is old; an older answer stays while there is no other. */
    private void refreshSupported() {
        if (!(facilitator instanceof FacilitatorClient) || System.nanoTime() - freshUntil < 0) {
            return;
        }
        boolean answers = ask().isPresent();
        if (answers) {
            freshUntil = System.nanoTime() + FRESH_NANOS;
        }
        if (answers == silent) {
            silent = !answers;
            LOG.warn("The facilitator {} what it supports", answers ? "says again" : "does not say");
        }
    }

    /** Ends the calls that are under way. */
    @Override
    public void close() {
        looks.close();
        anywhere.http().close();
        nearby.http().close();
    }
}
