package dev.inboxd.tenant.domain;

import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.vault.Vault;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The keys of registered domains, sealed at rest. Each registration has one of its own, and it dies with it. */
public final class DomainKeys {
    /** The name that every key is published under. */
    static final String SELECTOR = "inboxd";
    /** The name of the service's own second key, an Ed25519 one. */
    static final String SECOND_SELECTOR = "inboxd-ed25519";

    private static final String PURPOSE = "domain key";
    private static final int KEPT = 1_000;
    private static final ExecutorService MAKING = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("domain keys").factory());

    private final Vault vault;
    /** By what is published of them: opening and reading one takes longer than signing small mail. */
    private final Map<String, DkimKey> opened = Collections.synchronizedMap(new Newest());

    /** Keys sealed by a vault. */
    public DomainKeys(Vault vault) {
        this.vault = vault;
    }

    /** The keys used last. */
    private static final class Newest extends LinkedHashMap<String, DkimKey> {
        private static final long serialVersionUID = 1;

        Newest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DkimKey> eldest) {
            return size() > KEPT;
        }
    }

    /**
     * A new key. Making one is a tenth of a second or more of nothing but computing, which a virtual thread would take
     * from all others of its carrier; so keys are made one after another on a thread that the system shares out.
     */
    DkimKey make() {
        try {
            return MAKING.submit(DkimKey::generate).get();
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

    /** The key of a domain that was read in the same transaction; nothing when it was deleted since. */
    Optional<DkimKey> of(Tx tx, View view, Domain domain) {
        DkimKey known = opened.get(domain.key().dnsRecord());
        if (known != null) {
            return Optional.of(known);
        }
        Optional<DkimKey> key = DomainSql.privateKey(tx, view, domain.name())
                .map(ciphertext -> DkimKey.fromPkcs8(vault.open(PURPOSE, ciphertext)))
                .filter(opening -> opening.dnsRecord().equals(domain.key().dnsRecord()));
        key.ifPresent(opening -> opened.put(domain.key().dnsRecord(), opening));
        return key;
    }

    /** Signs with the key of a domain. */
    Optional<DkimSigner> signer(Tx tx, View view, Domain domain) {
        return of(tx, view, domain)
                .map(key -> new DkimSigner(domain.name(), domain.key().selector(), key));
    }
}
