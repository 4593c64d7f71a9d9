package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.PhraseTree;
import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.List;

/** The lines that programs put between an answer and what it answers. */
final class Dividers {
    private static final String DASHES = "-_=*—–─";
    private static final List<String> ABOVE_OPENINGS = List.of("please do not write below this line. ", "please ", "");
    private static final String ABOVE = "above this line";
    private static final List<String> ANSWERS =
            List.of("reply", "respond", "response", "answer", "write", "type", "enter", "comment", "post", "message");

    private static final int SHORTEST_ABOVE = 15;
    private static final int MAX_LENGTH = 150;
    private static final int MAX_TITLE = 80;
    private static final int MAX_TITLE_WORDS = 8;
    private static final int LEAST_DASHES = 3;

    private Dividers() {}

    /** Whether the line is a phrase between dashes, or a phrase with a colon. */
    static boolean is(TextLine line, PhraseTree phrases, boolean colonSuffices) {
        String words = line.words();
        if (words.length() > MAX_LENGTH) {
            return false;
        }
        boolean dashes = isDash(words, 0) && words.length() > 4;
        boolean colon = words.endsWith(":") || words.endsWith("：");
        if (!dashes && !(colon && colonSuffices)) {
            return false;
        }
        String plain = line.plain();
        PhraseTree.Match match = phrases.longest(plain, 0);
        if (match == null) {
            return false;
        }
        boolean closed = dashes && isDash(words, words.length() - 1);
        int remaining = plain.length() - match.edge();
        return remaining == 0 || closed || (remaining == 1 && colon);
    }

    /** Whether it is a few words between dashes on both sides. */
    static boolean isTitle(TextLine line) {
        String words = line.words();
        int dashes = 0;
        while (isDash(words, dashes) && isDash(words, words.length() - 1 - dashes)) {
            dashes++;
        }
        return dashes >= LEAST_DASHES
                && words.length() <= MAX_TITLE
                && line.plain().chars().filter(c -> c == ' ').count() < MAX_TITLE_WORDS;
    }

    private static boolean isDash(String words, int at) {
        return at >= 0 && at < words.length() && DASHES.indexOf(words.charAt(at)) >= 0;
    }

    /** The line that ticket systems put below the place for an answer: alone, or between signs. */
    static boolean asksForAnswerAbove(TextLine line) {
        String words = line.words();
        if (words.length() < SHORTEST_ABOVE || words.length() > MAX_LENGTH) {
            return false;
        }
        String plain = line.plain();
        for (String polite : ABOVE_OPENINGS) {
            if (plain.startsWith(polite)) {
                PhraseTree.Match match = Phrases.ABOVE.longest(plain, polite.length());
                if (match != null && (match.edge() == plain.length() || plain.length() < words.length())) {
                    return true;
                }
            }
        }
        boolean signs =
                TextLine.isDecoration(words.charAt(0)) && TextLine.isDecoration(words.charAt(words.length() - 1));
        return signs && plain.length() < words.length() - 1 && (Phrases.ABOVE.isWithin(plain) || isAbove(line, plain));
    }

    private static boolean isAbove(TextLine line, String plain) {
        boolean loud = line.text().contains("ABOVE THIS LINE");
        return loud || (plain.contains(ABOVE) && ANSWERS.stream().anyMatch(plain::contains));
    }
}
