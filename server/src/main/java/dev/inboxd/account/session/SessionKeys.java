package dev.inboxd.account.session;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The keys that sign session tokens: the same on all nodes, encrypted at rest, with a new one each month. */
public final class SessionKeys {
    private static final String PURPOSE = "session key";
    private static final Duration SIGNS = Duration.ofDays(30);
    private static final int LONGEST_ID = 64;

    private final Database database;
    private final Vault vault;
    /** Cached keys by their thumbprint; a key never changes. */
    private final ConcurrentHashMap<String, ECKey> cache = new ConcurrentHashMap<>();

    SessionKeys(Database database, Vault vault) {
        this.database = database;
        this.vault = vault;
    }

    /** The key that signs now. Two nodes may create one at the same time; then both keys are valid. */
    ECKey current(Instant now) {
        return database.read(tx -> tx.sql("select k.private_key from session_key k where k.created_at > :since"
                                + " order by k.created_at desc, k.kid limit 1")
                        .bind("since", now.minus(SIGNS))
                        .first(this::read))
                .orElseGet(() -> create(now));
    }

    /** The key with that id, if it exists. */
    Optional<ECKey> find(String kid) {
        if (kid.length() > LONGEST_ID) {
            return Optional.empty();
        }
        ECKey cached = cache.get(kid);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<ECKey> stored =
                database.read(tx -> tx.sql("select k.private_key from session_key k" + " where k.kid = :kid")
                        .bind("kid", kid)
                        .first(this::read));
        stored.ifPresent(key -> cache.put(kid, key));
        return stored;
    }

    /** Seals every key with the newest master key. */
    public static void reseal(Tx tx, Reseal reseal) {
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Sealed(String kid, byte[] key) {}
        List<Sealed> keys = tx.sql("select k.kid, k.private_key from session_key k")
                .list(row -> new Sealed(row.text("kid"), row.bytes("private_key")));
        for (Sealed key : keys) {
            reseal.of(PURPOSE, key.key)
                    .ifPresent(anew -> tx.sql("update session_key set private_key = :sealed where kid = :kid")
                            .bind("sealed", anew)
                            .bind("kid", key.kid)
                            .run());
        }
    }

    private ECKey create(Instant now) {
        ECKey key = generate();
        database.writeGlobal(tx -> {
            // No token is valid for more than an hour after its key has stopped signing.
            tx.sql("delete from session_key k where k.created_at < :gone")
                    .bind("gone", now.minus(SIGNS.plusDays(1)))
                    .run();
            return tx.sql("insert into session_key (kid, private_key, created_at) values (:kid, :private, :now)")
                    .bind("kid", key.getKeyID())
                    .bind("private", vault.seal(PURPOSE, key.toJSONString().getBytes(StandardCharsets.UTF_8)))
                    .bind("now", now)
                    .run();
        });
        return key;
    }

    private static ECKey generate() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private ECKey read(Row row) {
        try {
            return ECKey.parse(new String(vault.open(PURPOSE, row.bytes("private_key")), StandardCharsets.UTF_8));
        } catch (ParseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
