package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Public keys as those who sign in use them, and the sign-in keys among them. A sign-in key begins without a public
 * half, and has a few minutes to get one (apps.md §5).
 */
public final class PublicKeys {
    /** How long a sign-in key lives once it signs. */
    public static final Duration SIGN_IN_KEY_LIFE = Duration.ofDays(30);

    private PublicKeys() {}

    /**
     * A key that has not expired, with what is effective of its permissions.
     *
     * @param owner the organization, pod or inbox that it is bound to
     * @param held the flags that are effective
     */
    public record LiveKey(UUID organization, UUID id, ApiKey.Owner owner, Set<Permission> held) {
        public LiveKey {
            held = Set.copyOf(held);
        }

        /** Whether the key may act for an inbox of its organization. */
        public boolean covers(UUID pod, UUID inbox) {
            return (owner.pod() == null || owner.pod().equals(pod))
                    && (owner.inbox() == null || owner.inbox().equals(inbox));
        }
    }

    /**
     * A live key that signs.
     *
     * @param material the public half
     * @param isSignInKey whether it was made to sign in, with a link or at the request of a browser
     */
    public record Signer(LiveKey key, P256Key material, boolean isSignInKey) {}

    /** A sign-in key to insert. Its permissions are those that its bearer holds of the two that it can have. */
    public record PendingKey(
            UUID id,
            String name,
            ApiKey.Owner owner,
            UUID bearer,
            boolean sharesOwner,
            Instant createdAt,
            Instant expiresAt) {}

    /** The public half that a pending key is given at that time. */
    public record NewHalf(UUID key, P256Key material, Instant at) {}

    /** The bearer or public key of an organization; empty when it was deleted or has expired. */
    public static Optional<LiveKey> live(Tx tx, UUID organization, UUID key, Instant now) {
        return ApiKeySql.holding(tx, organization, key)
                .filter(holding -> !holding.isExpired(now))
                .map(holding -> new LiveKey(organization, key, holding.owner(), holding.held()));
    }

    /**
     * The organization that a public key belongs to.
     *
     * @param key as a signature names it
     */
    public static Optional<UUID> organization(Tx tx, String key) {
        UUID id = Uuid7.parse(key);
        return id == null ? Optional.empty() : PublicKeySql.organization(tx, id);
    }

    /** A key by its id, if it can sign now. */
    public static Optional<Signer> signer(Tx tx, UUID organization, UUID key, Instant now) {
        return ApiKeySql.find(tx, View.of(organization), key)
                .map(ApiKey::family)
                .filter(ApiKey.Family.PublicKey.class::isInstance)
                .map(ApiKey.Family.PublicKey.class::cast)
                .filter(family -> family.status() != ApiKey.SignInStatus.PENDING)
                .flatMap(family -> live(tx, organization, key, now)
                        .flatMap(live -> Optional.ofNullable(family.key())
                                .map(material -> new Signer(live, material, family.status() != null))));
    }

    /** Inserts a pending sign-in key, which vanishes at that time unless it is activated before. */
    public static void insert(Tx tx, UUID organization, PendingKey pending) {
        Set<Permission> flags = EnumSet.of(Permission.PROVIDER_CONNECT);
        if (pending.sharesOwner()) {
            flags.add(Permission.PROVIDER_SHARE_OWNER);
        }
        ApiKey key = new ApiKey(
                pending.id(),
                pending.name(),
                new ApiKey.Family.PublicKey(null, pending.bearer(), null, ApiKey.SignInStatus.PENDING),
                pending.owner(),
                ApiKey.Grant.of(flags),
                null,
                pending.expiresAt(),
                pending.createdAt(),
                pending.createdAt());
        ApiKeySql.insert(tx, View.of(organization), key, null, false);
    }

    /**
     * Gives a pending sign-in key its public half.
     *
     * @return false when it is not pending any more
     */
    public static boolean activate(Tx tx, UUID organization, NewHalf half) {
        return PublicKeySql.activate(tx, View.of(organization), half);
    }

    /** Whether a public key exists, with or without its public half. */
    public static boolean exists(Tx tx, UUID organization, UUID key) {
        return ApiKeySql.find(tx, View.of(organization), key).isPresent();
    }

    /** Records that a key has signed. */
    public static void used(Tx tx, UUID organization, UUID key, Instant now) {
        KeyUsageSql.used(tx, View.of(organization), new UUID[] {key}, new Instant[] {now});
    }
}
