package dev.inboxd.mail.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the ids in identification fields as programs write them. RFC 5322 §3.6.4 wants ASCII words in angle brackets;
 * some write ids without brackets, with one bracket, among the words of a sentence (RFC 822 §4.6.2 allowed that),
 * folded in the middle, with spaces, or beyond ASCII.
 */
public final class MessageIds {
    /** RFC 5322 §2.1.1: no line is longer, so no id is. */
    private static final int MAX_LENGTH = 998;

    /** Maximum number of ids of one kind. */
    static final int MAX_IDS = 50;

    /** A line break in the text of a field, which a fold left there. */
    private static final char FOLD = '\n';

    private final String text;
    private final List<String> bracketed = new ArrayList<>();
    private final List<String> all = new ArrayList<>();
    private boolean isProse;

    private MessageIds(String text) {
        this.text = text;
    }

    /** The first id of a field, or null when there is none. */
    static @Nullable String first(String text) {
        var ids = new MessageIds(unfolded(text)).read();
        return ids.isEmpty() ? null : ids.getFirst();
    }

    /** All ids of a field in order, with a line feed for each fold; of more than 50 the first and the last 49. */
    public static List<String> all(String text) {
        var ids = new MessageIds(unfolded(text)).read();
        if (ids.size() > MAX_IDS) {
            ids.subList(1, ids.size() - MAX_IDS + 1).clear();
        }
        return List.copyOf(ids);
    }

    /**
     * The form of an id in which two spellings of it are equal: without the white space that a program left in it,
     * which others fold or drop.
     */
    public static String key(String id) {
        int i = 0;
        while (i < id.length() && !isSpace(id.charAt(i))) {
            i++;
        }
        if (i == id.length()) {
            return id;
        }
        var key = new StringBuilder(id.length());
        id.chars().filter(c -> !isSpace((char) c)).forEach(c -> key.append((char) c));
        return key.toString();
    }

    /**
     * Ids in brackets, and words that can only be ids. In a sentence words with an {@code @} are also addresses, so
     * there the brackets decide, if there are any.
     */
    private List<String> read() {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (isSpace(c) || c == ',' || c == ';' || c == '>') {
                i++;
            } else if (c == '<') {
                i = bracket(i);
            } else {
                i = word(i, false);
            }
        }
        return isProse && !bracketed.isEmpty() ? bracketed : all;
    }

    /** Reads what follows an opening bracket, and returns its end. */
    private int bracket(int start) {
        int end = start + 1;
        while (end < text.length() && text.charAt(end) != '<' && text.charAt(end) != '>') {
            end++;
        }
        if (end == text.length() || text.charAt(end) == '<') {
            return word(start + 1, true);
        }
        var content = content(start + 1, end);
        if (isOne(content, start + 1, end)) {
            add(content, true);
            return end + 1;
        }
        return word(start + 1, false);
    }

    /** Whether the text in brackets is one id: it has one {@code @}, or nothing that separates words. */
    private boolean isOne(String content, int from, int to) {
        long ats = content.chars().filter(c -> c == '@').count();
        boolean isFolded = ats > 1 && text.substring(from, to).strip().indexOf(FOLD) >= 0;
        return ats == 1 || (!isFolded && content.indexOf(' ') < 0);
    }

    /** The text in brackets without padding, folds, and the white space that a program left around the {@code @}. */
    private String content(int from, int to) {
        var content = new StringBuilder(to - from);
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == FOLD) {
                while (i + 1 < to && isSpace(text.charAt(i + 1))) {
                    i++;
                }
            } else {
                content.append(c == '\t' ? ' ' : c);
            }
        }
        int at = content.indexOf("@");
        while (at > 0 && content.charAt(at - 1) == ' ') {
            content.deleteCharAt(--at);
        }
        while (at >= 0 && at + 1 < content.length() && content.charAt(at + 1) == ' ') {
            content.deleteCharAt(at + 1);
        }
        return content.toString().strip();
    }

    /** Reads one word that is no text in a pair of brackets, and returns its end. */
    private int word(int start, boolean isOpened) {
        int end = start;
        while (end < text.length() && !isSeparator(text.charAt(end))) {
            end++;
        }
        var word = trimmed(start, end);
        int at = word.indexOf('@');
        boolean isId = at > 0 && at < word.length() - 1 && word.indexOf('@', at + 1) < 0;
        if (isId || (isOpened && !word.isEmpty())) {
            add(word, isOpened);
        } else {
            isProse |= word.chars().anyMatch(Character::isLetterOrDigit);
        }
        return end;
    }

    /** The word without the punctuation of a sentence, and without the scheme of RFC 2392 §2. */
    private String trimmed(int start, int end) {
        int from = start;
        int to = end;
        while (from < to && "\"'(".indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && "\"').:!?".indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(text.regionMatches(true, from, "mid:", 0, 4) ? Math.min(from + 4, to) : from, to);
    }

    private void add(String content, boolean hasBracket) {
        boolean fits = !content.isEmpty() && content.length() + 2 <= MAX_LENGTH;
        if (fits && content.chars().noneMatch(c -> c < ' ' || c == 0x7F)) {
            var id = "<" + content + ">";
            all.add(id);
            if (hasBracket) {
                bracketed.add(id);
            }
        }
    }

    /** Joins what was folded beside an {@code @}: no word begins or ends there. */
    private static String unfolded(String text) {
        if (text.indexOf(FOLD) < 0) {
            return text;
        }
        var joined = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            int next = i;
            if (text.charAt(i) == FOLD) {
                while (next < text.length() && isSpace(text.charAt(next))) {
                    next++;
                }
            }
            boolean isBesideAt = next > i
                    && ((next < text.length() && text.charAt(next) == '@')
                            || (!joined.isEmpty() && joined.charAt(joined.length() - 1) == '@'));
            if (!isBesideAt) {
                joined.append(text, i, Math.max(i + 1, next)); // all of it, or a field of folds would take its square
            }
            i = Math.max(i, next - 1);
        }
        return joined.toString();
    }

    private static boolean isSeparator(char c) {
        return isSpace(c) || c == '<' || c == '>' || c == ',' || c == ';';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == FOLD || c == '\r' || Character.isSpaceChar(c);
    }
}
