package dev.inboxd.inbound;

import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.platform.id.Digests;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signatures that come to very many recipients: whoever gets one signed message can send it to anybody, and it is still
 * what its signer signed (attack A10; RFC 6376 §8.6). That alone is no spam, as lists send so too; it speaks for it.
 * On this node, in bounded memory; signatures that were silent longest are forgotten.
 */
final class DkimReplayDetector {
    /** So many recipients within a day are very many. */
    static final int MANY = 100;

    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST_SIGNATURES = 10_000;
    private static final int LONGEST = 8 * 1024;

    private final InstantSource clock;
    private final Map<ByteBuffer, Seen> seen = new LinkedHashMap<>(16, 0.75F, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Seen> eldest) {
            return size() > MOST_SIGNATURES;
        }
    };

    private record Seen(Instant first, int recipients) {}

    DkimReplayDetector(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A message that has just come.
     *
     * @param signatures each as its digest
     * @param recipients how many of its recipients are here
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

    /** Whether one of its signatures has come to very many by now, if it is taken. */
    boolean areMany(Copies copies) {
        Instant now = clock.instant();
        synchronized (seen) {
            return copies.signatures.stream()
                    .anyMatch(signature ->
                            counted(seen.get(signature), new Seen(now, copies.recipients)).recipients > MANY);
        }
    }

    /** Counts its recipients. Once it is taken: what its sender has to repeat has come to nobody before. */
    void recordAccepted(Copies copies) {
        Instant now = clock.instant();
        synchronized (seen) {
            copies.signatures.forEach(
                    signature -> seen.merge(signature, new Seen(now, copies.recipients), DkimReplayDetector::counted));
        }
    }

    private static Seen counted(@Nullable Seen before, Seen fresh) {
        return before == null || Duration.between(before.first, fresh.first).compareTo(DAY) > 0
                ? fresh
                : new Seen(
                        before.first, (int) Math.min(Integer.MAX_VALUE, (long) before.recipients + fresh.recipients));
    }

    /** The tag b=, which nobody can change but for its white space (RFC 6376 §3.5). */
    private static ByteBuffer signature(String value) {
        StringBuilder plain = new StringBuilder(";");
        value.chars().limit(LONGEST).filter(c -> c > ' ').forEach(c -> plain.append((char) c));
        int at = Math.max(0, plain.indexOf(";b="));
        int end = plain.indexOf(";", at + 1);
        return ByteBuffer.wrap(Digests.sha256(plain.substring(at, end < 0 ? plain.length() : end)));
    }
}
