package dev.inboxd.inbound.filter;

import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches results of the virus scanner for a minute: the recipients of an outgoing message are delivered separately, and
 * one scan is enough for all of them. Safe for concurrent use.
 */
final class ScanCache {
    private static final long LIFETIME_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MAX_SCANS = 1_000;

    private final LongSupplier nanos;
    private final Map<String, Scan> scans = new LinkedHashMap<>(); // oldest first

    /**
     * A scan, running or finished.
     *
     * @param startedAt when it started
     * @param result the reply that refuses the octets; empty when nothing was found
     */
    private record Scan(long startedAt, FutureTask<Optional<SmtpReply>> result) {}

    /** @param nanos a clock that never goes back, in nanoseconds */
    ScanCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The reply with which the scanner refuses some octets, or null. Blocks while the scanner works; concurrent
     * requests for the same octets wait for the same result. A failed or transient result is not cached.
     *
     * @param sha256 digest of the octets
     * @param scanner runs the scan
     * @throws IOException when the octets cannot be read
     */
    @Nullable
    SmtpReply of(String sha256, Callable<@Nullable SmtpReply> scanner) throws IOException {
        Scan scan = started(sha256, scanner);
        scan.result.run(); // the first thread runs the scan; run() does nothing for the others
        boolean isCacheable = false;
        try {
            SmtpReply refusal = scan.result.get().orElse(null);
            isCacheable = refusal == null || refusal.isPermanentFailure();
            return refusal;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        } finally {
            if (!isCacheable) {
                forget(sha256, scan);
            }
        }
    }

    private synchronized Scan started(String sha256, Callable<@Nullable SmtpReply> scanner) {
        long now = nanos.getAsLong();
        Iterator<Scan> eldest = scans.values().iterator();
        while (eldest.hasNext() && (now - eldest.next().startedAt > LIFETIME_NANOS || scans.size() >= MAX_SCANS)) {
            eldest.remove();
        }
        return scans.computeIfAbsent(
                sha256, _ -> new Scan(now, new FutureTask<>(() -> Optional.ofNullable(scanner.call()))));
    }

    private synchronized void forget(String sha256, Scan scan) {
        scans.remove(sha256, scan);
    }
}
