package dev.inboxd.mail.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks for words that a recipient is unknown, by {@code unknown-recipient.txt}. */
final class UnknownRecipientWords {
    /** Words between a noun and what is said of it. */
    private static final int REACH_BACK = 12;

    private static final int REACH_FORWARD = 4;

    private static final Map<String, Phrases> KINDS = read();

    private UnknownRecipientWords() {}

    /** Phrases by their first word; those of scripts without blanks between words as they stand. */
    private static final class Phrases {
        private final Map<String, List<List<String>>> byFirst = new HashMap<>();
        private final Set<String> joined = new HashSet<>();

        void add(String text) {
            List<String> words = ReplyWords.phrase(text);
            if (text.codePoints().anyMatch(UnknownRecipientWords::isUnspaced)) {
                joined.add(String.join(" ", words));
            } else {
                byFirst.computeIfAbsent(words.getFirst(), _ -> new ArrayList<>())
                        .add(words);
            }
        }

        boolean isWord(String word) {
            return byFirst.getOrDefault(word, List.of()).contains(List.of(word));
        }

        /** The number of words of the longest phrase that begins there; 0 when none does. */
        int at(List<String> words, int start) {
            int most = 0;
            for (List<String> phrase : byFirst.getOrDefault(words.get(start), List.of())) {
                int end = start + phrase.size();
                if (phrase.size() > most
                        && end <= words.size()
                        && words.subList(start, end).equals(phrase)) {
                    most = phrase.size();
                }
            }
            return most;
        }

        boolean isIn(List<String> words) {
            String all = joined.isEmpty() ? "" : String.join(" ", words);
            return joined.stream().anyMatch(all::contains)
                    || IntStream.range(0, words.size()).anyMatch(i -> at(words, i) > 0);
        }

        /** Whether a word begins as one of these phrases does. */
        boolean beginsIn(List<String> words) {
            if (isIn(words)) {
                return true;
            }
            return byFirst.values().stream()
                    .flatMap(List::stream)
                    .filter(phrase -> phrase.size() == 1 && phrase.getFirst().length() > 3)
                    .anyMatch(phrase -> words.stream().anyMatch(word -> word.startsWith(phrase.getFirst())));
        }
    }

    private static boolean isUnspaced(int c) {
        return switch (Character.UnicodeScript.of(c)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, THAI -> true;
            default -> false;
        };
    }

    /** Whether the words say that the recipient is unknown, and nothing that speaks against it. */
    static boolean sayUnknown(ReplyWords text) {
        List<String> words = text.words();
        if (areContrary(text)) {
            return false;
        }
        if (phrases("phrase").isIn(words)) {
            return true;
        }
        for (int i = 0; i < words.size(); i++) {
            int before = phrases("before").at(words, i);
            if ((before > 0 && isOfRecipient(words, i + before))
                    || (phrases("after").at(words, i) > 0 && isBehindRecipient(words, i - 1))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the words are about the sender, the connection, the message, a policy, a quota or a time. */
    static boolean areContrary(ReplyWords text) {
        return phrases("contrary").beginsIn(text.words()) || phrases("contrary").beginsIn(text.links());
    }

    /** Whether they say that another command was refused than RCPT. */
    static boolean areOfAnotherCommand(List<String> words) {
        return phrases("stage").isIn(words) && !phrases("rcpt").isIn(words);
    }

    /** Whether the next noun is one of the recipient. */
    private static boolean isOfRecipient(List<String> words, int from) {
        for (int i = from; i < words.size() && i < from + REACH_FORWARD; i++) {
            if (words.get(i).equals(ReplyWords.BREAK) || phrases("other").isWord(words.get(i))) {
                return false;
            }
            if (phrases("recipient").at(words, i) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the noun before is one of the recipient. */
    private static boolean isBehindRecipient(List<String> words, int from) {
        for (int i = from; i >= 0 && i > from - REACH_BACK; i--) {
            if (words.get(i).equals(ReplyWords.BREAK) || phrases("other").isWord(words.get(i))) {
                return false;
            }
            if (phrases("recipient").at(words, i) > 0) {
                return true;
            }
        }
        return false;
    }

    private static Phrases phrases(String kind) {
        return Objects.requireNonNull(KINDS.get(kind));
    }

    private static Map<String, Phrases> read() {
        Map<String, Phrases> kinds = new HashMap<>();
        try (InputStream in =
                Objects.requireNonNull(UnknownRecipientWords.class.getResourceAsStream("unknown-recipient.txt"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        int colon = line.indexOf(':');
                        Phrases phrases = kinds.computeIfAbsent(line.substring(0, colon), _ -> new Phrases());
                        List.of(line.substring(colon + 1).split("\\|", -1))
                                .forEach(phrase -> phrases.add(phrase.strip()));
                    });
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return kinds;
    }
}
