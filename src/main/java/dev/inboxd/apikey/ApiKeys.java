package dev.inboxd.apikey;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.id.Base62;
import dev.inboxd.id.Digests;
import dev.inboxd.id.Uuid7;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with API keys. */
public final class ApiKeys {
    private static final String PREFIX = "inb_";
    private static final int RANDOM_CHARACTERS = 43;
    private static final int SHOWN_CHARACTERS = 12;

    private ApiKeys() {}

    /**
     * A key that was just made.
     *
     * @param secret the whole key, to be shown once; only its hash is kept
     */
    public record Issued(ApiKey key, String secret) {
        @Override
        public String toString() {
            return "Issued[" + key.id() + ", ***]";
        }
    }

    /**
     * What a new key shall be.
     *
     * @param name shown to people; null for one made of its id
     * @param fromSignUp whether agent sign-up makes it, and may replace it
     */
    public record Order(@Nullable String name, ApiKey.Owner owner, ApiKey.Grant grant, @Nullable Instant expiresAt,
            boolean fromSignUp) {}

    /** Makes a key in the caller's transaction. */
    public static Issued issue(Tx tx, UUID organization, Order order, Instant now) {
        String secret = PREFIX + Base62.random(RANDOM_CHARACTERS);
        UUID id = Uuid7.next();
        String name = order.name() == null ? "API key " + id.toString().substring(0, 8) : order.name();
        ApiKey key = new ApiKey(id, name, secret.substring(0, SHOWN_CHARACTERS), order.owner(), order.grant(), null,
                order.expiresAt(), now, now);
        ApiKeySql.insert(tx, View.of(organization), key, Digests.sha256(secret), order.fromSignUp());
        return new Issued(key, secret);
    }
}
