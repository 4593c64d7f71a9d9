package dev.inboxd.queue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encodes return paths as local parts, {@code bounce+<token>}, and decodes them. Thread-safe.
 *
 * <p>A token is one number in base 36, so that a server that changes the case of local parts does no harm: 122 bits of
 * each id (RFC 9562 §4.1, §4.2 fix the other six), 6 of the position and {@value #MAC_BITS} of an HMAC (RFC 2104) over
 * the rest. That fills the 64 octets of a local part (RFC 5321 §4.5.3.1.1). The short MAC suffices: a forger would
 * have to guess it by sending mail here, for a submission whose 74 random bits only its recipients know.
 */
public final class ReturnPaths {
    /** Prefix of every such local part. */
    public static final String PREFIX = "bounce+";

    private static final int LONGEST_TOKEN = 64 - PREFIX.length();
    private static final int RADIX = 36;
    private static final int ID_BITS = 122;
    private static final int POSITION_BITS = 6;
    private static final int MAC_BITS = 44;
    private static final int ALL_BITS = 2 * ID_BITS + POSITION_BITS + MAC_BITS;

    private final List<SecretKeySpec> keys;

    /**
     * Signs with the first key and accepts each of them.
     *
     * @param keys the newest first, 32 octets each
     */
    public ReturnPaths(List<byte[]> keys) {
        this.keys =
                keys.stream().map(key -> new SecretKeySpec(key, "HmacSHA256")).toList();
    }

    /** The local part for bounces, at most 64 octets; the same key gives the same one. */
    public String sign(ReturnPath path) {
        BigInteger said = id(path.organization())
                .shiftLeft(ID_BITS)
                .or(id(path.submission()))
                .shiftLeft(POSITION_BITS)
                .or(BigInteger.valueOf(path.position()));
        BigInteger token = said.shiftLeft(MAC_BITS).or(BigInteger.valueOf(code(keys.getFirst(), said)));
        return PREFIX + token.toString(RADIX);
    }

    /** Whether a local part looks like a return path, signed or not, in any case: it is never an inbox. */
    public static boolean isMeant(String localPart) {
        return localPart.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /**
     * The recipient that a bounce to that local part is about.
     *
     * @param localPart of any recipient, in any case
     * @return empty when it is not a return path, or its signature is not valid
     */
    public Optional<ReturnPath> read(String localPart) {
        String token = isMeant(localPart) ? localPart.substring(PREFIX.length()).toLowerCase(Locale.ROOT) : "";
        boolean wellFormed = !token.isEmpty()
                && token.length() <= LONGEST_TOKEN
                && token.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
        if (!wellFormed) {
            return Optional.empty();
        }
        BigInteger number = new BigInteger(token, RADIX);
        BigInteger said = number.shiftRight(MAC_BITS);
        long code = low(number, MAC_BITS).longValueExact();
        int position = low(said, POSITION_BITS).intValueExact();
        // one comparison of two numbers for each key: its duration does not depend on the number of correct digits
        boolean ours = number.bitLength() <= ALL_BITS
                && position > 0
                && keys.stream().anyMatch(key -> code(key, said) == code);
        return ours
                ? Optional.of(new ReturnPath(
                        uuid(low(said.shiftRight(ID_BITS + POSITION_BITS), ID_BITS)),
                        uuid(low(said.shiftRight(POSITION_BITS), ID_BITS)),
                        position))
                : Optional.empty();
    }

    private static long code(SecretKeySpec key, BigInteger said) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            byte[] digest = mac.doFinal(said.toString(RADIX).getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(digest).getLong() >>> (Long.SIZE - MAC_BITS);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** The bits of an id without its version and variant. */
    private static BigInteger id(UUID id) {
        long high = id.getMostSignificantBits();
        long upper = high >>> 16 << 12 | (high & 0xFFF); // 60 bits
        long lower = id.getLeastSignificantBits() & (1L << 62) - 1; // 62 bits
        return BigInteger.valueOf(upper).shiftLeft(62).or(BigInteger.valueOf(lower));
    }

    private static UUID uuid(BigInteger bits) {
        long upper = bits.shiftRight(62).longValueExact();
        long lower = low(bits, 62).longValueExact();
        return new UUID(upper >>> 12 << 16 | 0x7000 | (upper & 0xFFF), 0x8000_0000_0000_0000L | lower);
    }

    private static BigInteger low(BigInteger number, int bits) {
        return number.and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
    }
}
