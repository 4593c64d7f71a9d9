package dev.inboxd.base.link;

import dev.inboxd.base.id.SignedTokens;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates and verifies signed links. A token holds the kind, the organization, the id of the resource and the expiry,
 * and an HMAC-SHA-256 over them; it cannot be guessed, extended or applied to another resource (promises.md A34).
 */
public final class Links {
    /** Validity of a link: one hour (mail.md §9.2). */
    public static final Duration VALID = Duration.ofHours(1);

    private static final Duration SAME = Duration.ofMinutes(1);
    private static final int PLAIN = 1 + 16 + 16 + 8;

    private final URI base;
    private final SignedTokens tokens;
    private final InstantSource clock;

    /**
     * Links of a server.
     *
     * @param base public URL of the server
     * @param keys secrets of at least 32 bytes, the same on all nodes: the first makes links, each of them opens them
     * @param clock for the expiry
     */
    public Links(URI base, List<byte[]> keys, InstantSource clock) {
        this.base = base;
        this.tokens = new SignedTokens(keys);
        this.clock = clock;
    }

    /** Kind of resource behind a link. */
    public enum Kind {
        /** The raw message. */
        RAW('r'),
        /** An attachment's bytes. */
        ATTACHMENT('a'),
        /** The text of an attachment. */
        TEXT('t'),
        /** A body that was too large for an event. */
        BODY('b'),
        /** A draft's attachment. */
        DRAFT_ATTACHMENT('d');

        private final byte mark;

        Kind(char mark) {
            this.mark = (byte) mark;
        }

        static @Nullable Kind of(byte mark) {
            for (Kind kind : values()) {
                if (kind.mark == mark) {
                    return kind;
                }
            }
            return null;
        }
    }

    /**
     * A link and its expiry.
     *
     * @param url the URL to GET
     * @param expiresAt end of its validity
     */
    public record Link(String url, Instant expiresAt) {}

    /**
     * The resource of a valid token.
     *
     * @param id id of the message or the attachment
     */
    public record Target(Kind kind, UUID organization, UUID id) {}

    /** Whether links use HTTPS. */
    public boolean areSecure() {
        return "https".equalsIgnoreCase(base.getScheme());
    }

    /** A new link. */
    public Link to(Kind kind, UUID organization, UUID id) {
        return to(kind, organization, id, clock.instant());
    }

    /**
     * The start of validity for the links of an object, when it is read now. It is the time the object was made, so
     * that all readers around that time get the same link; an object read later gets a later start, so that its link
     * has not expired.
     */
    public Instant usableSince(Instant createdAt) {
        Instant now = clock.instant();
        return createdAt.isBefore(now.minus(SAME)) ? now : createdAt;
    }

    /** The link whose validity starts at this moment; the same moment gives the same link. */
    public Link to(Kind kind, UUID organization, UUID id, Instant from) {
        Instant end = Instant.ofEpochSecond(from.plus(VALID).getEpochSecond());
        ByteBuffer plain = ByteBuffer.allocate(PLAIN).put(kind.mark);
        put(plain, organization);
        put(plain, id);
        plain.putLong(end.getEpochSecond());
        return new Link(base + "/download/" + tokens.token(plain.array()), end);
    }

    /** The resource of a token, or null when the token is foreign, altered or expired. */
    public @Nullable Target open(String token) {
        byte[] plain = tokens.open(token);
        if (plain == null || plain.length != PLAIN) {
            return null;
        }
        ByteBuffer read = ByteBuffer.wrap(plain);
        Kind kind = Kind.of(read.get());
        UUID organization = new UUID(read.getLong(), read.getLong());
        UUID id = new UUID(read.getLong(), read.getLong());
        boolean over = clock.instant().getEpochSecond() > read.getLong();
        return kind == null || over ? null : new Target(kind, organization, id);
    }

    private static void put(ByteBuffer buffer, UUID id) {
        buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }
}
