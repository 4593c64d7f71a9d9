package dev.inboxd.mail.screen;

import java.util.BitSet;

/**
 * How much a place of a text counts: what is quoted, by a mail program or by its author, counts less than what is said,
 * and less again where attacks are talked about.
 */
final class Quotations implements TextScan.Context {
    private static final double HISTORY = 0.5;
    private static final double QUOTED = 0.6;
    private static final double QUOTED_TALK = 0.15;
    private static final double QUOTED_ASIDE = 0.3;
    private static final double TALK = 0.35;
    private static final int ENOUGH_TALK = 2;
    private static final int LONGEST = 400;
    private static final int LONGEST_SINGLE = 160;

    private final NormalForm text;
    private final BitSet lines = new BitSet();
    private final BitSet spans = new BitSet();
    private final ConceptMentions mentions;
    private final BitSet talkAt = new BitSet();
    private final boolean talk;
    private final boolean aside;

    /** @param mentions what the text mentions, to know whether it talks about attacks */
    Quotations(NormalForm text, ConceptMentions mentions) {
        this.text = text;
        this.mentions = mentions;
        int about = count("talk", talkAt);
        int asides = count("aside", new BitSet());
        talk = about >= ENOUGH_TALK || (about > 0 && asides > 0);
        aside = asides >= ENOUGH_TALK;
        markLines();
        mark('"', LONGEST);
        mark('`', LONGEST);
        mark('\'', LONGEST_SINGLE);
    }

    private int count(String concept, BitSet at) {
        int number = RuleBook.ALL.number(concept);
        int count = 0;
        int end = -1;
        for (int i = 0; i < mentions.size(); i++) {
            if (mentions.is(i, number) && mentions.start(i) >= end) {
                count++;
                at.set(mentions.start(i));
                end = mentions.end(i);
            }
        }
        return count;
    }

    @Override
    public double weight(int start, int end) {
        boolean span = spans.get(start);
        if (span || lines.get(start)) {
            return talk ? QUOTED_TALK : aside ? QUOTED_ASIDE : span ? QUOTED : HISTORY;
        }
        return talk && isTalkedAbout(start, end) ? TALK : 1;
    }

    /** Whether the sentences of a place talk about attacks: what another sentence talks about changes nothing. */
    private boolean isTalkedAbout(int start, int end) {
        int at = talkAt.nextSetBit(mentions.sentenceStart(start));
        return at >= 0 && at < mentions.sentenceEnd(end);
    }

    private void markLines() {
        boolean first = true;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            boolean end = i == text.length() || text.at(i) == '\n';
            if (first && !end && text.at(i) == '>') {
                start = i;
                first = false;
            } else if (!end && text.at(i) != ' ') {
                start = first ? -1 : start;
                first = false;
            }
            if (end) {
                if (!first && start >= 0) {
                    lines.set(start, i);
                }
                first = true;
            }
        }
    }

    private void mark(char mark, int longest) {
        int open = -1;
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) != mark) {
                continue;
            }
            boolean wordBefore = i > 0 && NormalForm.isWord(text.at(i - 1));
            boolean wordBehind = i + 1 < text.length() && NormalForm.isWord(text.at(i + 1));
            if (mark == '\'' && wordBefore && wordBehind) {
                continue; // an apostrophe
            }
            if (mark == '"' && open < 0 && i > 0 && Character.isDigit(text.at(i - 1))) {
                continue; // inches
            }
            if (open >= 0 && i - open <= longest && (mark != '\'' || !wordBehind)) {
                spans.set(open, i);
                open = -1;
            } else {
                open = i;
            }
        }
    }
}
