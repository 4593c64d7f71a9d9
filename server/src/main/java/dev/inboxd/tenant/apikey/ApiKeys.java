package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on API keys. Each method runs its own transaction, unless it takes the caller's. */
public final class ApiKeys {
    private static final String PREFIX = "inb_";
    private static final int RANDOM_CHARACTERS = 43;
    private static final int SHOWN_CHARACTERS = 12;

    private final Database database;
    private final int most;
    private final KeyWritings writings;

    /**
     * The keys of a database.
     *
     * @param most the largest number of live keys of an organization
     * @param writings what keys wrote; it stays in need of approval when its key goes
     */
    public ApiKeys(Database database, int most, KeyWritings writings) {
        this.database = database;
        this.most = most;
        this.writings = writings;
    }

    /**
     * A key that was just created.
     *
     * @param secret the whole key, shown once; only its hash is stored
     */
    public record IssuedKey(ApiKey key, String secret) {
        @Override
        public String toString() {
            return "Issued[" + key.id() + ", ***]";
        }
    }

    /**
     * The properties of a new key.
     *
     * @param name shown to people; null for a name made from its id
     * @param fromSignUp whether agent sign-up creates the key, and may replace it
     */
    public record KeySpec(
            @Nullable String name,
            ApiKey.Owner owner,
            ApiKey.Grant grant,
            @Nullable Instant expiresAt,
            boolean fromSignUp) {}

    /** Creates a bearer key in the caller's transaction, without a check of the caller's permissions. */
    public static IssuedKey issue(Tx tx, UUID organization, KeySpec spec, Instant now) {
        String secret = PREFIX + Base62.random(RANDOM_CHARACTERS);
        UUID id = Uuid7.next();
        String name = spec.name() == null ? "API key " + id.toString().substring(0, 8) : spec.name();
        ApiKey key = new ApiKey(
                id,
                name,
                new ApiKey.Family.Bearer(secret.substring(0, SHOWN_CHARACTERS)),
                spec.owner(),
                spec.grant(),
                null,
                spec.expiresAt(),
                now,
                now);
        ApiKeySql.insert(tx, View.of(organization), key, Digests.sha256(secret), spec.fromSignUp());
        return new IssuedKey(key, secret);
    }

    /** Revokes the keys that agent sign-up created, in the caller's transaction (identity.md §6.1, rotation). */
    public static void revokeSignUpKeys(Tx tx, UUID organization) {
        ApiKeySql.deleteSignUpKeys(tx, View.of(organization));
        Revocations.publish(tx, organization);
    }

    /** Revokes a key, if it is there still, in the caller's transaction. */
    public static void revoke(Tx tx, UUID organization, UUID key) {
        ApiKeySql.delete(tx, View.of(organization), key);
        Revocations.publish(tx, organization);
    }

    /** Revokes the keys bound to an inbox, in the transaction that deletes the inbox. */
    public static void revokeOf(Tx tx, UUID organization, UUID inbox) {
        ApiKeySql.deleteAll(tx, View.of(organization).inbox(inbox));
        Revocations.publish(tx, organization);
    }

    /** Revokes the keys bound to a pod or to an inbox in it, in the transaction that deletes the pod. */
    public static void revokeOfPod(Tx tx, UUID organization, UUID pod) {
        ApiKeySql.deleteAll(tx, View.of(organization).pod(pod));
        Revocations.publish(tx, organization);
    }

    /**
     * Creates a bearer key bound to the view: the organization, a pod or an inbox.
     *
     * @param view the caller's view, narrowed by the path
     * @throws Problem {@code permission_escalation}, {@code unrestricted_key_required}, {@code limit_exceeded},
     *     {@code validation_error} for an expiry after the calling key's, {@code unknown_api_key} when that key was
     *     revoked meanwhile
     */
    IssuedKey create(Caller caller, View view, NewApiKey requested) {
        UUID organization = caller.organization();
        return database.write(organization, tx -> {
            Authority giver = Authority.of(tx, caller);
            ApiKey.Owner owner = owner(tx, view);
            if (requested.needsApproval() && !giver.needsApproval()) {
                giver.requireApprover(caller, false);
            }
            ApiKey.Grant grant = PermissionGrants.forNew(giver, owner.scope(), requested.permissions())
                    .approved(requested.needsApproval() || giver.needsApproval());
            Instant expiresAt = expiry(requested.expiresAt(), giver.expiresAt());
            requireRoom(tx, organization);
            return issue(
                    tx,
                    organization,
                    new KeySpec(requested.name(), owner, grant, expiresAt, false),
                    tx.next().at());
        });
    }

