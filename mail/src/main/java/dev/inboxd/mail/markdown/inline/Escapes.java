package dev.inboxd.mail.markdown.inline;

import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which characters of a text a reader would take for structure where they stand (CommonMark 0.31, GFM): a backslash
 * stands before them.
 */
final class Escapes {
    private static final String SIGNS = "*_~`";
    /** What an e-mail address may have before its sign, beside letters and digits. */
    private static final String LOCAL = ".!#$%&'*+/=?^_`{|}~-";

    private final Characters text;
    private final Place place;
    private final CharSequence view;
    private final BitSet marks;
    private final BitSet runs = new BitSet();
    private final BitSet starts = new BitSet();
    private int lastClose = -1;
    private int firstBracket = Integer.MAX_VALUE;

    /** A run of one of the signs that delimit emphasis or code. */
    private record Run(int start, int end, boolean opens, boolean closes) {}

    /**
     * What is to be escaped in a text.
     *
     * @param marks where marks of emphasis of ours stand
     * @param signs those of which they are
     */
    Escapes(Characters text, Place place, BitSet marks, String signs) {
        this.text = text;
        this.place = place;
        this.marks = marks;
        this.view = CharBuffer.wrap(text.chars(), 0, text.length());
        boolean code = text.hasTickInTarget();
        for (int i = 0; i < text.length(); i++) {
            code |= text.is(i, Characters.CODE);
            lastClose = text.at(i) == '>' || text.link(i) > 0 ? i : lastClose;
            if (text.at(i) == '[' && firstBracket > i) {
                firstBracket = i;
            }
        }
        for (int i = 0; i < SIGNS.length(); i++) {
            char sign = SIGNS.charAt(i);
            runs(sign, sign == '`' ? code : signs.indexOf(sign) >= 0);
        }
        if (place.hasLines()) {
            new LineStarts(text, marks).find(starts);
        } else if (place == Place.HEADING) {
            headingEnd();
        }
    }

