package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A public key from DNS (RFC 6376 §3.6.1).
 *
 * @param algorithm algorithm of the signatures that it verifies
 * @param strict whether the signed identity must have exactly this domain (t=s)
 * @param testing whether the domain is testing DKIM (t=y)
 */
public record DkimPublicKey(SignatureAlgorithm algorithm, PublicKey key, boolean strict, boolean testing) {
    // RFC 8301 §3.2
    private static final int FEWEST_BITS = 1_024;
    private static final int MOST_BITS = 4_096;

    /**
     * Looks up the key of a signature.
     *
     * @throws MalformedSignatureException temperror without an answer; permerror when the key is missing, revoked,
     *     malformed or for another purpose; policy when it is too weak
     */
    public static DkimPublicKey find(Resolver dns, SignatureTags signature) {
        ResolverAnswer<String> answer = dns.texts(signature.selector() + "._domainkey." + signature.domain());
        if (answer.isFailed()) {
            throw new MalformedSignatureException(AuthResult.TEMPERROR, "no answer for the key");
        }
        // §3.6.2.2: more than one key record is undefined. A record that is not a key is ignored, such as that of a
        // wildcard.
        List<TagList> records = answer.records().stream()
                .map(TagList::parse)
                .filter(Objects::nonNull)
                .filter(tags -> tags.get("p") != null)
                .toList();
        if (records.isEmpty()) {
            throw MalformedSignatureException.syntax("no key");
        }
        return read(records.getFirst(), signature.algorithm());
    }

    /** Whether the signature over these octets was made with this key. */
    public boolean verifies(byte[] octets, byte[] signature) {
        return algorithm.verifies(key, octets, signature);
    }

    private static DkimPublicKey read(TagList tags, SignatureAlgorithm algorithm) {
        if (!Objects.requireNonNullElse(tags.get("v"), "DKIM1").equals("DKIM1")) {
            throw MalformedSignatureException.syntax("a key of another version");
        }
        if (!tag(tags, "k", "rsa").equals(algorithm.keyType())) {
            throw MalformedSignatureException.syntax("a key of another type");
        }
        if (!lists(tag(tags, "h", "sha256"), "sha256")) {
            throw MalformedSignatureException.syntax("a key for other hashes");
        }
        String services = tag(tags, "s", "*");
        if (!lists(services, "*") && !lists(services, "email")) {
            throw MalformedSignatureException.syntax("a key for other services");
        }
        String encoded = Objects.requireNonNullElse(tags.compact("p"), "");
        if (encoded.isEmpty()) {
            throw MalformedSignatureException.syntax("a revoked key");
        }
        String flags = tag(tags, "t", "");
        return new DkimPublicKey(algorithm, decoded(algorithm, encoded), lists(flags, "s"), lists(flags, "y"));
    }

    private static String tag(TagList tags, String name, String standard) {
        String value = tags.compact(name);
        return value == null ? standard : value.toLowerCase(Locale.ROOT);
    }

    private static boolean lists(String values, String entry) {
        return List.of(values.split(":", -1)).contains(entry);
    }

    private static PublicKey decoded(SignatureAlgorithm algorithm, String encoded) {
        try {
            byte[] octets = Base64.getDecoder().decode(encoded);
            return algorithm == SignatureAlgorithm.RSA_SHA256 ? rsa(octets) : ed25519(octets);
        } catch (MalformedSignatureException said) {
            throw said;
            // a foreign key: providers throw undeclared exceptions
        } catch (RuntimeException | GeneralSecurityException malformed) {
            throw MalformedSignatureException.syntax("a broken key");
        }
    }

    private static PublicKey rsa(byte[] octets) throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance("RSA");
        RSAPublicKey key = (RSAPublicKey) factory.generatePublic(
                new X509EncodedKeySpec(RsaKeyInfo.isBare(octets) ? RsaKeyInfo.wrap(octets) : octets));
        int bits = key.getModulus().bitLength();
        if (bits < FEWEST_BITS) {
            throw new MalformedSignatureException(AuthResult.POLICY, "a key of " + bits + " bits is too weak");
        }
        if (bits > MOST_BITS || key.getPublicExponent().bitLength() > 64) {
            // verifying it would cost too much time
            throw MalformedSignatureException.syntax("a key of " + bits + " bits");
        }
        return key;
    }

    /** RFC 8463 §4.2: the 32 octets of RFC 8032 §5.1.2; the last bit is the sign of x. */
    private static PublicKey ed25519(byte[] octets) throws GeneralSecurityException {
        if (octets.length != 32) {
            throw MalformedSignatureException.syntax("a broken key");
        }
        byte[] bigEndian = new byte[32];
        for (int i = 0; i < 32; i++) {
            bigEndian[i] = octets[31 - i];
        }
        boolean odd = bigEndian[0] < 0;
        bigEndian[0] &= 0x7F;
        return KeyFactory.getInstance("Ed25519")
                .generatePublic(new EdECPublicKeySpec(
                        NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, bigEndian))));
    }
}
