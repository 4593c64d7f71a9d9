package dev.inboxd.sending.feedback;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.SignedTokens;
import dev.inboxd.tenant.list.Lists;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Links for one-click unsubscribe (RFC 8058). A token consists of organization and address with an HMAC-SHA-256 over
 * them. So it is valid as long as the organization exists, and nobody can forge one for another recipient (RFC 8058 §6,
 * ruling 30).
 */
public final class Unsubscribes {
    static final String PATH = "/unsubscribe/";

    private static final int ID = 16;
    private static final int LONGEST = ID + 254;

    private final Database database;
    private final URI base;
    private final SignedTokens tokens;

    /**
     * The links of a server.
     *
     * @param base the public base URL of the server
     * @param keys secrets of at least 32 bytes, the same on all nodes; the first signs, all verify
     */
    public Unsubscribes(Database database, URI base, List<byte[]> keys) {
        this.database = database;
        this.base = base;
        this.tokens = new SignedTokens(keys);
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
        return base + PATH + tokens.token(plain);
    }

    /** The content of a token, or null for a token that this service did not issue. */
    @Nullable
    Subscriber open(String token) {
        byte[] plain = tokens.open(token);
        if (plain == null || plain.length <= ID || plain.length > LONGEST) {
            return null;
        }
        ByteBuffer read = ByteBuffer.wrap(plain);
        UUID organization = new UUID(read.getLong(), read.getLong());
        return new Subscriber(organization, StandardCharsets.UTF_8.decode(read).toString());
    }

    /** Blocks mail of the organization to the subscriber (identity.md §12). A repeated call changes nothing. */
    void unsubscribe(Subscriber subscriber) {
        database.run(subscriber.organization, tx -> {
            Lists.suppress(tx, View.of(subscriber.organization), List.of(subscriber.address), Lists.Cause.UNSUBSCRIBED);
        });
    }
}
