package dev.inboxd.base.blob;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Key of a blob: its organization and a name in it. Stored as {@code <organization>/<first two>/<name>}.
 *
 * @param organization the owner of the octets; tenants never share blobs
 * @param name 8 to 128 lower-case hexadecimal digits, evenly distributed: a digest or random. Never a time-ordered id,
 *     whose first two digits would be the same for years
 */
public record BlobKey(UUID organization, String name) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Checks the name, so that a key can never contain a path. */
    public BlobKey {
        if (!isName(name)) {
            throw new IllegalArgumentException("a blob's name is 8 to 128 hexadecimal digits");
        }
    }

    /** A new, unused key. */
    public static BlobKey random(UUID organization) {
        byte[] name = new byte[16];
        RANDOM.nextBytes(name);
        return new BlobKey(organization, HexFormat.of().formatHex(name));
    }

    /** The key as a relative path, the same in a folder and in a bucket. */
    public String path() {
        return organization + "/" + name.substring(0, 2) + "/" + name;
    }

    /** Whether {@link BlobKey} accepts the name. */
    static boolean isName(String name) {
        return name.length() >= 8
                && name.length() <= 128
                && name.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
