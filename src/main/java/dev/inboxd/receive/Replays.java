package dev.inboxd.receive;

import dev.inboxd.id.Digests;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Signatures that come to very many recipients: whoever gets one signed message can send it to anybody, and it is still
 * what its signer signed (attack A10; RFC 6376 §8.6). That alone is no spam, as lists send so too; it speaks for it.
 * On this node, in bounded memory; signatures that were silent longest are forgotten.
 */
final class Replays {
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

    Replays(InstantSource clock) {
        this.clock = clock;
    }

    /** Counts the recipients of a message; whether one of its signatures has come to very many by now. */
    boolean note(ParsedMessage message, int recipients) {
        boolean many = false;
        for (HeaderField field : message.headers()) {
            if (field.name().equalsIgnoreCase("dkim-signature")) {
                many |= note(signature(field.value()), recipients);
            }
        }
        return many;
    }

    private boolean note(ByteBuffer signature, int recipients) {
        Instant now = clock.instant();
        synchronized (seen) {
            Seen whole = seen.merge(signature, new Seen(now, recipients), (before, fresh) ->
                    Duration.between(before.first, now).compareTo(DAY) > 0 ? fresh
                            : new Seen(before.first, (int) Math.min(Integer.MAX_VALUE, (long) before.recipients + recipients)));
            return whole.recipients > MANY;
        }
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
