package dev.inboxd.mail.reply;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds lines that devices and mail programs add below a message: "Sent from my iPhone". Such a line names a device or
 * a program and says nothing else: "Sent via DHL, tracking 12345" is the author's.
 */
final class Devices {
    private static final int MAX_LINE = 120;
    private static final int MAX_WORDS = 12;
    private static final int MAX_NUMBER = 5;
    private static final List<DevicePattern> PATTERNS = new ArrayList<>();
    private static final PhraseTree NAMES = new PhraseTree(false);
    private static final Set<String> WORDS = new HashSet<>();

    static {
        Phrases.read("phrases.txt").stream()
                .filter(line -> line.startsWith("device: "))
                .flatMap(line -> Stream.of(line.substring(8).split("\\|", -1)))
                .forEach(phrase -> PATTERNS.add(DevicePattern.of(Phrases.fold(phrase.strip()))));
        for (String line : Phrases.read("devices.txt")) {
            int colon = line.indexOf(": ");
            for (String word : line.substring(colon + 2).split("\\|", -1)) {
                String folded = Phrases.fold(word.strip());
                if (line.startsWith("name:")) {
                    NAMES.add(folded, 1);
                } else {
                    WORDS.add(folded);
                }
            }
        }
    }

    private Devices() {}

    /** Text around a gap; {@code oneWord} when the gap comes first and is one word. */
    private record DevicePattern(String before, String after, boolean oneWord) {
        /** From {@code phrases.txt}: … stands for a gap, a first _ for a gap of one word. */
        static DevicePattern of(String phrase) {
            int gap = phrase.indexOf('…');
            if (phrase.startsWith("_")) {
                return new DevicePattern("", phrase.substring(1), true);
            }
            return gap < 0
                    ? new DevicePattern(phrase, "", false)
                    : new DevicePattern(
                            phrase.substring(0, gap).strip(),
                            phrase.substring(gap + 1).strip(),
                            false);
        }

        /** What stands in the gap; null when the line is not written so. */
        @Nullable
        String gap(String words) {
            int length = words.length() - before.length() - after.length();
            boolean matches = length >= 0
                    && words.startsWith(before)
                    && words.endsWith(after)
                    && PhraseTree.isEdge(words, before.length())
                    && PhraseTree.isEdge(words, words.length() - after.length())
                    && (!oneWord || words.indexOf(' ') == length);
            return matches ? words.substring(before.length(), before.length() + length) : null;
        }
    }

    /** Whether a device or a mail program adds this line below a text. */
    static boolean isDevice(TextLine line) {
        if (line.text().length() > MAX_LINE || line.isEmpty()) {
            return false;
        }
        String words = line.plain();
        for (DevicePattern pattern : PATTERNS) {
            String gap = pattern.gap(words);
            if (gap != null && (pattern.oneWord || saysNothingElse(gap)) && hasName(words)) {
                return true;
            }
        }
        return isOutlook(words);
    }

    /** "Get Outlook for Android", in whatever language, with the link that is always the same. */
    private static boolean isOutlook(String words) {
        return words.contains("outlook")
                && (words.contains("android") || words.contains("ios"))
                && words.contains("https://aka.ms/");
    }

    private static boolean hasName(String text) {
        return NAMES.isWithin(text) || isExcuse(text) || text.contains("virus");
    }

    /** "Please excuse my typos" names no device, and is written by one all the same. */
    private static boolean isExcuse(String text) {
        return text.contains("excuse") && (text.contains("typos") || text.contains("brevity"));
    }

    /** Whether each word is a name, a word that such lines have, a short number or an address of the web. */
    private static boolean saysNothingElse(String gap) {
        int count = 0;
        for (int i = 0; i < gap.length(); ) {
            if (isBetweenWords(gap.charAt(i))) {
                i++;
                continue;
            }
            PhraseTree.Match name = NAMES.longest(gap, i);
            int end = name != null ? name.edge() : endOfWord(gap, i);
            String word = gap.substring(i, end);
            if (++count > MAX_WORDS || (name == null && !isWord(word))) {
                return false;
            }
            i = end;
        }
        return true;
    }

    private static boolean isWord(String word) {
        boolean isVersion = word.length() <= MAX_NUMBER && word.chars().anyMatch(Character::isDigit);
        return WORDS.contains(word)
                || isVersion
                || word.startsWith("http")
                || word.startsWith("www.")
                || word.endsWith("phone");
    }

    private static int endOfWord(String text, int start) {
        int end = start;
        boolean isLink = text.startsWith("http", start) || text.startsWith("www.", start);
        while (end < text.length() && (isLink ? !isLinkEnd(text.charAt(end)) : !isBetweenWords(text.charAt(end)))) {
            end++;
        }
        return end;
    }

    private static boolean isLinkEnd(char c) {
        return c == ' ' || c == '>' || c == '<' || c == ')';
    }

    private static boolean isBetweenWords(char c) {
        return " ,.;:!?()<>\"„“”'’–—-/|™®".indexOf(c) >= 0;
    }
}
