package dev.inboxd.tenant.domain.dns;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsAnswer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Looks up the published records of a domain, in parallel. */
public final class RecordLookup {
    private final Dns dns;
    private final Dns second;
    private final LookupFaults faults;

    /**
     * Looks records up with these resolvers.
     *
     * @param second resolver of the confirmation: another one, if several are configured
     * @param faults look-ups that fail in development
     */
    public RecordLookup(Dns dns, Dns second, LookupFaults faults) {
        this.dns = dns;
        this.second = second;
        this.faults = faults;
    }

    /**
     * The look-ups of one check.
     *
     * @param organization whose domain it is
     * @param key the domain's key
     * @param confirming whether the second resolver is used
     */
    public record LookupTask(
            UUID organization, List<ZoneRecord> records, DkimKey key, boolean allowsOtherMx, boolean confirming) {
        public LookupTask {
            records = List.copyOf(records);
        }
    }

    /** The result for each record, without those whose look-up failed. */
    public Map<RecordKind, RecordResult> lookUp(LookupTask task) {
        Map<RecordKind, Future<Optional<RecordResult>>> futures = new LinkedHashMap<>();
        try (ExecutorService lookUps = Executors.newVirtualThreadPerTaskExecutor()) {
            task.records.forEach(record -> futures.put(record.kind(), lookUps.submit(() -> lookUp(task, record))));
        }
        Map<RecordKind, RecordResult> findings = new EnumMap<>(RecordKind.class);
        futures.forEach((kind, future) -> result(future).ifPresent(finding -> findings.put(kind, finding)));
        return findings;
    }

    private static Optional<RecordResult> result(Future<Optional<RecordResult>> future) {
        try {
            return future.get(); // done: closing the executor waited for it
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
    }

    private Optional<RecordResult> lookUp(LookupTask task, ZoneRecord record) {
        Dns resolver = task.confirming ? second : dns;
        String name = record.name();
        LookupFaults.LookupFailure failure = faults.of(task.organization, name);
        if (failure != null) {
            return failure == LookupFaults.LookupFailure.NXDOMAIN
                    ? Optional.of(RecordResult.MISSING)
                    : Optional.empty();
        }
        return switch (record.kind()) {
            // RFC 4592 §2.3: a query for the wildcard's own name returns the wildcard record itself.
            case MX, SUBDOMAIN_MX ->
                evaluate(
                        resolver.mailExchangers(name),
                        exchangers -> RecordCheck.exchangers(exchangers, record.value(), task.allowsOtherMx));
            case BOUNCE_MX ->
                evaluate(
                        resolver.mailExchangers(name),
                        exchangers -> RecordCheck.exchangers(exchangers, record.value(), false));
            case SPF -> evaluate(resolver.texts(name), texts -> RecordCheck.spf(texts, record.value()));
            case DKIM -> evaluate(resolver.texts(name), texts -> RecordCheck.dkim(texts, task.key));
            case DMARC -> evaluate(resolver.texts(name), RecordCheck::dmarc);
            case TRACKING -> evaluate(resolver.alias(name), aliases -> RecordCheck.alias(aliases, record.value()));
        };
    }

    private static <T> Optional<RecordResult> evaluate(DnsAnswer<T> answer, Function<List<T>, RecordResult> check) {
        return switch (answer) {
            case DnsAnswer.Records<T>(List<T> records) -> Optional.of(check.apply(records));
            case DnsAnswer.Missing<T> _ -> Optional.of(RecordResult.MISSING);
            case DnsAnswer.Unavailable<T> _ -> Optional.empty();
        };
    }
}
