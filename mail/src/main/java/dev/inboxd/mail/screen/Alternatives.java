package dev.inboxd.mail.screen;

import dev.inboxd.mail.screen.HiddenText.Hiding;
import dev.inboxd.mail.screen.HiddenText.Passage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the one of two alternatives of a mail says and the other does not (RFC 2046 §5.1.4: they say the same). */
final class Alternatives {
    private static final int FEWEST_WORDS = 4;
    private static final int MOST = 40;
    private static final int LONGEST = 2_000;
    private static final int UNSPACED = 0x0E00;

    private Alternatives() {}

    /** The lines of each that have mostly other words than all of the other, with what that hides. */
    static List<Passage> differences(String text, HtmlContent html) {
        Set<String> inHtml = new HashSet<>(words(html.visible()));
        inHtml.addAll(words(html.hidden()));
        inHtml.addAll(words(html.attributes()));
        List<Passage> passages = new ArrayList<>();
        strange(text, inHtml, Hiding.PLAIN_ONLY, passages);
        strange(html.visible(), new HashSet<>(words(text)), Hiding.FORMATTED_ONLY, passages);
        return passages;
    }

    private static void strange(String text, Set<String> otherWords, Hiding how, List<Passage> passages) {
        StringBuilder passage = new StringBuilder();
        int limit = passages.size() + MOST;
        for (String line : text.split("\n", -1)) {
            List<String> words = words(line);
            if (words.isEmpty()) {
                continue;
            }
            long shared = words.stream().filter(otherWords::contains).count();
            boolean strange = words.size() >= FEWEST_WORDS && shared * 2 < words.size();
            if (strange && passage.length() + line.length() < LONGEST) {
                passage.append(passage.isEmpty() ? "" : " ").append(line.strip());
                continue;
            }
            add(passage, how, passages, limit);
            if (strange) {
                passage.append(line, 0, Math.min(line.length(), LONGEST));
            }
        }
        add(passage, how, passages, limit);
    }

    private static void add(StringBuilder passage, Hiding how, List<Passage> passages, int limit) {
        if (!passage.isEmpty() && passages.size() < limit) {
            passages.add(new Passage(how, passage.toString().strip(), false));
        }
        passage.setLength(0);
    }

    /** The words of a text in small letters, without addresses; of scripts without spaces each two letters. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            boolean letter = Character.isLetterOrDigit(c);
            if (letter && start < 0) {
                start = i;
            } else if (!letter && start >= 0) {
                boolean address = text.startsWith("://", i);
                if (!address) {
                    add(text.substring(start, i), words);
                } else {
                    i = endOfAddress(text, i);
                }
                start = -1;
            }
        }
        return words;
    }

    private static int endOfAddress(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) > ' ') {
            end++;
        }
        return end;
    }

    private static void add(String word, List<String> words) {
        if (word.charAt(0) < UNSPACED) {
            words.add(word.toLowerCase(Locale.ROOT));
            return;
        }
        for (int i = 0; i + 1 < word.length(); i++) {
            words.add(word.substring(i, i + 2));
        }
    }
}
