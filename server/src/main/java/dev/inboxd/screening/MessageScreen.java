package dev.inboxd.screening;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.screen.MailScreen;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.net.NetConfig;
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
    private final Duration patience;
    private final Function<ScreenInput, ScreenVerdict> rules;
    private final @Nullable ExternalJudge external;
    private final boolean requiresExternal;
    private final ScreenRunner runner;
    private final Map<UUID, SecurityMode> lastSeen = new ConcurrentHashMap<>();

    private MessageScreen(Parts parts) {
        this.usual = parts.usual;
        this.patience = parts.patience;
        this.rules = parts.rules;
        this.external = parts.external;
        this.requiresExternal = parts.requiresExternal;
        // Each judge holds a few times the texts that it reads, a few megabytes.
        this.runner = new ScreenRunner(patience, Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8));
    }

    private record Parts(
            SecurityMode usual,
            Function<ScreenInput, ScreenVerdict> rules,
            Duration patience,
            @Nullable ExternalJudge external,
            boolean requiresExternal) {}

    /** A screen with the built-in rules, and another judge if one is configured. */
    public static MessageScreen of(ScreenConfig config, NetConfig net, Metrics metrics) {
        ExternalJudge external = config.judge()
                .map(url -> new ExternalJudge(net.operatorHttp(), url, metrics))
                .orElse(null);
        return new MessageScreen(
                new Parts(config.usual(), MailScreen::judge, PATIENCE, external, config.judgeRequired()));
    }

    /**
     * A screen with rules of the caller's.
     *
     * @param usual the mode of organizations that chose none
     * @param patience for one mail
     */
    public static MessageScreen of(SecurityMode usual, Function<ScreenInput, ScreenVerdict> rules, Duration patience) {
        return new MessageScreen(new Parts(usual, rules, patience, null, false));
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
     * Judges a message; blocks for two seconds at most, and throws nothing: no scan refuses mail (rulings 44, 82).
     *
     * @param id identifies the message in the log
     */
    public Judgment judge(String id, ParsedMessage message, Octets octets) {
        long deadline = System.nanoTime() + patience.toNanos();
        return runner.run(id, () -> screened(message, octets))
                .map(done -> external == null ? Judgment.ofRules(done.verdict) : both(external, done, deadline))
                .orElse(Judgment.FAILED);
    }

    /** What the rules say of what they read. */
    private record Screened(ScreenInput input, ScreenVerdict verdict) {}

    private Screened screened(ParsedMessage message, Octets octets) throws IOException {
        ScreenInput input = ScreenSource.of(message, octets);
        return new Screened(input, rules.apply(input));
    }

    /** The stricter verdict of both counts. */
    private Judgment both(ExternalJudge judge, Screened done, long deadline) {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        Duration within = left.compareTo(ExternalJudge.TIMEOUT) < 0 ? left : ExternalJudge.TIMEOUT;
        return judge.ask(done.input, within)
                .map(answer -> Judgment.ofBoth(done.verdict, answer))
                .orElseGet(() -> requiresExternal
                        ? Judgment.ofRules(Judgment.union(done.verdict, ScreenVerdict.FAILED))
                        : Judgment.ofRules(done.verdict));
    }

    @Override
    public void close() {
        runner.close();
        if (external != null) {
            external.close();
        }
    }
}
