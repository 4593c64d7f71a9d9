package dev.inboxd.base.vault;

import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.id.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The master keys. The first one seals and derives; each of them opens, so that a key can be rotated while the server
 * runs with both (INBOXD_SECRET_KEY). Sealing is AES-256-GCM (NIST SP 800-38D), deriving is HKDF
 * (RFC 5869).
 */
public final class Vault {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<SecretKey> masters;

    /** No key opens what was sealed, or there is none to seal with; the message says so, and the remedy. */
    public static final class KeyException extends OperatorException {
        private static final long serialVersionUID = 1;

        private KeyException(String message) {
            super(message);
        }
    }

    /** @param masters master keys, the newest first; any text of enough entropy. Without any, nothing can be sealed */
    public Vault(List<String> masters) {
        this.masters = masters.stream()
                .<SecretKey>map(text -> new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HKDF"))
                .toList();
    }

    /** Derives 32 bytes for a purpose, always the same for the same master key. */
    public byte[] derive(String purpose) {
        return derive(newest(), purpose);
    }

    /**
     * Derives the bytes of every master key, the newest first: a signature under an older key can still be verified.
     */
    public List<byte[]> deriveAll(String purpose) {
        return masters.stream().map(master -> derive(master, purpose)).toList();
    }

    /** Seals bytes for a purpose: without the key nobody can read or change them, or use them for another purpose. */
    public byte[] seal(String purpose, byte[] plain) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, newest(), purpose, nonce).doFinal(plain);
            byte[] nonceAndSealed = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, nonceAndSealed, NONCE, sealed.length);
            return nonceAndSealed;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Opens sealed bytes.
     *
     * @throws KeyException when no master key opens them: the server runs with another key than before
     */
    public byte[] open(String purpose, byte[] sealed) {
        for (SecretKey master : masters) {
            byte @Nullable [] plain = opened(master, purpose, sealed);
            if (plain != null) {
                return plain;
            }
        }
        if (masters.isEmpty()) {
            throw noKey();
        }
        throw new KeyException("INBOXD_SECRET_KEY holds no key that opens the stored " + purpose
                + "; give the key used before, after the new one");
    }

    /**
     * A run that seals with the newest key what older ones sealed.
     *
     * @throws KeyException without any key
     */
    public Reseal reseal() {
        if (masters.isEmpty()) {
            throw noKey();
        }
        return new Reseal(this);
    }

    /** How many keys there are. */
    int keys() {
        return masters.size();
    }

    /** Which key opens sealed bytes, counted from zero for the newest; empty when none does. */
    OptionalInt keyOf(String purpose, byte[] sealed) {
        return IntStream.range(0, masters.size())
                .filter(i -> opened(masters.get(i), purpose, sealed) != null)
                .findFirst();
    }

    private SecretKey newest() {
        if (masters.isEmpty()) {
            throw noKey();
        }
        return masters.getFirst();
    }

    private static KeyException noKey() {
        return new KeyException("There is no master key here: give it in INBOXD_SECRET_KEY or INBOXD_SECRET_KEY_FILE");
    }

    private static byte @Nullable [] opened(SecretKey master, String purpose, byte[] sealed) {
        try {
            return cipher(Cipher.DECRYPT_MODE, master, purpose, Arrays.copyOf(sealed, NONCE))
                    .doFinal(sealed, NONCE, sealed.length - NONCE);
        } catch (GeneralSecurityException sealedWithAnother) {
            return null;
        }
    }

    /** A MAC over a text that only this server can compute, for secrets too short to be hashed. */
    public byte[] mac(String purpose, String text) {
        return new Hmac(derive(purpose)).mac(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Cipher cipher(int mode, SecretKey master, String purpose, byte[] nonce)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                new SecretKeySpec(derive(master, "seal " + purpose), "AES"),
                new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }

    private static byte[] derive(SecretKey master, String purpose) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(master)
                            .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), 32));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
