package dev.inboxd.inbound;

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
 * What the virus scanner said of octets a moment ago: the recipients of a message that leaves are carried each by itself, and
 * one look is enough for all of them. For many threads.
 */
final class ScanCache {
    private static final long MOMENT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MOST = 1_000;

    private final LongSupplier nanos;
    private final Map<String, Scan> scans = new LinkedHashMap<>(); // the eldest first

    /**
     * A look that is being taken, or was.
     *
     * @param since when it began
     * @param said what the scanner refuses it with; nothing when it may go
     */
    private record Scan(long since, FutureTask<Optional<SmtpReply>> said) {}

    /** @param nanos a clock that never goes back, in nanoseconds */
    ScanCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * What the scanner refuses octets with, or null. Blocks while it looks; who asks for the same octets meanwhile waits for the
     * same answer. What it could not say is asked again by whoever comes next.
     *
     * @param sha256 of the octets
     * @param look asks the scanner
     */
    @Nullable
    SmtpReply of(String sha256, Callable<@Nullable SmtpReply> look) throws IOException {
        Scan scan = begun(sha256, look);
        scan.said.run(); // by whoever is first; it does nothing for the others
        boolean known = false;
        try {
            SmtpReply refusal = scan.said.get().orElse(null);
            known = refusal == null || refusal.isPermanentFailure();
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
            if (!known) {
                forget(sha256, scan);
            }
        }
    }

    private synchronized Scan begun(String sha256, Callable<@Nullable SmtpReply> look) {
        long now = nanos.getAsLong();
        Iterator<Scan> eldest = scans.values().iterator();
        while (eldest.hasNext() && (now - eldest.next().since > MOMENT_NANOS || scans.size() >= MOST)) {
            eldest.remove();
        }
        return scans.computeIfAbsent(
                sha256, _ -> new Scan(now, new FutureTask<>(() -> Optional.ofNullable(look.call()))));
    }

    private synchronized void forget(String sha256, Scan scan) {
        scans.remove(sha256, scan);
    }
}
