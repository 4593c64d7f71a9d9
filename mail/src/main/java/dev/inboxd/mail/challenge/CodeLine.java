package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.WordTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of a mail, with the words around codes and what looks like a code. */
final class CodeLine {
    private static final WordTable WORDS = WordTable.of(CodeLine.class, "codes.txt");
    private static final String SENTENCE_ENDS = ".!?;。！？；";
    private static final int SHORT_WORD = 3;

    private final String text;
    private final String folded;
    private final boolean linked;
    private final List<WordTable.Place> places;
    private final List<CodeToken> tokens;

    private CodeLine(String text, boolean linked) {
        this.text = text;
        this.linked = linked;
        folded = WordTable.fold(text);
        places = WORDS.in(folded);
        tokens = CodeTokens.in(text);
    }

    /**
     * Reads a line.
     *
     * @param text with typed characters ({@link CodeText#plain})
     * @param linked whether a link stands in it
     */
    static CodeLine of(String text, boolean linked) {
        return new CodeLine(text, linked);
    }

    String text() {
        return text;
    }

    List<CodeToken> tokens() {
        return tokens;
    }

    boolean isLinked() {
        return linked;
    }

    boolean has(String list) {
        return places.stream().anyMatch(place -> place.list().equals(list));
    }

    /** The words of a list. */
    List<WordTable.Place> of(String list) {
        return places.stream().filter(place -> place.list().equals(list)).toList();
    }

    /** Takes the words for codes out that are the name of something else. */
    void forget(boolean booked) {
        List<WordTable.Place> others = new ArrayList<>(of("other"));
        if (booked) {
            others.addAll(of("booked"));
        }
        places.removeIf(place -> place.list().equals("code")
                && others.stream().anyMatch(other -> other.start() <= place.start() && place.end() <= other.end()));
    }

    boolean speaks() {
        return has("code");
    }

    /** Whether it speaks of the codes of another sort alone. */
    boolean speaksOfOthers() {
        return has("other") && !speaks();
    }

