package dev.inboxd.backup;

import dev.inboxd.base.id.Hmac;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What vouches for a manifest, and by its digests for all that it names: an HMAC-SHA-256 (RFC 2104) over its text, by a
 * key that is derived from the master key. It stands in front of the other members, as {@code seal}.
 *
 * @param text of the manifest without it
 * @param mac in hexadecimal digits; null in a backup that has none
 */
record ManifestSeal(String text, @Nullable String mac) {
    private static final String PURPOSE = "backup manifest";
    private static final String BEGIN = "{\"seal\":\"";
    private static final int DIGITS = 64;

    /** What a seal says. */
    enum State {
        /** Whoever wrote the manifest had a master key that is here. */
        VALID,
        /** Nobody vouches for it: the program was of an earlier version, or had no master key. */
        ABSENT,
        /** Somebody without the master keys that are here wrote or changed it. */
        WRONG
    }

    /** A manifest with its seal. */
    static byte[] sealed(byte[] json, Vault vault) {
        String text = new String(json, StandardCharsets.UTF_8);
        String mac = HexFormat.of().formatHex(mac(text, vault.derive(PURPOSE)));
        return (BEGIN + mac + "\"," + text.substring(1)).getBytes(StandardCharsets.UTF_8);
    }

    /** The seal of a manifest as it was stored. */
    static ManifestSeal of(String stored) {
        int end = BEGIN.length() + DIGITS;
        if (!stored.startsWith(BEGIN) || !stored.startsWith("\",", end)) {
            return new ManifestSeal(stored, null);
        }
        return new ManifestSeal("{" + stored.substring(end + 2), stored.substring(BEGIN.length(), end));
    }

    /** What it says to whoever has these keys. */
    State state(Vault vault) {
        if (mac == null) {
            return State.ABSENT;
        }
        byte[] said = mac.getBytes(StandardCharsets.US_ASCII);
        return vault.deriveAll(PURPOSE).stream()
                        .map(key -> HexFormat.of().formatHex(mac(text, key)).getBytes(StandardCharsets.US_ASCII))
                        .anyMatch(right -> MessageDigest.isEqual(right, said))
                ? State.VALID
                : State.WRONG;
    }

    private static byte[] mac(String text, byte[] key) {
        return new Hmac(key).mac(text.getBytes(StandardCharsets.UTF_8));
    }
}
