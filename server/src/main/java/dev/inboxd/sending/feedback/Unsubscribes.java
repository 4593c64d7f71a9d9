package dev.inboxd.sending.feedback;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.list.Lists;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Links for one-click unsubscribe (RFC 8058). A token consists of organization and address with an HMAC-SHA-256 over
 * them. So it is valid as long as the organization exists, and nobody can forge one for another recipient (RFC 8058 §6,
 * ruling 30).
 */
public final class Unsubscribes {
    static final String PATH = "/unsubscribe/";

    private static final int ID = 16;
    private static final int TAG = 16;
    private static final int LONGEST = ID + 254 + TAG;

    private final Database database;
    private final URI base;
    private final List<SecretKeySpec> keys;

    /**
     * The links of a server.
     *
     * @param base the public base URL of the server
     * @param keys secrets of at least 32 bytes, the same on all nodes; the first signs, all verify
     */
    public Unsubscribes(Database database, URI base, List<byte[]> keys) {
        this.database = database;
        this.base = base;
        this.keys =
                keys.stream().map(key -> new SecretKeySpec(key, "HmacSHA256")).toList();
    }

    /** A recipient, and the organization whose mail it unsubscribes from. */
    record Subscriber(UUID organization, String address) {}

    /** The link for one recipient of an organization's mail. */
    public String link(UUID organization, String address) {
        byte[] local = address.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(ID + local.length)
                .putLong(organization.getMostSignificantBits())
                .putLong(organization.getLeastSignificantBits())
                .put(local)
                .array();
        byte[] token = ByteBuffer.allocate(plain.length + TAG)
                .put(plain)
                .put(tag(keys.getFirst(), plain))
                .array();
        return base + PATH + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** The content of a token, or null for a token that this service did not issue. */
    @Nullable
    Subscriber open(String token) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
        if (bytes.length <= ID + TAG || bytes.length > LONGEST) {
            return null;
        }
        byte[] plain = Arrays.copyOf(bytes, bytes.length - TAG);
        byte[] tag = Arrays.copyOfRange(bytes, plain.length, bytes.length);
        boolean ours = keys.stream().anyMatch(key -> MessageDigest.isEqual(tag(key, plain), tag));
        ByteBuffer read = ByteBuffer.wrap(plain);
        UUID organization = new UUID(read.getLong(), read.getLong());
        return ours
                ? new Subscriber(
                        organization, StandardCharsets.UTF_8.decode(read).toString())
                : null;
    }

    /** Blocks mail of the organization to the subscriber (identity.md §12). A repeated call changes nothing. */
    void unsubscribe(Subscriber subscriber) {
        database.run(subscriber.organization, tx -> {
            Lists.suppress(tx, View.of(subscriber.organization), List.of(subscriber.address), Lists.Cause.UNSUBSCRIBED);
        });
    }

    private static byte[] tag(SecretKeySpec key, byte[] plain) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return Arrays.copyOf(mac.doFinal(plain), TAG);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
