package dev.inboxd.mail.markdown.inline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where emphasis begins and ends in a stretch of text, so that every reader finds it there (CommonMark 0.31 §6.2). What
 * no reader would find is left out: emphasis is lost rather than text.
 */
final class Emphasis {
    private static final int[] KINDS = {Characters.BOLD, Characters.ITALIC, Characters.STRUCK};
    private static final int ALL = Characters.BOLD | Characters.ITALIC | Characters.STRUCK;
    private static final int MOST_TRIES = 16;

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
        List<Span> all = nested(found(kinds));
        for (int tries = 0; tries < MOST_TRIES && !all.isEmpty(); tries++) {
            Span broken = new DelimiterCheck(text, this, all).broken();
            if (broken == null) {
                return all;
            }
            all.remove(broken);
        }
        return List.of();
    }

    private List<Span> found(int kinds) {
        List<Span> found = new ArrayList<>();
        for (int kind : KINDS) {
            int start = -1;
            for (int i = stretch.from; i <= stretch.to && (kinds & kind) != 0; i++) {
                boolean is = i < stretch.to && (looks[i] & kind) != 0;
                if (is && start < 0) {
                    start = i;
                } else if (!is && start >= 0 && !(i < stretch.to && isGap(i, kind))) {
                    Span span = fitted(kind, start, i);
                    if (span != null) {
                        found.add(span);
                    }
                    start = -1;
                }
            }
        }
        found.sort(Comparator.comparingInt(Span::start).thenComparing(Span::end, Comparator.reverseOrder()));
        return found;
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

    /** Of stretches that cross, the later one ends with the earlier one. */
    private List<Span> nested(List<Span> found) {
        List<Span> nested = new ArrayList<>(found.size());
        List<Span> open = new ArrayList<>();
        for (Span span : found) {
            while (!open.isEmpty() && open.getLast().end <= span.start) {
                open.removeLast();
            }
            Span kept = span;
            if (!open.isEmpty() && span.end > open.getLast().end) {
                kept = fitted(span.kind, span.start, open.getLast().end);
            }
            if (kept != null && (open.isEmpty() || kept.end <= open.getLast().end)) {
                nested.add(kept);
                open.add(kept);
            }
        }
        nested.sort(Comparator.comparingInt(Span::start).thenComparing(Span::end, Comparator.reverseOrder()));
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
