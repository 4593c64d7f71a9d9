package dev.inboxd.screening;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.screen.MailScreen;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.tenant.organization.SecurityMode;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges received mail, before the transaction that stores it. Whether the verdict counts is decided there, by the mode
 * that the organization has at that commit; before it, only what this node saw last is known. Safe for concurrent use.
 */
public final class MessageScreen implements AutoCloseable {
    /** After which a mail counts as one that cannot be judged (ruling 82). */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Organizations whose mode differs from the server's and is remembered; others are asked for at the commit. */
    private static final int MOST_REMEMBERED = 10_000;

    private final SecurityMode usual;
    private final Function<ScreenInput, Judgment> judge;
    private final ScreenRunner runner;
    private final Map<UUID, SecurityMode> lastSeen = new ConcurrentHashMap<>();

    /**
     * A screen with the built-in rules.
     *
     * @param usual the mode of organizations that chose none
     */
    public MessageScreen(SecurityMode usual) {
        this(usual, input -> Judgment.ofRules(MailScreen.judge(input)), PATIENCE);
    }

    /** A screen with that judge, for tests. */
    public MessageScreen(SecurityMode usual, Function<ScreenInput, Judgment> judge, Duration patience) {
        this.usual = usual;
        this.judge = judge;
        // Each judge holds a few times the texts that it reads, a few megabytes.
        this.runner = new ScreenRunner(patience, Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8));
    }

    /** Opens the octets of a message. */
    @FunctionalInterface
    public interface Octets {
        /** A new stream from the beginning. */
        InputStream open() throws IOException;
    }

    /** Whether mail to that organization was judged when this node last saw its mode. */
    public boolean isLikelyOn(UUID organization) {
        return lastSeen.getOrDefault(organization, usual) != SecurityMode.OFF;
    }

    /**
     * The mode that counts, in the transaction that stores a message.
     *
     * @param chosen what the organization chose, read in that transaction; null when it chose nothing
     */
    public SecurityMode mode(UUID organization, @Nullable SecurityMode chosen) {
        SecurityMode mode = Objects.requireNonNullElse(chosen, usual);
        if (mode == usual) {
            lastSeen.remove(organization);
        } else if (lastSeen.size() < MOST_REMEMBERED || lastSeen.containsKey(organization)) {
            lastSeen.put(organization, mode);
        }
        return mode;
    }

    /**
     * Judges a message; blocks for two seconds at most.
     *
     * @param id identifies the message in the log
     */
    public Judgment judge(String id, ParsedMessage message, Octets octets) {
        return runner.run(id, () -> judge.apply(ScreenSource.of(message, octets)));
    }

    @Override
    public void close() {
        runner.close();
    }
}
