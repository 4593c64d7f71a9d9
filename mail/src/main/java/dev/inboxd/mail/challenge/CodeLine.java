package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.WordTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A line of a mail, with the words around codes and what looks like a code. */
final class CodeLine {
    private static final WordTable WORDS = WordTable.of(CodeLine.class, "codes.txt");
    /** The words for codes alone: most lines have none. */
    private static final WordTable CODES = WordTable.of(CodeLine.class, "codes.txt", "code: ");

    private static final String SENTENCE_ENDS = ".!?;。！？；";
    private static final int SHORT_WORD = 3;
    private static final int LONGEST_ALONE = 200;

    private final String text;
    private final boolean linked;
    private final BooleanSupplier booked;
    private final List<CodeToken> tokens;
    private @Nullable String folded;
    private @Nullable List<WordTable.Place> words;
    private @Nullable List<WordTable.Place> places;

    private CodeLine(String text, boolean linked, BooleanSupplier booked) {
        this.text = text;
        this.linked = linked;
        this.booked = booked;
        tokens = CodeTokens.in(text);
    }

    /**
     * Reads a line. Its words are looked up when they are asked for: most lines have nothing that looks like a code.
     *
     * @param text with typed characters ({@link CodeText#plain})
     * @param linked whether a link stands in it
     * @param booked whether the mail is about a booking
     */
    static CodeLine of(String text, boolean linked, BooleanSupplier booked) {
        return new CodeLine(text, linked, booked);
    }

    private String folded() {
        String cached = folded;
        if (cached == null) {
            cached = WordTable.fold(text);
            folded = cached;
        }
        return cached;
    }

    private List<WordTable.Place> places() {
        List<WordTable.Place> cached = places;
        if (cached == null) {
            cached = withoutOthers(words());
            places = cached;
        }
        return cached;
    }

    /** The words of all lists, those for codes among them that are the name of something else. */
    private List<WordTable.Place> words() {
        List<WordTable.Place> cached = words;
        if (cached == null) {
            cached = WORDS.in(folded());
            words = cached;
        }
        return cached;
    }

    /** Whether the line has words of a list, whatever else they are a part of. */
    boolean names(String list) {
        return isIn(words(), list);
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
        return isIn(places(), list);
    }

    private static boolean isIn(List<WordTable.Place> places, String list) {
        for (WordTable.Place place : places) {
            if (place.list().equals(list)) {
                return true;
            }
        }
        return false;
    }

    /** The words of a list. */
    List<WordTable.Place> of(String list) {
        return of(places(), list);
    }

    private static List<WordTable.Place> of(List<WordTable.Place> places, String list) {
        return places.stream().filter(place -> place.list().equals(list)).toList();
    }

    private List<WordTable.Place> withoutOthers(List<WordTable.Place> all) {
        if (!isIn(all, "code")) {
            return all;
        }
        List<WordTable.Place> others = new ArrayList<>(of(all, "other"));
        List<WordTable.Place> bookings = of(all, "booked");
        if (!bookings.isEmpty() && booked.getAsBoolean()) {
            others.addAll(bookings);
        }
        List<WordTable.Place> left = new ArrayList<>(all);
        CodeCompounds compounds = new CodeCompounds(text, all);
        left.removeIf(place -> place.list().equals("code")
                && (compounds.areBegunBy(place)
                        || others.stream()
                                .anyMatch(compound ->
                                        compound.start() <= place.start() && place.start() < compound.end())));
        return left;
    }

    boolean speaks() {
        return (places != null || CODES.isIn(folded())) && has("code");
    }

    /** Whether it speaks of the codes of another sort alone. */
    boolean speaksOfOthers() {
        return has("other") && !speaks();
    }

    /** What stands alone in the line; null when there is nothing, or something else. */
    @Nullable
    CodeToken alone() {
        if (text.length() > LONGEST_ALONE || tokens.size() > 3) {
            return null;
        }
        int begin = afterMarker();
        if (tokens.isEmpty()) {
            CodeToken word = CodeTokens.word(text, begin);
            return word != null && isDecoration(text.substring(word.end())) ? word : null;
        }
        CodeToken first = tokens.getFirst();
        CodeToken last = tokens.getLast();
        if (!isDecoration(text.substring(begin, Math.max(begin, first.start())))
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

    static boolean isDecoration(String text) {
        return text.codePoints().noneMatch(Character::isLetterOrDigit);
    }

    /** The words of these lists that stand before a place in its sentence, the nearest; null when there is none. */
    WordTable.@Nullable Place before(int at, int far, List<String> lists) {
        int from = Math.max(sentenceStart(at), at - far);
        WordTable.Place nearest = null;
        for (WordTable.Place place : places()) {
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
        for (WordTable.Place place : places()) {
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
        String between = folded().substring(Math.min(from, to), to).strip();
        if (between.length() > 40) {
            return false;
        }
        int colon = between.lastIndexOf(':');
        if (colon >= 0 && isDecoration(between.substring(colon))) {
            return true;
        }
        StringBuilder remainder = new StringBuilder(between);
        for (WordTable.Place place : WORDS.in(between)) {
            if (place.list().equals("copula")) {
                remainder.replace(place.start(), place.end(), " ".repeat(place.end() - place.start()));
            }
        }
        return isDecoration(remainder.toString());
    }

    /** How many words stand in between. */
    int words(int from, int to) {
        int words = 0;
        for (int i = from; i < to; i++) {
            boolean begins = Character.isLetterOrDigit(text.charAt(i))
                    && (i == from || !Character.isLetterOrDigit(text.charAt(i - 1)));
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

    int sentenceStart(int at) {
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

    int sentenceEnd(int at) {
        for (int i = at; i < text.length(); i++) {
            if (isSentenceEnd(i)) {
                return i;
            }
        }
        return text.length();
    }
}
