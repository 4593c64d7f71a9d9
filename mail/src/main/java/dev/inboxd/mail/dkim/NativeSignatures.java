package dev.inboxd.mail.dkim;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Signatures by a native library, which is on the class path for the platforms it supports. Java's own implementation
 * takes a multiple of its time (docs/decisions/0044), and is used where the library is missing or does not load.
 */
final class NativeSignatures {
    private static final String PROVIDER = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";
    /** Enables Ed25519 in the library; a system property of the process overrides it. */
    private static final String WITH_ED25519 = "com.amazon.corretto.crypto.provider.registerEdKeyFactory";

    private static final Library LOADED = load();
    private static final @Nullable Provider LIBRARY = LOADED.provider();

    private record Library(
            @Nullable Provider provider, @Nullable String failure) {}

    private NativeSignatures() {}

    /**
     * A signature object, of the library if possible.
     *
     * @param algorithm its standard name in Java
     * @throws NoSuchAlgorithmException when Java does not have it either
     */
    static Signature of(String algorithm) throws NoSuchAlgorithmException {
        return LIBRARY != null && LIBRARY.getService("Signature", algorithm) != null
                ? Signature.getInstance(algorithm, LIBRARY)
                : Signature.getInstance(algorithm);
    }

    /**
     * Work with a signature object.
     *
     * @param <T> the result
     */
    interface Use<T> {
        T of(Signature signature) throws GeneralSecurityException;
    }

    /**
     * Uses the library if possible, and Java where the library refuses a key with an undeclared exception: the result
     * for a message must not depend on the implementation.
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
        } catch (GeneralSecurityException | RuntimeException refused) { // Java decides
            return use.of(Signature.getInstance(algorithm));
        }
    }

    /**
     * Converts a key for the signature objects of {@link #of}. The library accepts any key, but converts a foreign one
     * each time and repeats its precomputation, which takes half the time of a signature.
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
        } catch (GeneralSecurityException foreign) { // signing still works, only more slowly
            return key;
        }
    }

    /** The name of the library, or null where Java signs. */
    static @Nullable String library() {
        return LIBRARY == null ? null : LIBRARY.getName();
    }

    /** Why the library that is on the class path did not load, or null. */
    static @Nullable String failure() {
        return LOADED.failure();
    }

    private static Library load() {
        if (System.getProperty(WITH_ED25519) == null) {
            System.setProperty(WITH_ED25519, "true");
        }
        try {
            return new Library(
                    ServiceLoader.load(Provider.class).stream()
                            .filter(provider -> provider.type().getName().equals(PROVIDER))
                            .findFirst()
                            .map(ServiceLoader.Provider::get)
                            .orElse(null),
                    null);
        } catch (RuntimeException | Error broken) {
            return new Library(null, broken.toString());
        }
    }
}
