package dev.inboxd.payment;

import dev.inboxd.base.error.Problem;
import dev.inboxd.payment.facilitator.FacilitatorConfig;
import dev.inboxd.payment.offer.PaymentTerms;
import dev.inboxd.payment.offer.PaymentsFile;
import dev.inboxd.payment.offer.PaymentsUse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts where calls are paid for.
 *
 * @param x402 that of x402; empty for none
 * @param mpp that of MPP; empty for none
 * @param facilitator who judges
 * @param file what is offered, and what calls cost; empty for what development offers
 * @param mostOpen payments of an account without an outcome
 */
public record PaymentConfig(
        Optional<Address> x402,
        Optional<Address> mpp,
        FacilitatorConfig facilitator,
        Optional<Path> file,
        int mostOpen) {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentConfig.class);

    /**
     * Where a variant is.
     *
     * @param host its name, without a port
     * @param base its base address, without a slash at the end
     * @param sockets a further name for WebSockets alone; empty for none
     */
    public record Address(String host, String base, Optional<String> sockets) {}

    /** Whether calls are paid for anywhere. */
    public boolean isEnabled() {
        return x402.isPresent() || mpp.isPresent();
    }

    /** Where calls are paid for, for who asks elsewhere. */
    String anyBase() {
        return Stream.of(x402, mpp)
                .flatMap(Optional::stream)
                .map(Address::base)
                .findFirst()
                .orElse("");
    }

    PaymentsUse use(Set<String> routes) {
        return new PaymentsUse(routes, x402.isPresent(), mpp.isPresent(), facilitator.kind(), facilitator.production());
    }

    /** The file, read and watched; null where there is none. */
    @Nullable
    PaymentsFile open(Set<String> routes) {
        return file.map(path -> new PaymentsFile(path, use(routes))).orElse(null);
    }

    /**
     * What is offered, for a command.
     *
     * @param routes that there are
     * @throws Problem {@code validation_error} whose message has file, line and member of each fault
     */
    public PaymentTerms terms(Set<String> routes) {
        return file.map(path -> PaymentsFile.read(path, use(routes))).orElseGet(() -> usual(routes));
    }

    /** The terms at which calls were paid for before the hosts were switched off, as far as the file still says. */
    PaymentTerms termsBefore(Set<String> routes) {
        try {
            return terms(routes);
        } catch (Problem unusable) {
            LOG.warn("The payments file cannot be used to finish payments: {}", unusable.message());
            return usual(routes);
        }
    }

    /** The terms of a server without a file. */
    static PaymentTerms usual(Set<String> routes) {
        return PaymentTerms.development(routes);
    }
}
