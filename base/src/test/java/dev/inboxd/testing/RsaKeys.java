package dev.inboxd.testing;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * RSA keys of 2,048 bits that are used again. Each service makes two at its first start, which takes as long as the
 * rest of a test. They are real ones; a key comes back after {@value #DIFFERENT} others.
 */
public final class RsaKeys extends Provider {
    private static final long serialVersionUID = 1L;
    private static final int DIFFERENT = 16;
    private static final int BITS = 2_048;
    private static final String NAME = "RsaKeys";
    private static final KeyPairGenerator REAL = real();
    private static final List<KeyPair> MADE = new ArrayList<>();
    private static int next;

    private RsaKeys() {
        super(NAME, "1", "RSA keys for tests");
        put("KeyPairGenerator.RSA", Generator.class.getName());
    }

    /** Makes it the first choice of this Java. */
    public static synchronized void install() {
        if (Security.getProvider(NAME) == null) {
            Security.insertProviderAt(new RsaKeys(), 1);
        }
    }

    private static KeyPairGenerator real() {
        try {
            return KeyPairGenerator.getInstance("RSA", "SunRsaSign");
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    private static synchronized KeyPair take() {
        int place = next++ % DIFFERENT;
        if (place == MADE.size()) {
            REAL.initialize(BITS);
            MADE.add(REAL.generateKeyPair());
        }
        return MADE.get(place);
    }

    /** What {@link KeyPairGenerator#getInstance(String)} gives; keys of other sizes are made anew. */
    public static final class Generator extends KeyPairGeneratorSpi {
        private int bits = BITS;

        @Override
        public void initialize(int size, SecureRandom random) {
            bits = size;
        }

        @Override
        public void initialize(AlgorithmParameterSpec parameters, SecureRandom random) {
            bits = ((RSAKeyGenParameterSpec) parameters).getKeysize();
        }

        @Override
        public KeyPair generateKeyPair() {
            if (bits == BITS) {
                return take();
            }
            try {
                KeyPairGenerator other = KeyPairGenerator.getInstance("RSA", REAL.getProvider());
                other.initialize(bits);
                return other.generateKeyPair();
            } catch (NoSuchAlgorithmException everyJavaHasIt) {
                throw new AssertionError(everyJavaHasIt);
            }
        }
    }
}
