package dev.inboxd.platform.blob;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;

/**
 * What a blob is called: its organization and a name in it. Stored under {@code <organization>/<first two>/<name>}.
 *
 * @param organization the tenant the octets belong to; blobs are never shared between tenants
 * @param name 8 to 128 lower-case hexadecimal digits, evenly distributed: a digest or random, never a time-ordered id,
 *     whose first two digits would be the same for years
 */
public record BlobKey(UUID organization, String name) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Checks the name, so that a key can never be a path of its own making. */
    public BlobKey {
        if (!isName(name)) {
            throw new IllegalArgumentException("a blob's name is 8 to 128 hexadecimal digits");
        }
    }

    /** A key that nobody has. */
    public static BlobKey random(UUID organization) {
        byte[] name = new byte[16];
        RANDOM.nextBytes(name);
        return new BlobKey(organization, HexFormat.of().formatHex(name));
    }

    /** The key as a relative path, the same in a folder and in a bucket. */
    String path() {
        return organization + "/" + name.substring(0, 2) + "/" + name;
    }

    /** Whether {@link BlobKey} would take this name. */
    static boolean isName(String name) {
        return name.length() >= 8
                && name.length() <= 128
                && name.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
