package dev.inboxd.apikey;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Scope;
import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.id.Base62;
import dev.inboxd.id.Digests;
import dev.inboxd.id.Uuid7;
import dev.inboxd.inbox.Inbox;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.page.Slice;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with API keys. One verb, one transaction, unless it takes the caller's. */
public final class ApiKeys {
    private static final String PREFIX = "inb_";
    private static final int RANDOM_CHARACTERS = 43;
    private static final int SHOWN_CHARACTERS = 12;

    private final Database database;
    private final int most;

    /**
     * The keys of a database.
     *
     * @param most how many live keys an organization may have
     */
    public ApiKeys(Database database, int most) {
        this.database = database;
        this.most = most;
    }

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

    /** Makes a key in the caller's transaction, without asking who wants it. */
    public static Issued issue(Tx tx, UUID organization, Order order, Instant now) {
        String secret = PREFIX + Base62.random(RANDOM_CHARACTERS);
        UUID id = Uuid7.next();
        String name = order.name() == null ? "API key " + id.toString().substring(0, 8) : order.name();
        ApiKey key = new ApiKey(id, name, secret.substring(0, SHOWN_CHARACTERS), order.owner(), order.grant(), null,
                order.expiresAt(), now, now);
        ApiKeySql.insert(tx, View.of(organization), key, Digests.sha256(secret), order.fromSignUp());
        return new Issued(key, secret);
    }

    /** Ends the keys that agent sign-up made, in the caller's transaction (contract: identity.md §6.1, rotation). */
    public static void revokeSignUpKeys(Tx tx, UUID organization) {
        ApiKeySql.deleteSignUpKeys(tx, View.of(organization));
    }

    /** Ends the keys bound to an inbox, in the transaction that deletes it. */
    public static void revokeOf(Tx tx, UUID organization, UUID inbox) {
        ApiKeySql.deleteAll(tx, View.of(organization).inbox(inbox));
    }

    /** Ends the keys bound to a pod, in the transaction that deletes it. */
    public static void revokeOfPod(Tx tx, UUID organization, UUID pod) {
        ApiKeySql.deleteAll(tx, View.of(organization).pod(pod));
    }

    /**
     * Makes a bearer key for what the view shows: the organization, a pod or an inbox.
     *
     * @param view the caller's view, narrowed by the path
     * @throws Problem {@code permission_escalation}, {@code unrestricted_key_required}, {@code limit_exceeded},
     *     {@code validation_error} for an expiry beyond the calling key's, {@code unknown_api_key} when that was
     *     revoked meanwhile
     */
    Issued create(Caller caller, View view, NewApiKey wanted) {
        UUID organization = caller.organization();
        Scope target = new ApiKey.Owner(view.pod(), view.inbox(), null).scope();
        ApiKey.Grant grant = Granting.forNew(caller, target, wanted.permissions());
        return database.write(organization, tx -> {
            View all = View.of(organization);
            ApiKey parent = ApiKeySql.find(tx, all, caller.apiKeyId()).orElseThrow(Authentication::unknown);
            Instant expiresAt = expiry(wanted.expiresAt(), parent.expiresAt());
            if (ApiKeySql.countLive(tx, all) >= most) {
                throw Problem.of(Code.LIMIT_EXCEEDED, "An organization has at most " + most + " API keys",
                        "Delete keys that are not used: DELETE /v0/api-keys/{api_key_id}.");
            }
            Order order = new Order(wanted.name(), owner(tx, view), grant, expiresAt, false);
            return issue(tx, organization, order, tx.next().at());
        });
    }

    /** A key never outlives the one that made it. */
    private static @Nullable Instant expiry(@Nullable Instant wanted, @Nullable Instant parents) {
        if (wanted == null || parents == null) {
            return wanted == null ? parents : wanted;
        }
        if (wanted.isAfter(parents)) {
            throw Problem.invalid("expires_at", "expires_at must not lie behind the calling key's own expiry");
        }
        return wanted;
    }

    private static ApiKey.Owner owner(Tx tx, View view) {
        UUID id = view.inbox();
        if (id == null) {
            return new ApiKey.Owner(view.pod(), null, null);
        }
        Inbox inbox = Inboxes.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox"));
        return new ApiKey.Owner(inbox.pod(), id, inbox.address());
    }

    /** One key that the view shows. */
    ApiKey get(View view, UUID id) {
        return database.read(tx -> ApiKeySql.find(tx, view, id)).orElseThrow(ApiKeys::notFound);
    }

    /** A page of the keys that the view shows, expired ones included. */
    public Slice<ApiKey> list(View view, Page page) {
        return database.read(tx -> page.slice(ApiKeySql.list(tx, view, page),
                key -> Cursor.of(key.createdAt(), key.id())));
    }

    /**
     * Deletes a key, which stops at once.
     *
     * @throws Problem {@code not_found}
     */
    public void delete(View view, UUID id) {
        boolean deleted = database.write(view.organization(), tx -> ApiKeySql.delete(tx, view, id));
        if (!deleted) {
            throw notFound();
        }
    }

    static Problem notFound() {
        return Problem.notFound("ApiKey");
    }
}
