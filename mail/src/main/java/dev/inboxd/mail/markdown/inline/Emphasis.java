package dev.inboxd.mail.markdown.inline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Where emphasis begins and ends in a stretch of text, so that every reader finds it there (CommonMark 0.31 §6.2). What
 * no reader would find is left out: emphasis is lost rather than text.
 */
final class Emphasis {
    private static final int[] KINDS = {Characters.BOLD, Characters.ITALIC, Characters.STRUCK};
    private static final int ALL = Characters.BOLD | Characters.ITALIC | Characters.STRUCK;
    private static final int MOST_TRIES = 16;
    /** Of two at one place the strong one stands within: so a reader takes three signs apart (CommonMark 0.31 §6.2). */
    private static final Comparator<Span> ORDER = Comparator.comparingInt(Span::start)
            .thenComparing(Span::end, Comparator.reverseOrder())
            .thenComparing(Span::kind, Comparator.reverseOrder());

    private final Characters text;
    private final Stretch stretch;
    private final int[] looks;

    /** A stretch with emphasis. */
    record Span(int kind, int start, int end) {
        String mark() {
            return kind == Characters.BOLD ? "**" : kind == Characters.ITALIC ? "*" : "~~";
        }

        char sign() {
            return kind == Characters.STRUCK ? '~' : '*';
        }

        int width() {
            return kind == Characters.ITALIC ? 1 : 2;
        }
    }

    /**
     * A part of a text.
     *
     * @param inLink whether it is the text of a link, which brackets surround
     */
    record Stretch(int from, int to, boolean inLink) {}

    /** @param looks of the characters, as far as they are not told elsewhere */
    Emphasis(Characters text, Stretch stretch, int[] looks) {
        this.text = text;
        this.stretch = stretch;
        this.looks = looks;
    }

    /** The stretches, each within those around it; by their starts, the longer one first. */
    List<Span> spans() {
        int kinds = 0;
        for (int i = stretch.from; i < stretch.to; i++) {
            kinds |= looks[i];
        }
        if ((kinds & ALL) == 0) {
            return List.of();
        }
        List<Span> all = nested(candidates(kinds));
        List<Span> marked = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); ) {
            int end = endOfGroup(all, i);
            marked.addAll(readable(all.subList(i, end)));
            i = end;
        }
        return marked;
    }

    /** Behind the last one that stands within others or touches them: signs elsewhere do not change what theirs are. */
    private static int endOfGroup(List<Span> all, int from) {
        int last = all.get(from).end;
        int i = from + 1;
        while (i < all.size() && all.get(i).start <= last) {
            last = Math.max(last, all.get(i++).end);
        }
        return i;
    }

    /** Those of a group that a reader finds. */
    private List<Span> readable(List<Span> group) {
        List<Span> left = new ArrayList<>(group);
        for (int tries = 0; tries < MOST_TRIES && !left.isEmpty(); tries++) {
            Span broken = new DelimiterCheck(text, this, left).broken();
            if (broken == null) {
                return left;
            }
            left.remove(leastOf(left, broken));
        }
        left = new ArrayList<>(group);
        left.removeIf(span ->
                span.kind != Characters.STRUCK || new DelimiterCheck(text, this, List.of(span)).broken() != null);
        return left;
    }

    /** What is left out for one that no reader would find: rather what touches it than that something is struck. */
    private static Span leastOf(List<Span> group, Span broken) {
        for (Span span : group) {
            boolean touches = span.start == broken.start
                    || span.end == broken.end
                    || span.start == broken.end
                    || span.end == broken.start;
            if (touches && broken.kind == Characters.STRUCK && span.kind != Characters.STRUCK) {
                return span;
            }
        }
        return broken;
    }

    private List<Span> candidates(int kinds) {
        List<Span> spans = new ArrayList<>();
        for (int kind : KINDS) {
            int start = -1;
            for (int i = stretch.from; i <= stretch.to && (kinds & kind) != 0; i++) {
                boolean is = i < stretch.to && (looks[i] & kind) != 0;
                if (is && start < 0) {
                    start = i;
                } else if (!is && start >= 0 && !(i < stretch.to && isGap(i, kind))) {
                    Span span = fitted(kind, start, i);
                    if (span != null) {
                        spans.add(span);
                    }
                    start = -1;
                }
            }
        }
        return spans;
    }

    /** Whether only white space stands between two stretches of a kind. */
    private boolean isGap(int at, int kind) {
        int i = at;
        while (i < stretch.to && (text.at(i) == ' ' || text.at(i) == '\n')) {
            i++;
        }
        return i > at && i < stretch.to && (looks[i] & kind) != 0;
    }

    /** The part of a stretch whose ends can be marked; null when there is none. */
    private @Nullable Span fitted(int kind, int first, int last) {
        int start = first;
        while (start < last && !CharKind.isSurelyLeft(before(start), after(start))) {
            if (isWhole(start)) {
                return null;
            }
            start += Character.charCount(Character.codePointAt(text.chars(), start, text.length()));
        }
        int end = last;
        while (end > start && !CharKind.isSurelyRight(before(end), after(end))) {
            if (isWhole(end - 1)) {
                return null;
            }
            end -= Character.charCount(Character.codePointBefore(text.chars(), end, stretch.from));
        }
        return start < end ? new Span(kind, start, end) : null;
    }

    /** Of stretches that cross, the later one ends with the earlier one, and begins anew behind it. */
    private List<Span> nested(List<Span> candidates) {
        List<Span> nested = new ArrayList<>(candidates.size());
        List<Span> open = new ArrayList<>();
        PriorityQueue<Span> left = new PriorityQueue<>(ORDER);
        left.addAll(candidates);
        for (Span span = left.poll(); span != null; span = left.poll()) {
            while (!open.isEmpty() && open.getLast().end <= span.start) {
                open.removeLast();
            }
            int limit = open.isEmpty() ? span.end : Math.min(span.end, open.getLast().end);
            Span head = limit == span.end ? span : fitted(span.kind, span.start, limit);
            Span tail = limit == span.end ? null : fitted(span.kind, limit, span.end);
            if (tail != null) {
                left.add(tail);
            }
            if (head != null && head.start > span.start) {
                left.add(head);
            } else if (head != null) {
                nested.add(head);
                open.add(head);
            }
        }
        nested.sort(ORDER);
        return nested;
    }

    /** What stands before a place, as it is written. */
    CharKind before(int at) {
        if (at <= stretch.from) {
            return stretch.inLink ? CharKind.PUNCTUATION : text.kindBefore(at);
        }
        return isWhole(at - 1) && text.at(at - 1) != ' ' ? CharKind.PUNCTUATION : text.kindBefore(at);
    }

    /** What stands behind a place, as it is written. */
    CharKind after(int at) {
        if (at >= stretch.to) {
            return stretch.inLink ? CharKind.PUNCTUATION : text.kindAt(at);
        }
        return isWhole(at) && text.at(at) != ' ' ? CharKind.PUNCTUATION : text.kindAt(at);
    }

    /** Whether it is part of what is not taken apart, and has signs of its own around it. */
    private boolean isWhole(int at) {
        return stretch.inLink ? text.is(at, Characters.CODE | Characters.OWN) : text.isWhole(at);
    }
}
