package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.Tx;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cache of the inboxes of addresses at the service's own domain, so that a sender with much mail for one inbox costs
 * one look-up. Such an address never goes to another organization (ruling 22), and the transaction that stores a
 * message notices a deleted inbox. So an answer that is half a minute old reveals and loses nothing. Addresses of other
 * domains and unknown addresses are looked up each time.
 */
public final class KnownRecipients {
    private static final long LIFETIME_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int MOST = 20_000;

    private final AddressDirectory addresses;
    private final Map<String, CachedResolution> resolutions = new ConcurrentHashMap<>();
    private final AtomicLong deletions = new AtomicLong();

    private record CachedResolution(AddressDirectory.Resolution.LocalInbox resolution, long since) {}

    /** Caches resolutions of these addresses. */
    public KnownRecipients(AddressDirectory addresses) {
        this.addresses = addresses;
    }

    /** Resolves a recipient as {@link AddressDirectory#resolve}; for RCPT alone. */
    public AddressDirectory.Resolution resolve(String localPart, String domain) {
        if (!addresses.isShared(domain)) {
            return addresses.resolve(localPart, domain);
        }
        CachedResolution last = resolutions.get(localPart);
        if (last != null && System.nanoTime() - last.since < LIFETIME_NANOS) {
            return last.resolution;
        }
        long before = deletions.get();
        long now = System.nanoTime();
        AddressDirectory.Resolution resolution = addresses.resolve(localPart, domain);
        if (resolution instanceof AddressDirectory.Resolution.LocalInbox ours && before == deletions.get()) {
            if (resolutions.size() >= MOST) {
                resolutions.clear();
            }
            resolutions.put(localPart, new CachedResolution(ours, now));
        }
        return resolution;
    }

    /** Removes a deleted inbox from the cache after the commit, so that RCPT refuses it at once on this node. */
    public void inboxDeleted(Tx tx, UUID organization, UUID inbox) {
        tx.afterCommit(() -> {
            deletions.incrementAndGet();
            resolutions
                    .values()
                    .removeIf(cached -> cached.resolution.destination().inbox().equals(inbox));
        });
    }

    /** Forgets all of them. */
    public void clear() {
        deletions.incrementAndGet();
        resolutions.clear();
    }
}
