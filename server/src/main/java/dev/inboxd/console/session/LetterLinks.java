package dev.inboxd.console.session;

import dev.inboxd.base.vault.Vault;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Addresses in letters to people. The one that ends the letters needs no sign-in: it holds the organization and a MAC
 * of the person's address, which stands nowhere in it.
 */
public final class LetterLinks {
    private static final int ID = 16;
    private static final int MAC = 32;

    private final Vault vault;
    private final URI publicUrl;

    public LetterLinks(Vault vault, URI publicUrl) {
        this.vault = vault;
        this.publicUrl = publicUrl;
    }

    /** Where what waits is decided. */
    public String approvals() {
        return publicUrl + "/console/approvals";
    }

    /** Where a person ends the letters. */
    public String stop(UUID organization, String human) {
        ByteBuffer token = ByteBuffer.allocate(ID + MAC)
                .putLong(organization.getMostSignificantBits())
                .putLong(organization.getLeastSignificantBits())
                .put(mac(organization, human));
        return publicUrl + "/console/letters?of="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    private byte[] mac(UUID organization, String human) {
        return vault.mac("letters to people", organization + " " + human);
    }

    /** The organization that a token names; empty for what is none. */
    static Optional<UUID> organization(@Nullable String token) {
        byte[] octets = decoded(token);
        if (octets.length != ID + MAC) {
            return Optional.empty();
        }
        ByteBuffer read = ByteBuffer.wrap(octets);
        return Optional.of(new UUID(read.getLong(), read.getLong()));
    }

    /** Whether a token is a person's. */
    boolean isOf(String token, UUID organization, String human) {
        byte[] octets = decoded(token);
        return octets.length == ID + MAC
                && MessageDigest.isEqual(Arrays.copyOfRange(octets, ID, ID + MAC), mac(organization, human));
    }

    private static byte[] decoded(@Nullable String token) {
        try {
            return token == null ? new byte[0] : Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return new byte[0];
        }
    }
}
