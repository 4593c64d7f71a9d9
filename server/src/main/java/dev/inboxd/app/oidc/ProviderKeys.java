package dev.inboxd.app.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that sign ID tokens: the same on every node, sealed at rest. A new pair signs every ninety days. It is
 * published a day before, so that clients that keep the set have read it; the old one stays for a day.
 */
public final class ProviderKeys {
    private static final String PURPOSE = "provider key";
    private static final Duration SIGNS = Duration.ofDays(90);
    private static final Duration PUBLISHED_BEFORE = Duration.ofDays(1);
    private static final Duration PUBLISHED_AFTER = Duration.ofDays(1);
    private static final int RSA_BITS = 2_048;

    private final Database database;
    private final Vault vault;
    private final InstantSource clock;
    /** Opened keys by their id; a key never changes. */
    private final Map<String, JWK> cache = new ConcurrentHashMap<>();

    /** The keys in a database. */
    public ProviderKeys(Database database, Vault vault, InstantSource clock) {
        this.database = database;
        this.vault = vault;
        this.clock = clock;
    }

    /** A key of a generation; the last generation that has begun signs. */
    private record Generation(int number, JWK key, Instant signsFrom) {}

    /** The key that signs now; the first one at once, also where another node made it a moment later by its clock. */
    JWK current(App.IdTokenAlg alg) {
        Instant now = clock.instant();
        List<Generation> all = generations(alg, now);
        return all.reversed().stream()
                .filter(generation -> !generation.signsFrom.isAfter(now))
                .findFirst()
                .orElseGet(all::getFirst)
                .key;
    }

    /** The public halves of the keys that sign now, will sign within a day, or signed within the last day. */
    List<JWK> published() {
        Instant now = clock.instant();
        List<JWK> published = new ArrayList<>();
        for (App.IdTokenAlg alg : App.IdTokenAlg.values()) {
            List<Generation> all = generations(alg, now);
            for (int i = 0; i < all.size(); i++) {
                boolean isOver = i + 1 < all.size()
                        && all.get(i + 1).signsFrom.plus(PUBLISHED_AFTER).isBefore(now);
                if (!isOver) {
                    published.add(all.get(i).key.toPublicJWK());
                }
            }
        }
        return published;
    }

    /** Makes the next keys when it is time to publish them, and deletes keys that nobody needs. Run now and then. */
    public void rotate() {
        Instant now = clock.instant();
        for (App.IdTokenAlg alg : App.IdTokenAlg.values()) {
            List<Generation> all = generations(alg, now);
            Generation last = all.getLast();
            Instant due = last.signsFrom.plus(SIGNS);
            if (!due.minus(PUBLISHED_BEFORE).isAfter(now)) {
                Instant earliest = now.plus(PUBLISHED_BEFORE);
                create(alg, last.number + 1, due.isBefore(earliest) ? earliest : due);
            }
            for (int i = 0; i + 1 < all.size(); i++) {
                if (all.get(i + 1)
                        .signsFrom
                        .plus(PUBLISHED_AFTER.multipliedBy(2))
                        .isBefore(now)) {
                    delete(alg, all.get(i).number);
                }
            }
        }
    }

    /** The generations of an algorithm, the oldest first; makes the first one. */
    private List<Generation> generations(App.IdTokenAlg alg, Instant now) {
        List<Generation> stored = stored(alg);
        if (stored.isEmpty()) {
            create(alg, 1, now);
            stored = stored(alg);
        }
        return stored;
    }

    private List<Generation> stored(App.IdTokenAlg alg) {
        return database.read(tx -> tx.sql("select k.generation, k.kid, k.private_key, k.signs_from from oidc_key k"
                        + " where k.alg = :alg order by k.generation")
                .bind("alg", alg.name())
                .list(row -> new Generation(row.integer("generation"), key(row), row.instant("signs_from"))));
    }

    /** Seals every key with the newest master key. */
    public static void reseal(Tx tx, Reseal reseal) {
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record SealedKey(String kid, byte[] key) {}
        List<SealedKey> keys = tx.sql("select k.kid, k.private_key from oidc_key k")
                .list(row -> new SealedKey(row.text("kid"), row.bytes("private_key")));
        for (SealedKey key : keys) {
            reseal.of(PURPOSE, key.key)
                    .ifPresent(anew -> tx.sql("update oidc_key set private_key = :sealed where kid = :kid")
                            .bind("sealed", anew)
                            .bind("kid", key.kid)
                            .run());
        }
    }

    private JWK key(Row row) {
        byte[] sealed = row.bytes("private_key");
        return cache.computeIfAbsent(row.text("kid"), _ -> {
            try {
                return JWK.parse(new String(vault.open(PURPOSE, sealed), StandardCharsets.UTF_8));
            } catch (ParseException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    /** Of several nodes at once, one makes the generation. */
    private void create(App.IdTokenAlg alg, int generation, Instant signsFrom) {
        JWK key = generate(alg);
        Instant now = clock.instant();
        database.writeGlobal(tx -> tx.sql("""
                insert into oidc_key (alg, generation, kid, private_key, signs_from, created_at)
                values (:alg, :generation, :kid, :private, :from, :now) on conflict (alg, generation) do nothing""")
                .bind("alg", alg.name())
                .bind("generation", generation)
                .bind("kid", key.getKeyID())
                .bind("private", vault.seal(PURPOSE, key.toJSONString().getBytes(StandardCharsets.UTF_8)))
                .bind("from", signsFrom)
                .bind("now", now)
                .run());
    }

    private void delete(App.IdTokenAlg alg, int generation) {
        database.writeGlobal(tx -> deleted(tx, alg, generation));
    }

    private static int deleted(Tx tx, App.IdTokenAlg alg, int generation) {
        return tx.sql("delete from oidc_key where alg = :alg and generation = :generation")
                .bind("alg", alg.name())
                .bind("generation", generation)
                .run();
    }

    private static JWK generate(App.IdTokenAlg alg) {
        try {
            return switch (alg) {
                case RS256 ->
                    new RSAKeyGenerator(RSA_BITS)
                            .keyUse(KeyUse.SIGNATURE)
                            .algorithm(JWSAlgorithm.RS256)
                            .keyIDFromThumbprint(true)
                            .generate();
                case ES256 ->
                    new ECKeyGenerator(Curve.P_256)
                            .keyUse(KeyUse.SIGNATURE)
                            .algorithm(JWSAlgorithm.ES256)
                            .keyIDFromThumbprint(true)
                            .generate();
            };
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
