package dev.inboxd.inbound.filter;

import dev.inboxd.base.id.Digests;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Detects DKIM signatures with very many recipients: a receiver of one signed message can send it to any address, and
 * the signature still holds (attack A10; RFC 6376 §8.6). That alone is not spam, because mailing lists do the same; it
 * is evidence. On this node, with bounded memory: the signature that was silent longest is forgotten.
 */
final class DkimReplayDetector {
    /** More recipients than this within a day are very many. */
    static final int MANY = 100;

    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST_SIGNATURES = 10_000;
    private static final int MAX_OCTETS = 8 * 1024;

    private final InstantSource clock;
    private final Map<ByteBuffer, SignatureUse> uses = new LinkedHashMap<>(16, 0.75F, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, SignatureUse> eldest) {
            return size() > MOST_SIGNATURES;
        }
    };

    private record SignatureUse(Instant first, int recipients) {}

    DkimReplayDetector(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The signatures and recipients of one message.
     *
     * @param signatures the digest of each signature
     * @param recipients number of its recipients on this server
     */
    record Copies(List<ByteBuffer> signatures, int recipients) {
        Copies {
            signatures = List.copyOf(signatures);
        }

        static Copies of(ParsedMessage message, int recipients) {
            return new Copies(
                    message.headers().stream()
                            .filter(field -> field.name().equalsIgnoreCase("dkim-signature"))
                            .map(HeaderField::value)
                            .map(DkimReplayDetector::signature)
                            .toList(),
                    recipients);
        }
    }

    /** Whether a signature of the message would have very many recipients if it were accepted. */
    boolean areMany(Copies copies) {
        Instant now = clock.instant();
        synchronized (uses) {
            return copies.signatures.stream()
                    .anyMatch(signature ->
                            counted(uses.get(signature), new SignatureUse(now, copies.recipients)).recipients > MANY);
        }
    }

    /** Counts the recipients of an accepted message. A message that its sender must repeat has reached no recipient. */
    void recordAccepted(Copies copies) {
        Instant now = clock.instant();
        synchronized (uses) {
            copies.signatures.forEach(signature ->
                    uses.merge(signature, new SignatureUse(now, copies.recipients), DkimReplayDetector::counted));
        }
    }

    private static SignatureUse counted(@Nullable SignatureUse earlier, SignatureUse added) {
        return earlier == null || Duration.between(earlier.first, added.first).compareTo(DAY) > 0
                ? added
                : new SignatureUse(
                        earlier.first, (int) Math.min(Integer.MAX_VALUE, (long) earlier.recipients + added.recipients));
    }

    /** The digest of the tag b=, which cannot be changed except for its white space (RFC 6376 §3.5). */
    private static ByteBuffer signature(String value) {
        StringBuilder plain = new StringBuilder(";");
        value.chars().limit(MAX_OCTETS).filter(c -> c > ' ').forEach(c -> plain.append((char) c));
        int at = Math.max(0, plain.indexOf(";b="));
        int end = plain.indexOf(";", at + 1);
        return ByteBuffer.wrap(Digests.sha256(plain.substring(at, end < 0 ? plain.length() : end)));
    }
}
