package dev.inboxd.mail.dkim;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signatures by a library in native code, which is on the class path where there is one for the machine. Java's own take
 * a multiple of its time (docs/decisions/0044), and take over where it is missing or does not load.
 */
final class NativeSignatures {
    private static final Logger LOG = LoggerFactory.getLogger(NativeSignatures.class);
    private static final String PROVIDER = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";
    /** Without it the library has no Ed25519; whoever starts the process may say otherwise. */
    private static final String WITH_ED25519 = "com.amazon.corretto.crypto.provider.registerEdKeyFactory";

    private static final @Nullable Provider LIBRARY = load();

    private NativeSignatures() {}

    /**
     * What signs and verifies, by the library if it can.
     *
     * @param algorithm its standard name in Java
     * @throws NoSuchAlgorithmException when not even Java has it
     */
    static Signature of(String algorithm) throws NoSuchAlgorithmException {
        return LIBRARY != null && LIBRARY.getService("Signature", algorithm) != null
                ? Signature.getInstance(algorithm, LIBRARY)
                : Signature.getInstance(algorithm);
    }

    /**
     * What a signature is wanted for.
     *
     * @param <T> what comes of it
     */
    interface Use<T> {
        T of(Signature signature) throws GeneralSecurityException;
    }

    /**
     * Uses the library if it can, and Java where the library refuses: with keys that it does not like it throws what nobody
     * declares, and what a message is worth must not depend on who looked at it.
     *
     * @param algorithm its standard name in Java
     * @throws GeneralSecurityException when Java refuses as well
     */
    static <T> T use(String algorithm, Use<T> use) throws GeneralSecurityException {
        Signature first = of(algorithm);
        if (LIBRARY == null || !first.getProvider().equals(LIBRARY)) {
            return use.of(first);
        }
        try {
            return use.of(first);
        } catch (GeneralSecurityException | RuntimeException refused) {
            LOG.debug("The library refused a key or a signature: {}", refused.toString());
            return use.of(Signature.getInstance(algorithm));
        }
    }

    /**
     * The key as what {@link #of} gives takes it. The library takes any key, and makes one of its own of a foreign key each
     * time, with what it computes for it once: half as much work again as the signature.
     *
     * @param algorithm of the signatures, by its standard name in Java
     */
    static PrivateKey own(String algorithm, PrivateKey key) {
        if (LIBRARY == null || LIBRARY.getService("Signature", algorithm) == null) {
            return key;
        }
        try {
            return (PrivateKey)
                    KeyFactory.getInstance(key.getAlgorithm(), LIBRARY).translateKey(key);
        } catch (GeneralSecurityException foreign) { // it will sign all the same
            LOG.debug("A key stays Java's own", foreign);
            return key;
        }
    }

    /** The name of the library, or null where Java signs. */
    static @Nullable String library() {
        return LIBRARY == null ? null : LIBRARY.getName();
    }

    private static @Nullable Provider load() {
        if (System.getProperty(WITH_ED25519) == null) {
            System.setProperty(WITH_ED25519, "true");
        }
        try {
            return ServiceLoader.load(Provider.class).stream()
                    .filter(each -> each.type().getName().equals(PROVIDER))
                    .findFirst()
                    .map(ServiceLoader.Provider::get)
                    .orElse(null);
        } catch (RuntimeException | Error broken) {
            LOG.warn("Signatures are made by Java: the library did not load: {}", broken.toString());
            return null;
        }
    }
}
