package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Uuid7;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners on every node, within moments of the commit, that credentials of an organization were revoked or
 * changed (promise P12). Requests do not need it, because each reads its credential's row. Long-lived connections do:
 * their listeners authenticate the credentials of that organization again, with
 * {@link CredentialAuthenticator#reauthenticate}.
 */
public final class Revocations implements Notifications.Listener {
    private static final String CHANNEL = "inboxd_credentials";

    private final Notifications notifications;
    private final List<Consumer<@Nullable UUID>> listeners = new ArrayList<>();

    /** Revocations that arrive as notifications of the database. */
    public Revocations(Notifications notifications) {
        this.notifications = notifications;
    }

    /**
     * Adds a listener; before the notifications start. Called on one thread, so the listener must not block.
     *
     * @param listener gets the organization whose credentials must be authenticated again, or null for all
     *     organizations, when notifications may have been lost
     */
    public void onChange(Consumer<@Nullable UUID> listener) {
        notifications.on(CHANNEL, this);
        listeners.add(listener);
    }

    /** Sends a notification with the commit of this transaction. */
    public static void publish(Tx tx, UUID organization) {
        tx.signal(CHANNEL, organization.toString());
    }

    @Override
    public void notified(String word) {
        notify(Uuid7.parse(word));
    }

    @Override
    public void listening() {
        notify(null);
    }

    private void notify(@Nullable UUID organization) {
        listeners.forEach(listener -> listener.accept(organization));
    }
}
