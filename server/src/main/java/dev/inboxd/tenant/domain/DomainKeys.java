package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The DKIM keys of registered domains, encrypted at rest. Each registration has its own key, which is deleted with it.
 */
public final class DomainKeys {
    /** The selector of every key. */
    public static final String SELECTOR = "inboxd";
    /** The selector of the service's second key, an Ed25519 key. */
    public static final String SECOND_SELECTOR = "inboxd-ed25519";

    private static final String PURPOSE = "domain key";
    private static final int MOST_CACHED = 1_000;
    private static final ExecutorService GENERATOR = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("domain keys").factory());

    private final Vault vault;
    /** Opened keys by their DNS record: decrypting and parsing a key takes longer than signing a small message. */
    private final Map<String, DkimKey> opened = Collections.synchronizedMap(new KeyCache());

    /** Keys encrypted by that vault. */
    public DomainKeys(Vault vault) {
        this.vault = vault;
    }

    /** A cache of the keys used last. */
    private static final class KeyCache extends LinkedHashMap<String, DkimKey> {
        private static final long serialVersionUID = 1;

        KeyCache() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DkimKey> eldest) {
            return size() > MOST_CACHED;
        }
    }

    /**
     * Generates a key. That takes a tenth of a second or more of processor time, during which a virtual thread would
     * block the others of its carrier. So keys are generated one after another on a platform thread.
     */
    DkimKey make() {
        try {
            return GENERATOR.submit(DkimKey::generate).get();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The service is stopping");
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
    }

    byte[] sealed(DkimKey key) {
        return vault.seal(PURPOSE, key.pkcs8());
    }

    /** Seals every key of an organization with the newest master key. */
    public static void reseal(Tx tx, View all, Reseal reseal) {
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Sealed(String domain, byte[] key) {}
        List<Sealed> keys = tx.sql(all, "select d.domain, d.private_key from domain d where {d}")
                .list(row -> new Sealed(row.text("domain"), row.bytes("private_key")));
        for (Sealed key : keys) {
            reseal.of(PURPOSE, key.key)
                    .ifPresent(anew -> tx.sql(
                                    all, "update domain d set private_key = :sealed where {d} and d.domain = :domain")
                            .bind("sealed", anew)
                            .bind("domain", key.domain)
                            .run());
        }
    }

    /** The key of a domain that was read in the same transaction; empty when the domain was deleted since. */
    Optional<DkimKey> of(Tx tx, View view, Domain domain) {
        DkimKey cached = opened.get(domain.key().dnsRecord());
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<DkimKey> key = DomainSql.privateKey(tx, view, domain.name())
                .map(ciphertext -> DkimKey.fromPkcs8(vault.open(PURPOSE, ciphertext)))
                .filter(opening -> opening.dnsRecord().equals(domain.key().dnsRecord()));
        key.ifPresent(opening -> opened.put(domain.key().dnsRecord(), opening));
        return key;
    }

    /** The signer with the key of a domain. */
    public Optional<DkimSigner> signer(Tx tx, View view, Domain domain) {
        return of(tx, view, domain)
                .map(key -> new DkimSigner(domain.name(), domain.key().selector(), key));
    }
}