    /** Whether a sum is taken off a price in it. */
    boolean hasPercent() {
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
            boolean before = at > 0 && CodeText.isDigit(text.charAt(at - 1));
            boolean spaced = at > 1 && text.charAt(at - 1) == ' ' && CodeText.isDigit(text.charAt(at - 2));
            if (before || spaced || (at + 1 < text.length() && CodeText.isDigit(text.charAt(at + 1)))) {
                return true;
            }
        }
        return false;
    }

    /** What stands alone in the line; null when there is nothing, or something else. */
    @Nullable
    CodeToken alone() {
        if (tokens.isEmpty() || tokens.size() > 3) {
            return null;
        }
        CodeToken first = tokens.getFirst();
        CodeToken last = tokens.getLast();
        if (!isDecoration(text.substring(afterMarker(), Math.max(afterMarker(), first.start())))
                || !isDecoration(text.substring(last.end()))) {
            return null;
        }
        return tokens.size() == 1 ? first : together(first, last);
    }

    /** Groups of capitals and digits of one length, as AB12 CD34. */
    private @Nullable CodeToken together(CodeToken first, CodeToken last) {
        int at = first.end();
        for (CodeToken token : tokens) {
            boolean spaced = token.equals(first) || token.start() == at + 1;
            boolean even = token.end() - token.start() == first.end() - first.start();
            boolean capital = token.shape() == CodeToken.Shape.MIXED
                    || token.shape() == CodeToken.Shape.CAPITALS
                    || token.isDigits();
            if (!spaced || !even || !capital) {
                return null;
            }
            at = token.end();
        }
        boolean mixed = tokens.stream().anyMatch(token -> token.shape() == CodeToken.Shape.MIXED);
        String code = text.substring(first.start(), last.end());
        return mixed ? new CodeToken(first.start(), last.end(), code, CodeToken.Shape.MIXED) : null;
    }

    /** Behind the number of an item of a list. */
    private int afterMarker() {
        int digits = 0;
        while (digits < text.length() && digits < 3 && CodeText.isDigit(text.charAt(digits))) {
            digits++;
        }
        boolean marked = digits > 0
                && digits < 3
                && digits + 1 < text.length()
                && ".)".indexOf(text.charAt(digits)) >= 0
                && text.charAt(digits + 1) == ' ';
        return marked ? digits + 1 : 0;
    }

    private static boolean isDecoration(String text) {
        return text.codePoints().noneMatch(Character::isLetterOrDigit);
    }

    /** The words of these lists that stand before a place in its sentence, the nearest; null when there is none. */
    WordTable.@Nullable Place before(int at, int far, List<String> lists) {
        int from = Math.max(sentenceStart(at), at - far);
        WordTable.Place nearest = null;
        for (WordTable.Place place : places) {
            boolean near = place.end() <= at && place.start() >= from && lists.contains(place.list());
            boolean nearer = nearest == null
                    || place.end() > nearest.end()
                    || (place.end() == nearest.end() && place.start() < nearest.start());
            nearest = near && nearer ? place : nearest;
        }
        return nearest;
    }

    /** The same behind a place. */
    WordTable.@Nullable Place after(int at, int far, List<String> lists) {
        int to = Math.min(sentenceEnd(at), at + far);
        WordTable.Place nearest = null;
        for (WordTable.Place place : places) {
            boolean near = place.start() >= at && place.start() < to && lists.contains(place.list());
            boolean nearer = nearest == null
                    || place.start() < nearest.start()
                    || (place.start() == nearest.start() && place.end() > nearest.end());
            nearest = near && nearer ? place : nearest;
        }
        return nearest;
    }

    /** Whether nothing but such words stands in between that say that one is the other. */
    boolean isJoined(int from, int to) {
        String between = folded.substring(Math.min(from, to), to).strip();
        if (between.length() > 40) {
            return false;
        }
        int colon = between.lastIndexOf(':');
        if (colon >= 0 && isDecoration(between.substring(colon))) {
            return true;
        }
        StringBuilder rest = new StringBuilder(between);
        for (WordTable.Place place : WORDS.in(between)) {
            if (place.list().equals("copula")) {
                rest.replace(place.start(), place.end(), " ".repeat(place.end() - place.start()));
            }
        }
        return isDecoration(rest.toString());
    }

    /** Whether it is the last in the line, and a colon stands before it. */
    boolean isBehindColon(CodeToken token) {
        return isDecoration(text.substring(token.end()))
                && text.substring(0, token.start()).strip().endsWith(":");
    }

    /** How many words stand in between. */
    int words(int from, int to) {
        int words = 0;
        for (int i = from; i < to; i++) {
            boolean begins = Character.isLetterOrDigit(folded.charAt(i))
                    && (i == from || !Character.isLetterOrDigit(folded.charAt(i - 1)));
            words += begins ? 1 : 0;
        }
        return words;
    }

    boolean isWithin(int from, int to, String signs) {
        for (int i = from; i < to; i++) {
            if (signs.indexOf(text.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private int sentenceStart(int at) {
        for (int i = at - 1; i > 0; i--) {
            if (isSentenceEnd(i - 1) && !isAbbreviation(i - 1)) {
                return i;
            }
        }
        return 0;
    }

    private boolean isSentenceEnd(int i) {
        boolean spaced = i + 1 >= text.length() || text.charAt(i + 1) <= ' ' || text.charAt(i) > 0x2E80;
        return SENTENCE_ENDS.indexOf(text.charAt(i)) >= 0 && spaced;
    }

    /** A dot behind a short word: no. 12, Nr. 12, tel. 12. */
    private boolean isAbbreviation(int dot) {
        int start = dot;
        while (start > 0 && Character.isLetter(text.charAt(start - 1))) {
            start--;
        }
        return text.charAt(dot) == '.' && start < dot && dot - start <= SHORT_WORD;
    }

    private int sentenceEnd(int at) {
        for (int i = at; i < text.length(); i++) {
            if (isSentenceEnd(i)) {
                return i;
            }
        }
        return text.length();
    }
}
