package dev.inboxd.sending.tracking;

import dev.inboxd.base.id.SignedTokens;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * URLs of tracking pixels. A token consists of organization, inbox and message with an HMAC-SHA-256 over them. So it
 * finds its message without a table, and nobody can forge another (ruling 30).
 */
public final class TrackingPixels {
    static final String PATH = "/o/";

    private static final int PLAIN = 3 * 16;

    private final PixelHosts hosts;
    private final SignedTokens tokens;

    /** The hosts that serve pixels. */
    @FunctionalInterface
    public interface PixelHosts {
        /** The base URL for an organization's mail from a domain, or null when opens cannot be tracked there. */
        @Nullable
        URI of(UUID organization, String domain);
    }

    /**
     * The pixels of a server.
     *
     * @param key a secret of at least 32 bytes, the same on all nodes
     */
    public TrackingPixels(PixelHosts hosts, byte[] key) {
        this.hosts = hosts;
        this.tokens = new SignedTokens(List.of(key));
    }

    /**
     * The HTML of a message with the pixel inserted at the end of the body.
     *
     * @param domain the domain of the sending inbox
     * @return null when opens cannot be tracked from that domain
     */
    public @Nullable String marked(String html, String domain, TrackedMessage message) {
        URI base = hosts.of(message.organization(), domain);
        if (base == null) {
            return null;
        }
        String pixel = "<img src=\"" + base + PATH + token(message) + "\" width=\"1\" height=\"1\" alt=\"\""
                + " style=\"border:0\">";
        int end = endOfBody(html);
        return html.substring(0, end) + pixel + html.substring(end);
    }

    /** The index of the last {@code </body>}, or of the end without one. */
    private static int endOfBody(String html) {
        String tag = "</body";
        for (int i = html.length() - tag.length(); i >= 0; i--) {
            if (html.regionMatches(true, i, tag, 0, tag.length())) {
                return i;
            }
        }
        return html.length();
    }

    private String token(TrackedMessage message) {
        ByteBuffer plain = ByteBuffer.allocate(PLAIN);
        for (UUID id : new UUID[] {message.organization(), message.inbox(), message.id()}) {
            plain.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }
        return tokens.token(plain.array());
    }

    /** The message that a token names, or null for a token that this service did not issue. */
    @Nullable
    TrackedMessage open(String token) {
        byte[] plain = tokens.open(token);
        if (plain == null || plain.length != PLAIN) {
            return null;
        }
        ByteBuffer read = ByteBuffer.wrap(plain);
        return new TrackedMessage(id(read), id(read), id(read));
    }

    private static UUID id(ByteBuffer read) {
        return new UUID(read.getLong(), read.getLong());
    }
}
