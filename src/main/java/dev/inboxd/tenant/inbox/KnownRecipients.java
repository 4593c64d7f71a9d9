package dev.inboxd.tenant.inbox;

import dev.inboxd.platform.database.Tx;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers for a moment which inbox an address of the service's own domain leads to, so that a sender with much mail for
 * one inbox costs one look. Such an address never goes to another organization (ruling 22), and an inbox
 * that is gone is noticed by the transaction that stores the message; so an answer that is half a minute old gives nothing
 * away and loses nothing. Addresses of other domains, and those that are nobody's, are looked up each time.
 */
public final class KnownRecipients {
    private static final long LIFETIME_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int MOST = 20_000;

    private final AddressDirectory addresses;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final AtomicLong deletions = new AtomicLong();

    private record Known(AddressDirectory.Resolution.LocalInbox resolution, long since) {}

    /** Remembers what these addresses resolve to. */
    public KnownRecipients(AddressDirectory addresses) {
        this.addresses = addresses;
    }

    /** As {@link AddressDirectory#resolve}; for RCPT alone. */
    public AddressDirectory.Resolution resolve(String localPart, String domain) {
        if (!addresses.isShared(domain)) {
            return addresses.resolve(localPart, domain);
        }
        Known last = known.get(localPart);
        if (last != null && System.nanoTime() - last.since < LIFETIME_NANOS) {
            return last.resolution;
        }
        long before = deletions.get();
        long now = System.nanoTime();
        AddressDirectory.Resolution resolution = addresses.resolve(localPart, domain);
        if (resolution instanceof AddressDirectory.Resolution.LocalInbox ours && before == deletions.get()) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(localPart, new Known(ours, now));
        }
        return resolution;
    }

    /** An inbox is being deleted: RCPT is to say so at once, at least here. */
    public void inboxDeleted(Tx tx, UUID organization, UUID inbox) {
        tx.afterCommit(() -> {
            deletions.incrementAndGet();
            known.values()
                    .removeIf(each -> each.resolution.destination().inbox().equals(inbox));
        });
    }
}
