package dev.inboxd.base.job.turn;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Organizations that this process has written to; each is looked at at once, and then ten times a second at most. */
public final class ChangedOrganizations {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int AT_ONCE = 4;

    /** The value says whether it has changed since the look began. */
    private final Map<UUID, Boolean> looked = new ConcurrentHashMap<>();

    private final Semaphore room = new Semaphore(AT_ONCE, true);
    private final Consumer<UUID> visitor;

    /** @param visitor looks at one organization */
    public ChangedOrganizations(Consumer<UUID> visitor) {
        this.visitor = visitor;
    }

    /** Has an organization looked at soon; never blocks. */
    public void add(UUID organization) {
        if (looked.put(organization, true) == null) {
            Thread.startVirtualThread(() -> follow(organization));
        }
    }

    private void follow(UUID organization) {
        do {
            room.acquireUninterruptibly();
            try {
                looked.put(organization, false);
                visitor.accept(organization);
            } finally {
                room.release();
            }
            pause();
        } while (!looked.remove(organization, false));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
