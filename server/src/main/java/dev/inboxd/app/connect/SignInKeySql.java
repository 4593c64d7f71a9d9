package dev.inboxd.app.connect;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The rows of sign-in keys, of links, and of answers that can be given again. */
final class SignInKeySql {
    private SignInKeySql() {}

    static void insert(Tx tx, SignInKey key, UUID pod) {
        tx.sql(View.of(key.organization()), """
                insert into sign_in_key (organization_id, api_key_id, pod_id, inbox_id, app_id, bearer_id, jti,
                                         accept_disclosure, challenge, created_at)
                values ({organization}, :id, :pod, :inbox, :app, :bearer, :jti, :accepts, :challenge, :now)""")
                .bind("id", key.id())
                .bind("pod", pod)
                .bind("inbox", key.inbox())
                .bind("app", key.app())
                .bind("bearer", key.bearer())
                .bind("jti", key.jti())
                .bind("accepts", key.acceptsDisclosure())
                .bind(
                        "challenge",
                        key.challenge() == null ? null : key.challenge().bytes())
                .bind("now", key.createdAt())
                .run();
    }

    static Optional<SignInKey> find(Tx tx, UUID organization, UUID key) {
        String query = """
                select s.api_key_id, s.inbox_id, s.app_id, s.bearer_id, s.jti, s.accept_disclosure, s.challenge,
                    s.cookie_hash, s.created_at
                from sign_in_key s where {s} and s.api_key_id = :id""";
        return tx.sql(View.of(organization), query).bind("id", key).first(row -> read(organization, row));
    }

    private static SignInKey read(UUID organization, Row row) {
        byte[] challenge = row.bytesOrNull("challenge");
        return new SignInKey(
                organization,
                row.uuid("api_key_id"),
                row.uuid("inbox_id"),
                row.uuid("app_id"),
                row.uuid("bearer_id"),
                row.textOrNull("jti"),
                row.flag("accept_disclosure"),
                challenge == null ? null : new SignInKey.Challenge(challenge, row.bytesOrNull("cookie_hash")),
                row.instant("created_at"));
    }

    static void begin(Tx tx, UUID organization, UUID key, SignInKey.Challenge challenge) {
        tx.sql(
                        View.of(organization),
                        "update sign_in_key s set challenge = :challenge, cookie_hash = :cookie"
                                + " where {s} and s.api_key_id = :id")
                .bind("id", key)
                .bind("challenge", challenge.bytes())
                .bind("cookie", challenge.cookieDigest())
                .run();
    }

    static void activated(Tx tx, UUID organization, UUID key, Instant now) {
        tx.sql(View.of(organization), "update sign_in_key s set activated_at = :now where {s} and s.api_key_id = :id")
                .bind("id", key)
                .bind("now", now)
                .run();
    }

    /** The acceptance counts for one transaction. */
    static void disclosureUsed(Tx tx, UUID organization, UUID key) {
        tx.sql(
                        View.of(organization),
                        "update sign_in_key s set accept_disclosure = false where {s} and s.api_key_id = :id")
                .bind("id", key)
                .run();
    }

    /** How many links of a bearer nobody has opened yet. */
    static int countOpen(Tx tx, UUID organization, UUID bearer, Instant since) {
        return tx.sql(View.of(organization), """
                select count(*) as n from sign_in_key s
                where {s} and s.bearer_id = :bearer and s.created_at > :since and s.jti is null
                    and s.challenge is null and exists (select 1 from api_key k
                        where k.organization_id = {organization} and k.api_key_id = s.api_key_id)""")
                .bind("bearer", bearer)
                .bind("since", since)
                .single(row -> row.integer("n"));
    }

    /** A link. */
    record Link(UUID organization, UUID key, Instant expiresAt, boolean isUsed) {}

    static void insertLink(Tx tx, byte[] digest, Link link) {
        tx.sql("insert into connect_link (hash, organization_id, api_key_id, expires_at)"
                        + " values (:hash, :organization, :key, :expires)")
                .bind("hash", digest)
                .bind("organization", link.organization())
                .bind("key", link.key())
                .bind("expires", link.expiresAt())
                .run();
    }

    static Optional<Link> link(Tx tx, byte[] digest) {
        return tx.sql("select l.organization_id, l.api_key_id, l.expires_at, l.used_at is not null as used"
                        + " from connect_link l where l.hash = :hash")
                .bind("hash", digest)
                .first(row -> new Link(
                        row.uuid("organization_id"),
                        row.uuid("api_key_id"),
                        row.instant("expires_at"),
                        row.flag("used")));
    }

    /** Uses a link up; of several callers at once, one gets true. */
    static boolean use(Tx tx, byte[] digest, Instant now) {
        return tx.sql("update connect_link set used_at = :now"
                                + " where hash = :hash and used_at is null and expires_at > :now")
                        .bind("hash", digest)
                        .bind("now", now)
                        .run()
                == 1;
    }

    /** An answer of connect. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredAnswer(byte[] digest, UUID key, byte[] sealed, Instant expiresAt) {}

    /** How a caller names its request. */
    record RequestName(UUID bearer, String idempotencyKey) {}

    /** The answer to the same request; it is gone with its link, used or not. */
    static Optional<StoredAnswer> answer(Tx tx, UUID organization, RequestName name) {
        return tx.sql(View.of(organization), """
                select r.digest, r.api_key_id, r.answer, r.expires_at from connect_request r
                join sign_in_key s on s.organization_id = r.organization_id and s.api_key_id = r.api_key_id
                where {r} and r.bearer_id = :bearer and r.idempotency_key = :key and r.expires_at > {now}
                    and s.challenge is null""")
                .bind("bearer", name.bearer())
                .bind("key", name.idempotencyKey())
                .first(row -> new StoredAnswer(
                        row.bytes("digest"), row.uuid("api_key_id"), row.bytes("answer"), row.instant("expires_at")));
    }

    static void putAnswer(Tx tx, UUID organization, RequestName name, StoredAnswer answer) {
        tx.sql(View.of(organization), """
                insert into connect_request (organization_id, bearer_id, idempotency_key, digest, api_key_id, answer,
                                             expires_at)
                values ({organization}, :bearer, :key, :digest, :api_key, :answer, :expires)
                on conflict (organization_id, bearer_id, idempotency_key) do update set digest = excluded.digest,
                    api_key_id = excluded.api_key_id, answer = excluded.answer, expires_at = excluded.expires_at""")
                .bind("bearer", name.bearer())
                .bind("key", name.idempotencyKey())
                .bind("digest", answer.digest())
                .bind("api_key", answer.key())
                .bind("answer", answer.sealed())
                .bind("expires", answer.expiresAt())
                .run();
    }
}