    private void runs(char sign, boolean ours) {
        List<Run> delimiterRuns = new ArrayList<>(0);
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) != sign || text.is(i, Characters.CODE | Characters.OWN)) {
                continue;
            }
            int end = i + 1;
            while (end < text.length() && text.at(end) == sign && !text.is(end, Characters.CODE) && !marks.get(end)) {
                end++;
            }
            delimiterRuns.add(run(sign, i, end));
            i = end - 1;
        }
        if (sign == '`') {
            code(delimiterRuns, ours);
        } else {
            emphasis(delimiterRuns, ours);
        }
    }

    private Run run(char sign, int start, int end) {
        CharKind before = isEdge(start) ? CharKind.PUNCTUATION : text.kindBefore(start);
        CharKind after = isEdge(end) ? CharKind.PUNCTUATION : text.kindAt(end);
        boolean left = CharKind.isLeft(before, after);
        boolean right = CharKind.isRight(before, after);
        boolean touches = marks.get(start) || marks.get(end);
        boolean within = sign == '_';
        return new Run(
                start,
                end,
                touches || (left && (!within || !right || before.isPunctuation())),
                touches || (right && (!within || !left || after.isPunctuation())));
    }

    /** Whether a mark, a link or code begins or ends there. */
    private boolean isEdge(int at) {
        if (marks.get(at)) {
            return true;
        }
        if (at == 0 || at >= text.length()) {
            return at >= text.length() && at > 0 && text.link(at - 1) > 0;
        }
        boolean code = text.is(at, Characters.CODE) != text.is(at - 1, Characters.CODE);
        return text.link(at) != text.link(at - 1)
                || code
                || text.is(at, Characters.OWN)
                || text.is(at - 1, Characters.OWN);
    }

    /** Only what may open before something that may close is structure, or the other way round. */
    private void emphasis(List<Run> delimiterRuns, boolean ours) {
        int firstOpen = Integer.MAX_VALUE;
        int lastClosing = -1;
        for (Run run : delimiterRuns) {
            firstOpen = run.opens ? Math.min(firstOpen, run.start) : firstOpen;
            lastClosing = run.closes ? run.start : lastClosing;
        }
        for (Run run : delimiterRuns) {
            boolean paired = (run.opens && run.start < lastClosing) || (run.closes && run.start > firstOpen);
            if (paired || (ours && (run.opens || run.closes))) {
                runs.set(run.start, run.end);
            }
        }
    }

    /** CommonMark 0.31 §6.1: one with a backslash before it can still end code. */
    private void code(List<Run> delimiterRuns, boolean ours) {
        if (ours || delimiterRuns.size() > 1) {
            delimiterRuns.forEach(run -> runs.set(run.start, run.end));
        }
    }

    /** CommonMark 0.31 §4.2: signs at the end of a heading are none of it. */
    private void headingEnd() {
        int start = text.length();
        while (start > 0 && text.at(start - 1) == '#') {
            start--;
        }
        if (start < text.length() && (start == 0 || text.at(start - 1) == ' ')) {
            starts.set(start);
        }
    }

    /** Whether a character would begin a block where it stands. */
    boolean isAtStart(int i) {
        return starts.get(i);
    }

    /** Whether a character that is neither code nor ours is escaped. */
    boolean isAt(int i) {
        if (starts.get(i) || runs.get(i)) {
            return true;
        }
        boolean inLink = text.link(i) > 0;
        return switch (text.at(i)) {
            case '\\' -> isBeforeSign(i + 1);
            case '[' -> inLink || isTask(i);
            case ']' -> inLink || opensTarget(i);
            case '<' -> opensTag(i);
            case '&' -> Entities.isAt(view, i);
            case '|' -> place == Place.CELL;
            default -> false;
        };
    }

    /** CommonMark 0.31 §2.4: before other characters a backslash is one; at the end of a line it breaks it. */
    private boolean isBeforeSign(int next) {
        if (next >= text.length()) {
            return isEdge(next);
        }
        char c = text.at(next);
        boolean sign = c > ' ' && c < 0x7F && !Character.isLetterOrDigit(c);
        return sign || c == '\n' || isEdge(next);
    }

    /** GFM §5.3: a box to check. */
    private boolean isTask(int i) {
        return i == 0
                && place == Place.ITEM
                && text.length() > 2
                && " xX".indexOf(text.at(1)) >= 0
                && text.at(2) == ']'
                && (text.length() == 3 || text.at(3) <= ' ');
    }

    /** Whether what follows a closing bracket would make a link or a definition of what is before it. */
    private boolean opensTarget(int i) {
        char next = i + 1 < text.length() ? text.at(i + 1) : ' ';
        boolean link = next == '(' && firstBracket < i;
        return link || (next == ':' && place.hasLines() && text.at(0) == '[');
    }

    /** CommonMark 0.31 §6.5, §6.6 and §4.6: what may be a tag, a comment or an address. */
    private boolean opensTag(int i) {
        char next = i + 1 < text.length() ? text.at(i + 1) : ' ';
        boolean named = next < 0x80 && (Character.isLetter(next) || next == '/' || next == '!' || next == '?');
        boolean first = place.hasLines() && (i == 0 || text.at(i - 1) == '\n');
        return (named && first) || (lastClose > i && (named || isMailbox(i + 1)));
    }

    /** CommonMark 0.31 §6.5: whether what may stand before the sign of an e-mail address stands before one. */
    private boolean isMailbox(int start) {
        int end = start;
        while (end < text.length() && isLocal(text.at(end))) {
            end++;
        }
        return end > start && end < text.length() && text.at(end) == '@';
    }

    private static boolean isLocal(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || LOCAL.indexOf(c) >= 0);
    }

    /** Whether the closing bracket of a picture is escaped: a target, a text of a link or a definition might follow. */
    boolean isPictureOpen(int close) {
        char next = close + 1 < text.length() ? text.at(close + 1) : ' ';
        boolean follows = next == '(' || next == '[' || next == ':';
        boolean starts = close + 1 < text.length() && text.link(close + 1) != text.link(close);
        boolean task = place == Place.ITEM && close == 2 && (text.at(1) | 0x20) == 'x' && !text.is(1, Characters.OWN);
        return follows || (starts && text.link(close + 1) > 0) || task;
    }
}
