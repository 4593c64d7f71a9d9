package dev.inboxd.sandbox.reset;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.sandbox.clock.ClockModule;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a server as it is after its first start: no organization but the first, with a new key, and a clock that shows
 * the real time. What the process and its settings are stays: master key, store, signing keys of the own domains.
 */
public final class ServerReset {
    private static final String CHANNEL = "inboxd_reset";
    /** Each waits two seconds at most for what other transactions hold. */
    private static final int TRIES = 10;

    private final Database database;
    private final ClockModule clock;
    private final Supplier<@Nullable String> firstStart;
    private final List<Runnable> caches;

    /**
     * The reset of a server.
     *
     * @param firstStart makes what a first start makes, and returns the first key
     * @param caches forget on each node what was read from the database, or read it again
     */
    public ServerReset(
            Database database, ClockModule clock, Supplier<@Nullable String> firstStart, List<Runnable> caches) {
        this.database = database;
        this.clock = clock;
        this.firstStart = firstStart;
        this.caches = List.copyOf(caches);
    }

    /** Hears of a reset by another node. */
    void listen(Notifications notifications) {
        notifications.on(CHANNEL, new Notifications.Listener() {
            @Override
            public void notified(String word) {
                caches.forEach(Runnable::run);
            }

            @Override
            public void listening() {}
        });
    }

    /**
     * Deletes every row, sets the clock to the real time, and starts anew.
     *
     * @param caller the organization that asks
     * @param others whether organizations beside it may be deleted
     * @return how much is gone by kind, and the first key
     * @throws Problem {@code conflict} when there are others that may not, {@code service_unavailable} when
     *     transactions stood in the way; nothing is deleted then
     */
    JsonObject run(UUID caller, boolean others) {
        JsonObject deleted = clock.restart(() -> emptied(caller, others));
        caches.forEach(Runnable::run);
        return JsonObject.of("deleted", deleted).with("api_key", firstStart.get());
    }

    private JsonObject emptied(UUID caller, boolean others) {
        for (int left = TRIES - 1; ; left--) {
            try {
                return database.writeGlobal(tx -> {
                    if (!others && ServerRows.hasOrganizationBeside(tx, caller)) {
                        throw Problem.of(
                                ErrorCode.CONFLICT,
                                "There are other organizations on this server",
                                "Add \"organizations\": \"all\" to delete them, too.");
                    }
                    JsonObject rows = ServerRows.count(tx);
                    ServerRows.delete(tx);
                    tx.signal(CHANNEL, "");
                    return rows;
                });
            } catch (DatabaseFailure busy) {
                if (left == 0 || !(busy.isTransient() || busy.isDeadlock())) {
                    throw busy;
                }
            }
        }
    }
}