    /**
     * Registers a public key bound to the view. A repetition with the same client_id returns the first key (identity.md
     * §8.5).
     *
     * @throws Problem as {@link #create}, {@code invalid_token_type} for a session, and {@code idempotency_conflict}
     *     when the client_id belongs to another key
     */
    Outcome<ApiKey> register(Caller caller, View view, NewPublicKey requested) {
        UUID organization = caller.organization();
        UUID creator = caller.requireKey();
        return database.write(organization, tx -> {
            Authority giver = Authority.of(tx, caller);
            ApiKey.Owner owner = owner(tx, view);
            ApiKey.Grant grant = PermissionGrants.forPublicKey(giver, owner.scope(), requested.permissions())
                    .approved(giver.needsApproval());
            Instant expiresAt = expiry(requested.expiresAt(), giver.expiresAt());
            Optional<ApiKey> before = requested.clientId() == null
                    ? Optional.empty()
                    : ApiKeySql.findByClientId(tx, View.of(organization), requested.clientId());
            if (before.isPresent()) {
                return Outcome.same(repeated(before.get(), requested, owner, grant));
            }
            requireRoom(tx, organization);
            Instant now = tx.next().at();
            ApiKey key = new ApiKey(
                    Uuid7.next(),
                    requested.nameOrUsual(),
                    new ApiKey.Family.PublicKey(requested.key(), creator, requested.clientId(), null),
                    owner,
                    grant,
                    null,
                    expiresAt,
                    now,
                    now);
            ApiKeySql.insert(tx, View.of(organization), key, null, false);
            return Outcome.changed(key);
        });
    }

    /** The refusal has no details: the caller may not be allowed to see the other key. */
    private static ApiKey repeated(ApiKey before, NewPublicKey requested, ApiKey.Owner owner, ApiKey.Grant grant) {
        if (requested.isRepeatedBy(before, owner, grant)) {
            return before;
        }
        throw Problem.of(
                ErrorCode.IDEMPOTENCY_CONFLICT,
                "The client_id " + requested.clientId() + " belongs to another key, owner or permissions");
    }

    private void requireRoom(Tx tx, UUID organization) {
        if (ApiKeySql.countLive(tx, View.of(organization)) >= most) {
            throw Problem.limit(
                    "api_keys",
                    most,
                    "An organization has at most " + most + " API keys",
                    "Delete keys that are not used: DELETE /v0/api-keys/{api_key_id}.");
        }
    }

    /** A key never expires later than the key that created it. */
    private static @Nullable Instant expiry(@Nullable Instant requested, @Nullable Instant parents) {
        if (requested == null || parents == null) {
            return requested == null ? parents : requested;
        }
        if (requested.isAfter(parents)) {
            throw Problem.invalid("expires_at", "expires_at must not lie behind the calling key's own expiry");
        }
        return requested;
    }

    private static ApiKey.Owner owner(Tx tx, View view) {
        UUID id = view.inbox();
        if (id == null) {
            return new ApiKey.Owner(view.pod(), null, null);
        }
        Inbox inbox = Inboxes.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox"));
        return new ApiKey.Owner(inbox.pod(), id, inbox.address());
    }

    /**
     * One key that the view shows.
     *
     * @param name its id, or the alias of a public key
     */
    public ApiKey get(View view, String name) {
        return database.read(tx -> named(tx, view, name));
    }

    /**
     * A page of the keys that the view shows, expired ones included.
     *
     * @param type only keys of this type, or null for all
     */
    public Slice<ApiKey> list(View view, ApiKey.@Nullable Type type, PageRequest page) {
        return database.read(
                tx -> page.slice(ApiKeySql.list(tx, view, type, page), key -> Cursor.of(key.createdAt(), key.id())));
    }

    /**
     * Changes a key's name or permissions, with effect from the next request on.
     *
     * @throws Problem {@code not_found}, {@code permission_escalation}, {@code unrestricted_key_required}
     */
    Outcome<ApiKey> update(Caller caller, View view, String name, ApiKeyChange change) {
        UUID organization = view.organization();
        if (Boolean.FALSE.equals(change.needsApproval())) {
            bind(
                    organization,
                    database.read(tx -> change.of(caller, named(tx, view, name), Authority.of(tx, caller))
                            .before()));
        }
        ApiKeyChange.Changed done = database.write(organization, tx -> {
            ApiKeyChange.Changed changed = change.of(caller, named(tx, view, name), Authority.of(tx, caller));
            if (!changed.isChange()) {
                return changed;
            }
            ApiKey dated = changed.after().updatedAt(tx.next().at());
            ApiKeySql.update(tx, view, dated);
            Revocations.publish(tx, organization);
            return new ApiKeyChange.Changed(changed.before(), dated);
        });
        if (done.binds()) {
            bind(organization, done.after());
        }
        return done.isChange() ? Outcome.changed(done.after()) : Outcome.same(done.before());
    }

    /**
     * Lets what a key wrote need approval, if the key does: when it came to need it, and before it is freed or deleted,
     * as a node may have died meanwhile. What it wrote since says so already.
     */
    private void bind(UUID organization, ApiKey key) {
        if (key.grant().needsApproval()) {
            writings.bind(organization, key.id());
        }
    }

    /**
     * Deletes a key, which is refused at once on every node.
     *
     * @throws Problem {@code not_found}
     */
    public ApiKey delete(View view, String name) {
        bind(view.organization(), get(view, name));
        return database.write(view.organization(), tx -> {
            ApiKey key = named(tx, view, name);
            ApiKeySql.delete(tx, view, key.id());
            Revocations.publish(tx, view.organization());
            return key;
        });
    }

    private static ApiKey named(Tx tx, View view, String name) {
        return ApiKeySql.named(tx, view, name).orElseThrow(() -> Problem.notFound("ApiKey"));
    }
}
