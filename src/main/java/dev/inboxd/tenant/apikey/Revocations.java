package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.database.Notifications;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.id.Uuid7;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells, on every node and within moments of the commit, that credentials of an organization were revoked or changed
 * (promise P12). A request needs none of this, because each one reads its credential's row. Who keeps something open
 * for a credential does: it looks again, with {@link CredentialAuthenticator#reauthenticate}, at those of that organization.
 */
public final class Revocations implements Notifications.Listener {
    private static final String CHANNEL = "inboxd_credentials";

    private final Notifications signals;
    private final List<Consumer<@Nullable UUID>> listeners = new ArrayList<>();

    /** Revocations that a node's signals bring. */
    public Revocations(Notifications signals) {
        this.signals = signals;
    }

    /**
     * Listens; before the signals start. Called on one thread, so the listener only takes note.
     *
     * @param listener given the organization whose credentials to look at again, or null for all of them, when
     *     something may have been missed
     */
    public void onChange(Consumer<@Nullable UUID> listener) {
        signals.on(CHANNEL, this);
        listeners.add(listener);
    }

    /** Announces a change with the commit of this transaction. */
    public static void publish(Tx tx, UUID organization) {
        tx.signal(CHANNEL, organization.toString());
    }

    @Override
    public void notified(String word) {
        tell(Uuid7.parse(word));
    }

    @Override
    public void listening() {
        tell(null);
    }

    private void tell(@Nullable UUID organization) {
        listeners.forEach(listener -> listener.accept(organization));
    }
}
