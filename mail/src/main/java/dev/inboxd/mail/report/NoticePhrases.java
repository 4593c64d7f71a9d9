package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Phrases of servers' notices, from {@code wording.txt}. */
final class NoticePhrases {
    private static final Map<String, List<String>> KINDS = new LinkedHashMap<>();
    private static final List<Phrase> REASONS = new ArrayList<>();

    static {
        read();
    }

    private NoticePhrases() {}

    private record Phrase(String words, EnhancedStatus status) {}

    /** Folds a text: lower case and single spaces, also at line ends; only letters, digits and ASCII signs remain. */
    static String folded(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        boolean space = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean blank = c <= ' ' || c == '\u00A0';
            if (!blank) {
                folded.append(c == '\u2019' ? '\'' : Character.toLowerCase(c));
            } else if (!space) {
                folded.append(' ');
            }
            space = blank;
        }
        return folded.toString();
    }

    /**
     * Whether folded text contains a phrase of that kind.
     *
     * @param kind a name of {@code wording.txt}
     */
    static boolean has(String kind, String folded) {
        return Objects.requireNonNull(KINDS.get(kind)).stream().anyMatch(folded::contains);
    }

    /** Whether a folded word is of that kind. */
    static boolean is(String kind, String word) {
        return Objects.requireNonNull(KINDS.get(kind)).contains(word);
    }

    /** The status that folded text describes, or null. */
    static @Nullable EnhancedStatus reason(String folded) {
        return REASONS.stream()
                .filter(phrase -> folded.contains(phrase.words))
                .map(Phrase::status)
                .findFirst()
                .orElse(null);
    }

    /**
     * Makes a status as precise as the text allows. Its class comes from the written status, else from a reply code,
     * else from the usual meaning of the words.
     *
     * @param written the status code in the notice, or null
     * @param said the text of the server
     */
    static @Nullable EnhancedStatus refined(@Nullable EnhancedStatus written, String said) {
        if (written != null && !StatusCodes.isVague(written)) {
            return written;
        }
        EnhancedStatus coded = StatusCodes.enhanced(said);
        int reply = StatusCodes.reply(said);
        int kind = written != null ? written.kind() : coded != null ? coded.kind() : reply / 100;
        EnhancedStatus telling = coded == null || StatusCodes.isVague(coded) ? reason(folded(said)) : coded;
        return explained(kind == 0 ? null : new EnhancedStatus(kind, 0, 0), telling);
    }

    /** The subject and detail of one status with the class of another. */
    static @Nullable EnhancedStatus explained(@Nullable EnhancedStatus vague, @Nullable EnhancedStatus telling) {
        if (vague == null || telling == null) {
            return vague == null ? telling : vague;
        }
        return new EnhancedStatus(vague.kind(), telling.subject(), telling.detail());
    }

    private static void read() {
        try (InputStream in = Objects.requireNonNull(NoticePhrases.class.getResourceAsStream("wording.txt"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(NoticePhrases::take);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void take(String line) {
        int colon = line.indexOf(':');
        String kind = line.substring(0, colon).strip();
        for (String words : line.substring(colon + 1).split("\\|", -1)) {
            String phrase = folded(words.strip()).toLowerCase(Locale.ROOT);
            if (Character.isDigit(kind.charAt(0))) {
                REASONS.add(new Phrase(phrase, EnhancedStatus.parse(kind)));
            } else {
                KINDS.computeIfAbsent(kind, _ -> new ArrayList<>()).add(phrase);
            }
        }
    }
}
