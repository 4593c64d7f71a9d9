package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.WordTable;
import java.util.List;

/** What the sentence says of something in it that looks like a code. */
final class CodeSentence {
    /** From here on: Chinese, Japanese, Korean. */
    private static final char WITHOUT_SPACES = '\u2E80';

    private static final List<String> SELF = List.of("self");
    private static final List<String> WITH = List.of("with");
    private static final List<String> CODE = List.of("code");
    private static final List<String> IS = List.of("is");
    private static final List<String> CLOCK = List.of("clock");
    private static final List<String> PROVEN = List.of("self", "purpose");
    private static final List<String> BY = List.of("by");
    private static final List<String> NUMBERS = List.of("number", "other");
    private static final int MOST_BY = 30;
    private static final int MOST_BEHIND = 3;

    private final CodeLine line;
    private final CodeToken token;
    private final String text;

    CodeSentence(CodeLine line, CodeToken token) {
        this.line = line;
        this.token = token;
        this.text = line.text();
    }

    /** Whether something is proven with what stands there: "Verify your account with 482913." */
    boolean isProof() {
        if (!line.has("purpose")) {
            return false;
        }
        int sentence = line.sentenceStart(token.start());
        boolean last = CodeLine.isDecoration(text.substring(token.end(), line.sentenceEnd(token.end())));
        boolean joined = isDirectlyBehind(WITH);
        if (joined && line.after(token.end(), text.length(), SELF) != null) {
            return true;
        }
        WordTable.Place own = line.before(token.start(), token.start() - sentence, SELF);
        WordTable.Place number = line.before(token.start(), token.start() - sentence, NUMBERS);
        if (own == null || (number != null && number.start() > own.end())) {
            return false;
        }
        boolean colon = last && text.substring(0, token.start()).strip().endsWith(":");
        return (last && joined)
                || (colon && isDirectlyBehind(PROVEN))
                || line.after(token.end(), MOST_BEHIND, BY) != null;
    }

    /** Whether nothing but signs stands between words of these lists and it. */
    private boolean isDirectlyBehind(List<String> lists) {
        WordTable.Place words = line.before(token.start(), MOST_BY, lists);
        int end = words == null ? 0 : words.end();
        while (end < token.start() && Character.isLetter(text.charAt(end)) && text.charAt(end) < WITHOUT_SPACES) {
            end++; // a word that may go on
        }
        return words != null && CodeLine.isDecoration(text.substring(end, token.start()));
    }

    /** Whether it ends the line behind a colon, or begins it before a sign: "482913 | Example sign-in". */
    boolean isTitle() {
        boolean last = CodeLine.isDecoration(text.substring(token.end()))
                && text.substring(0, token.start()).strip().endsWith(":");
        String following = text.substring(token.end()).strip();
        boolean first = CodeLine.isDecoration(text.substring(0, token.start()))
                && !following.isEmpty()
                && "-|:–—·•".indexOf(following.charAt(0)) >= 0;
        return last || (first && !line.has("number"));
    }

    /** Whether it ends a sentence that speaks of a code, behind a colon or "is". */
    boolean isConclusion() {
        int sentence = line.sentenceStart(token.start());
        boolean last = CodeLine.isDecoration(text.substring(token.end(), line.sentenceEnd(token.end())));
        if (!last || line.before(token.start(), token.start() - sentence, CODE) == null) {
            return false;
        }
        return isDirectlyBehind(IS)
                || text.substring(sentence, token.start()).strip().endsWith(":");
    }

    /** Whether it is a time of day without a colon: "at 1530". */
    boolean isClock() {
        return NumericDates.isTime(token.code()) && isDirectlyBehind(CLOCK);
    }
}
