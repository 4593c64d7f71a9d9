package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.line.TextLine;
import dev.inboxd.mail.reply.phrase.PhraseTree;
import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.List;

/**
 * Finds the notices below a message: "This email and any attachments are confidential", "Unsubscribe". A paragraph is
 * one only when all of it reads so, and when nothing of the author's follows: what is kept by mistake costs a reader a
 * moment, what is cut by mistake is lost.
 */
final class Notices {
    private static final int MAX_LENGTH = 8_000;
    /** A sentence of so few words, without a digit, says nothing of its own: "Thank you." */
    private static final int FEW_WORDS = 2;

    private static final int LAW_TERMS = 3;

    private Notices() {}

    /**
     * The first of the notices that end a text.
     *
     * @param from the first line that may be part of one
     * @param to the end of the text
     * @return {@code to} when there is none
     */
    static int start(List<TextLine> lines, LineKind[] marks, int from, int to) {
        int start = to;
        for (int end = to; end > from; ) {
            if (isBesideNotices(lines.get(end - 1), marks[end - 1])) {
                end--;
                continue;
            }
            int first = end;
            while (first > 0 && marks[first - 1] == LineKind.TEXT) {
                first--;
            }
            if (first < from || first == end) {
                return start;
            }
            Opening opening = opening(lines, first, end);
            if (!opening.readsSo()) {
                return start;
            }
            start = opening.isCertain() ? first : start;
            end = first;
        }
        return start;
    }

    private static boolean isBesideNotices(TextLine line, LineKind mark) {
        return switch (mark) {
            case EMPTY, RULE, SIGNATURE, QUOTE -> true;
            case TEXT -> line.isDevice();
            case ATTRIBUTION, HEADER, ORIGINAL, FORWARD -> false;
        };
    }

    /** Whether the paragraph that begins with a line is a notice. */
    static boolean isNotice(List<TextLine> lines, LineKind[] marks, int first) {
        int end = first;
        while (end < marks.length && marks[end] == LineKind.TEXT) {
            end++;
        }
        if (end == first) {
            return false;
        }
        Opening opening = opening(lines, first, end);
        return opening.isCertain() && opening.readsSo();
    }

    private static Opening opening(List<TextLine> lines, int first, int end) {
        StringBuilder paragraph = new StringBuilder(lines.get(first).plain());
        for (int i = first + 1; i < end && paragraph.length() <= MAX_LENGTH; i++) {
            paragraph.append(' ').append(lines.get(i).words());
        }
        PhraseTree.Match match = Phrases.NOTICES.longest(paragraph.toString(), 0);
        return match == null
                ? new Opening(0, paragraph.toString())
                : new Opening(match.value(), paragraph.substring(match.edge()));
    }

    /**
     * How a paragraph begins.
     *
     * @param needed what the rest must have, as {@code Phrases} says; 0 when it begins with no phrase of notices. Then
     *     it may be more of a notice above
     * @param tail what stands behind the phrase
     */
    private record Opening(int needed, String tail) {
        /** Whether it is a notice by itself, and not only below another. */
        boolean isCertain() {
            return needed > 0
                    && (needed != Phrases.THREE_OF_LAW || Phrases.NOTICE_TERMS.wordsFrom(tail, Phrases.SECRET) > 0);
        }

        boolean readsSo() {
            boolean ofLaw = needed == Phrases.THREE_OF_LAW;
            int terms =
                    ofLaw ? (isCertain() ? LAW_TERMS : 1) : (needed & Phrases.ONE_TERM) != 0 ? 1 : needed == 0 ? 0 : 2;
            int bits = ofLaw ? Phrases.LAW : Phrases.LAW | Phrases.SUBSCRIPTION;
            return tail.length() <= MAX_LENGTH && Notices.readsSo(tail, terms, bits);
        }
    }

    /** Whether each sentence has a term of notices, and the whole has as many as are needed, unless it says nothing. */
    private static boolean readsSo(String tail, int needed, int bits) {
        int terms = 0;
        int start = 0;
        for (int i = 0; i <= tail.length(); i++) {
            if (i < tail.length() && !isSentenceEnd(tail, i)) {
                continue;
            }
            String sentence = tail.substring(start, i);
            int sentenceTerms = Phrases.NOTICE_TERMS.wordsFrom(sentence, bits);
            if (sentenceTerms == 0 && saysSomething(sentence)) {
                return false;
            }
            terms += sentenceTerms;
            start = i + 1;
        }
        return terms >= needed || (needed < LAW_TERMS && !saysSomething(tail));
    }

    private static boolean isSentenceEnd(String text, int i) {
        char c = text.charAt(i);
        boolean isLatin = c == '.' || c == '!' || c == '?' || c == ';';
        return "。！？|।۔؟։".indexOf(c) >= 0 || (isLatin && (i + 1 == text.length() || text.charAt(i + 1) == ' '));
    }

    private static boolean saysSomething(String sentence) {
        int words = 0;
        boolean inWord = false;
        for (int i = 0; i < sentence.length(); i++) {
            char c = sentence.charAt(i);
            if (Character.isDigit(c) || Character.isIdeographic(c)) {
                return true;
            }
            boolean isLetter = Character.isLetter(c);
            words += isLetter && !inWord ? 1 : 0;
            inWord = isLetter || (inWord && c == '\'');
        }
        return words > FEW_WORDS;
    }
}
