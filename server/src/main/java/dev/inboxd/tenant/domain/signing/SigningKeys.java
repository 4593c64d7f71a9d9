package dev.inboxd.tenant.domain.signing;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.dkim.SigningStream;
import dev.inboxd.tenant.domain.DomainKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The private DKIM keys of the service's own domains, encrypted at rest. */
public final class SigningKeys {
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);
    private static final String PURPOSE = "signing key";

    private final Database database;
    private final Vault vault;
    private final ConcurrentHashMap<String, DkimSigner> signers = new ConcurrentHashMap<>();

    /** The signing keys of a database. */
    public SigningKeys(Database database, Vault vault) {
        this.database = database;
        this.vault = vault;
        String failure = DkimKey.libraryFailure();
        if (failure != null) {
            LOG.warn("signature library did not load, Java signs more slowly: cause={}", failure);
        }
    }

    /**
     * Generates the keys of a domain unless they exist. Several nodes may do so at once; one key of each kind is
     * stored.
     */
    public void ensure(String domain, Instant now) {
        Optional<Boolean> second = database.read(
                tx -> tx.sql("select s.second_key is not null as made from signing_key s" + " where s.domain = :domain")
                        .bind("domain", domain)
                        .first(row -> row.flag("made")));
        if (second.isEmpty()) {
            DkimKey key = DkimKey.generate();
            database.writeGlobal(tx -> tx.sql("""
                    insert into signing_key (domain, selector, private_key, dns_record, created_at)
                    values (:domain, :selector, :private, :record, :now) on conflict do nothing""")
                    .bind("domain", domain)
                    .bind("selector", DomainKeys.SELECTOR)
                    .bind("private", vault.seal(PURPOSE, key.pkcs8()))
                    .bind("record", key.dnsRecord())
                    .bind("now", now)
                    .run());
        }
        if (!second.orElse(false)) {
            DkimKey key = DkimKey.generateEd25519();
            database.writeGlobal(tx -> tx.sql("""
                    update signing_key set second_key = :private, second_record = :record
                    where domain = :domain and second_key is null""")
                    .bind("domain", domain)
                    .bind("private", vault.seal(PURPOSE, key.pkcs8()))
                    .bind("record", key.dnsRecord())
                    .run());
        }
    }

    /**
     * Opens every key, to see that the vault is the one that sealed them.
     *
     * @throws Vault.KeyException when it is another
     */
    public static void open(Tx tx, Vault vault) {
        tx.sql("select s.private_key from signing_key s")
                .list(row -> row.bytes("private_key"))
                .forEach(anew -> vault.open(PURPOSE, anew));
    }

    /** Seals every key with the newest master key. */
    public static void reseal(Tx tx, Reseal reseal) {
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Sealed(String domain, byte[] first, byte @Nullable [] second) {}
        List<Sealed> keys = tx.sql("select s.domain, s.private_key, s.second_key from signing_key s")
                .list(row -> new Sealed(row.text("domain"), row.bytes("private_key"), row.bytesOrNull("second_key")));
        for (Sealed key : keys) {
            byte[] first = reseal.of(PURPOSE, key.first).orElse(null);
            byte[] second =
                    key.second == null ? null : reseal.of(PURPOSE, key.second).orElse(null);
            tx.sql("""
                    update signing_key k set private_key = coalesce(:first, k.private_key),
                        second_key = coalesce(:second, k.second_key)
                    where k.domain = :domain""")
                    .bind("first", first)
                    .bind("second", second)
                    .bind("domain", key.domain)
                    .run();
        }
    }

    /**
     * The signer of a domain.
     *
     * @throws IllegalStateException when the domain has no key
     */
    public DkimSigner signer(String domain) {
        return signers.computeIfAbsent(
                domain,
                name -> database.read(tx -> find(tx, name))
                        .orElseThrow(() -> new IllegalStateException("No signing key for " + name)));
    }

    /** The bytes of a small message, with the domain's signature before them. */
    public byte[] signed(String domain, ComposedMessage message, Instant now) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.toIntExact(message.length()) + 1_024);
        bytes.writeBytes(signature(signer(domain), message, now));
        bytes.writeBytes(message.bytes());
        return bytes.toByteArray();
    }

    /** The DKIM-Signature field of a message, which is read once. */
    public static byte[] signature(DkimSigner signer, ComposedMessage message, Instant now) {
        try {
            SigningStream signing = signer.open();
            message.writeTo(signing);
            return signing.signature(now);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The public half of a key, as it is published below {@code _domainkey}. */
    public record PublishedKey(String selector, String record) {}

    /** What is to be published of a domain's keys; nothing before the first start with that domain. */
    public static List<PublishedKey> published(Tx tx, String domain) {
        return tx
                .sql("select s.selector, s.dns_record, s.second_record from signing_key s where s.domain = :domain")
                .bind("domain", domain)
                .list(row -> {
                    PublishedKey first = new PublishedKey(row.text("selector"), row.text("dns_record"));
                    @Nullable String second = row.textOrNull("second_record");
                    return second == null
                            ? List.of(first)
                            : List.of(first, new PublishedKey(DomainKeys.SECOND_SELECTOR, second));
                })
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private Optional<DkimSigner> find(Tx tx, String domain) {
        return tx.sql("select s.selector, s.private_key, s.second_key from signing_key s where s.domain = :domain")
                .bind("domain", domain)
                .first(row -> {
                    DkimSigner first = new DkimSigner(domain, row.text("selector"), opened(row.bytes("private_key")));
                    byte[] second = row.bytesOrNull("second_key");
                    return second == null
                            ? first
                            : first.withSecondKey(new DkimSigner(domain, DomainKeys.SECOND_SELECTOR, opened(second)));
                });
    }

    private DkimKey opened(byte[] sealed) {
        return DkimKey.fromPkcs8(vault.open(PURPOSE, sealed));
    }
}
