package dev.inboxd.mail.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One list of words of {@code challenges.txt}. */
final class ChallengeWords {
    private static final String RESOURCE = "challenges.txt";

    private final List<Phrase> phrases;

    /**
     * Words that are looked for together.
     *
     * @param openStart whether letters may stand before it
     * @param openEnd whether letters may follow
     */
    private record Phrase(String words, boolean openStart, boolean openEnd) {
        static Phrase of(String written) {
            boolean start = written.startsWith("*");
            boolean end = written.endsWith("*");
            return new Phrase(written.substring(start ? 1 : 0, written.length() - (end ? 1 : 0)), start, end);
        }

        /** Where it next begins in a folded text, from an index on; -1 when nowhere. */
        int next(String text, int from) {
            int at = text.indexOf(words, from);
            while (at >= 0 && !isWhole(text, at)) {
                at = text.indexOf(words, at + 1);
            }
            return at;
        }

        private boolean isWhole(String text, int at) {
            int end = at + words.length();
            return (openStart || at == 0 || !Character.isLetter(text.charAt(at - 1)))
                    && (openEnd || end == text.length() || !Character.isLetter(text.charAt(end)));
        }
    }

    /** A place in a text. */
    record Place(int start, int end) {}

    private ChallengeWords(List<Phrase> phrases) {
        this.phrases = List.copyOf(phrases);
    }

    /** Reads the list of that name. */
    static ChallengeWords of(String list) {
        try (InputStream in = ChallengeWords.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            List<Phrase> phrases = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith(list + ": ")) {
                    for (String written : line.substring(list.length() + 2).split("\\|", -1)) {
                        phrases.add(Phrase.of(written.strip()));
                    }
                }
            }
            return new ChallengeWords(phrases);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Whether one of them is in a folded text. */
    boolean isIn(String text) {
        return phrases.stream().anyMatch(phrase -> phrase.next(text, 0) >= 0);
    }

    /** Whether a folded text ends with one of them. */
    boolean end(String text) {
        return phrases.stream()
                .anyMatch(phrase ->
                        text.endsWith(phrase.words) && phrase.isWhole(text, text.length() - phrase.words.length()));
    }

    /** All places of them in a folded text. */
    List<Place> in(String text) {
        List<Place> places = new ArrayList<>();
        for (Phrase phrase : phrases) {
            for (int at = phrase.next(text, 0); at >= 0; at = phrase.next(text, at + 1)) {
                places.add(new Place(at, at + phrase.words.length()));
            }
        }
        return places;
    }
}
