package dev.inboxd.mail.reply.phrase;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds lines that devices and mail programs add below a message: "Sent from my iPhone". Such a line names a device or
 * a program and says nothing else: "Sent via DHL, tracking 12345" is the author's.
 */
public final class Devices {
    private static final int MAX_LINE = 120;
    private static final int MAX_LINE_WITH_LINKS = 1_000;
    private static final int MAX_WORDS = 12;
    private static final int MAX_NUMBER = 5;
    private static final List<DevicePattern> PATTERNS = new ArrayList<>();
    private static final PhraseTree NAMES = new PhraseTree(false);
    private static final PhraseTree WORDS = new PhraseTree(false);

    static {
        Phrases.read("phrases.txt").stream()
                .filter(line -> line.startsWith("device: "))
                .flatMap(line -> Stream.of(line.substring(8).split("\\|", -1)))
                .forEach(phrase -> PATTERNS.add(DevicePattern.of(Phrases.fold(phrase.strip()))));
        for (String line : Phrases.read("devices.txt")) {
            int colon = line.indexOf(": ");
            for (String word : line.substring(colon + 2).split("\\|", -1)) {
                String folded = Phrases.fold(word.strip());
                (line.startsWith("name:") ? NAMES : WORDS).add(folded, 1);
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

    /**
     * Whether a device or a mail program adds this line below a text.
     *
     * @param written folded, without decoration
     */
    public static boolean isDevice(String written) {
        if (written.length() > MAX_LINE_WITH_LINKS) {
            return false;
        }
        String words = withoutLinks(written);
        if (words.length() > MAX_LINE) {
            return false;
        }
        for (DevicePattern pattern : PATTERNS) {
            String gap = pattern.gap(words);
            if (gap != null && (pattern.oneWord || saysNothingElse(gap)) && hasName(words)) {
                return true;
            }
        }
        return isOutlook(written);
    }

    /** A line as it reads in HTML: plain text has the target of a link behind its words, mostly in brackets. */
    private static String withoutLinks(String words) {
        if (!words.contains("http") && !words.contains("www.")) {
            return words;
        }
        StringBuilder stripped = new StringBuilder(words.length());
        for (int i = 0; i < words.length(); ) {
            char c = words.charAt(i);
            boolean opens = (c == '<' || c == '(') && isLink(words, i + 1);
            boolean bare = isLink(words, i) && (i == 0 || words.charAt(i - 1) == ' ');
            if (opens || bare) {
                int end = words.indexOf(bare ? ' ' : c == '<' ? '>' : ')', i);
                i = end < 0 ? words.length() : end + 1;
                stripped.append(' ');
            } else {
                stripped.append(c);
                i++;
            }
        }
        return singleSpaces(stripped);
    }

    private static boolean isLink(String words, int at) {
        return words.startsWith("http://", at) || words.startsWith("https://", at) || words.startsWith("www.", at);
    }

    private static String singleSpaces(StringBuilder words) {
        StringBuilder single = new StringBuilder(words.length());
        for (int i = 0; i < words.length(); i++) {
            boolean doubled = words.charAt(i) == ' ' && (single.isEmpty() || single.charAt(single.length() - 1) == ' ');
            single.append(doubled ? "" : words.charAt(i));
        }
        return single.toString().strip();
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
            PhraseTree.Match match = name != null ? name : WORDS.longest(gap, i);
            int end = match != null ? match.edge() : endOfWord(gap, i);
            if (++count > MAX_WORDS || (match == null && !isWord(gap.substring(i, end)))) {
                return false;
            }
            i = end;
        }
        return true;
    }

    private static boolean isWord(String word) {
        boolean isVersion = word.length() <= MAX_NUMBER && word.chars().anyMatch(Character::isDigit);
        return isVersion || word.startsWith("http") || word.startsWith("www.") || word.endsWith("phone");
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
