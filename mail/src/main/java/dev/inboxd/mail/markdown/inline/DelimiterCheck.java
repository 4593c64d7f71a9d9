package dev.inboxd.mail.markdown.inline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads delimiter runs as a reader of Markdown does (CommonMark 0.31 §6.2, "process emphasis"). */
final class DelimiterCheck {
    private final Characters text;
    private final Emphasis emphasis;
    private final List<Emphasis.Span> spans;
    private final int first;
    private final List<Opener> open = new ArrayList<>();
    private final BitSet starts = new BitSet();
    private final BitSet ends = new BitSet();
    private final BitSet starEnds = new BitSet();

    /** An opening run that is not used up. */
    private static final class Opener {
        private final char sign;
        private final int width;
        private final boolean closes;
        private int left;

        Opener(char sign, int width, boolean closes) {
            this.sign = sign;
            this.width = width;
            this.closes = closes;
            left = width;
        }
    }

    DelimiterCheck(Characters text, Emphasis emphasis, List<Emphasis.Span> spans) {
        this.text = text;
        this.emphasis = emphasis;
        this.spans = spans;
        first = spans.getFirst().start();
        for (Emphasis.Span span : spans) {
            int end = span.end() - first;
            starts.set(span.start() - first);
            ends.set(end);
            starEnds.set(end, starEnds.get(end) || span.sign() == '*');
        }
    }

    /** A span that a reader would not find as it is meant; null when all are found. */
    Emphasis.@Nullable Span broken() {
        List<Emphasis.Span> within = new ArrayList<>();
        for (int i = 0; i < spans.size(); ) {
            int at = spans.get(i).start();
            Emphasis.Span closed = closeUpTo(within, at);
            if (closed != null) {
                return closed;
            }
            int end = i;
            while (end < spans.size() && spans.get(end).start() == at) {
                end++;
            }
            for (int next = i; next < end; ) {
                int last = next;
                while (last < end && spans.get(last).sign() == spans.get(next).sign()) {
                    last++;
                }
                if (!opens(at, spans.subList(next, last), next > i, last < end)) {
                    return spans.get(last - 1);
                }
                next = last;
            }
            within.addAll(spans.subList(i, end));
            i = end;
        }
        return closeUpTo(within, text.length() + 1);
    }

    private boolean opens(int at, List<Emphasis.Span> run, boolean marked, boolean followed) {
        char sign = run.getFirst().sign();
        int width = run.stream().mapToInt(Emphasis.Span::width).sum();
        boolean touches = !marked && ends.get(at - first) && (sign == '*') == starEnds.get(at - first);
        CharKind before = marked || ends.get(at - first) ? CharKind.PUNCTUATION : emphasis.before(at);
        CharKind after = followed ? CharKind.PUNCTUATION : emphasis.after(at);
        boolean closes = CharKind.isRight(before, after);
        if (touches || !CharKind.isSurelyLeft(before, after) || (closes && isWanted(sign, width))) {
            return false;
        }
        open.add(new Opener(sign, width, closes));
        return true;
    }

    /** Whether a run that may close would close an open one. */
    private boolean isWanted(char sign, int width) {
        return open.stream().anyMatch(opener -> opener.sign == sign && opener.left > 0 && fits(opener, width, true));
    }

    private static boolean fits(Opener opener, int width, boolean both) {
        boolean either = opener.closes || both;
        boolean thirds = (opener.width + width) % 3 == 0 && !(opener.width % 3 == 0 && width % 3 == 0);
        return opener.sign == '~' ? opener.left == width : !(either && thirds);
    }

    private Emphasis.@Nullable Span closeUpTo(List<Emphasis.Span> within, int limit) {
        while (!within.isEmpty() && within.getLast().end() <= limit) {
            int at = within.getLast().end();
            List<Emphasis.Span> ending = new ArrayList<>();
            while (!within.isEmpty() && within.getLast().end() == at) {
                ending.add(within.removeLast());
            }
            for (int next = 0; next < ending.size(); ) {
                int last = next;
                while (last < ending.size()
                        && ending.get(last).sign() == ending.get(next).sign()) {
                    last++;
                }
                if (!closes(at, ending.subList(next, last), next > 0, last < ending.size())) {
                    return ending.get(last - 1);
                }
                next = last;
            }
        }
        return null;
    }

    private boolean closes(int at, List<Emphasis.Span> run, boolean marked, boolean followed) {
        int width = run.stream().mapToInt(Emphasis.Span::width).sum();
        CharKind before = marked ? CharKind.PUNCTUATION : emphasis.before(at);
        CharKind after = followed || starts.get(at - first) ? CharKind.PUNCTUATION : emphasis.after(at);
        boolean both = CharKind.isLeft(before, after);
        if (!CharKind.isSurelyRight(before, after)) {
            return false;
        }
        for (Emphasis.Span span : run) {
            if (open.isEmpty()) {
                return false;
            }
            Opener opener = open.getLast();
            boolean fits = opener.sign == span.sign() && fits(opener, width, both);
            int used = width - usedBefore(run, span) >= 2 && opener.left >= 2 ? 2 : 1;
            if (!fits || used != span.width()) {
                return false;
            }
            opener.left -= used;
            if (opener.left == 0) {
                open.removeLast();
            }
        }
        return true;
    }

    private static int usedBefore(List<Emphasis.Span> run, Emphasis.Span span) {
        int used = 0;
        for (Emphasis.Span earlier : run) {
            if (earlier.equals(span)) {
                return used;
            }
            used += earlier.width();
        }
        return used;
    }
}
