package dev.inboxd.mail.markdown.inline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes the characters of a block as Markdown. */
final class InlineWriter {
    private final Characters text;
    private final Place place;
    private final StringBuilder out;
    private final BitSet marks = new BitSet();
    private final Map<Integer, List<Emphasis.Span>> inLinks = new HashMap<>();
    private final List<Emphasis.Span> around;
    private final Escapes escapes;
    private int[] targets = new int[8];
    private int ends;

    InlineWriter(Characters text, Place place) {
        this.text = text;
        this.place = place;
        out = new StringBuilder(text.length() + 16);
        int[] looks = looks();
        around = new Emphasis(text, new Emphasis.Stretch(0, text.length(), false), looks).spans();
        StringBuilder signs = new StringBuilder(2);
        note(around, signs);
        if (text.hasLinks()) {
            inLinks(looks, signs);
        }
        escapes = new Escapes(text, place, marks, signs.toString());
    }

    /** Finds the emphasis within links, but for that of the whole link. */
    private void inLinks(int[] around, StringBuilder signs) {
        int[] looks = Arrays.copyOf(text.looks(), text.length());
        for (int i = 0; i < looks.length; ) {
            int end = endOfLink(i);
            if (end > i) {
                int linkStyle = around[i] & (Characters.BOLD | Characters.ITALIC | Characters.STRUCK);
                for (int k = i; k < end; k++) {
                    looks[k] &= ~linkStyle;
                }
                List<Emphasis.Span> spans = new Emphasis(text, new Emphasis.Stretch(i, end, true), looks).spans();
                if (!spans.isEmpty()) {
                    inLinks.put(i, spans);
                    note(spans, signs);
                }
            }
            i = Math.max(end, i + 1);
        }
    }

    /** The looks, in links only those that the whole of the link has. */
    private int[] looks() {
        int[] looks = Arrays.copyOf(text.looks(), text.length());
        if (!text.hasLinks()) {
            return looks;
        }
        for (int i = 0; i < looks.length; ) {
            int end = endOfLink(i);
            if (text.link(i) > 0) {
                int shared = -1;
                for (int k = i; k < end; k++) {
                    shared &= looks[k];
                }
                Arrays.fill(looks, i, end, shared);
            }
            i = Math.max(end, i + 1);
        }
        return looks;
    }

    private void note(List<Emphasis.Span> spans, StringBuilder signs) {
        for (Emphasis.Span span : spans) {
            marks.set(span.start());
            marks.set(span.end());
            if (signs.indexOf(String.valueOf(span.sign())) < 0) {
                signs.append(span.sign());
            }
        }
    }

    private int endOfLink(int start) {
        int end = start;
        int link = start < text.length() ? text.link(start) : 0;
        while (link > 0 && end < text.length() && text.link(end) == link) {
            end++;
        }
        return end;
    }

    InlineMarkdown write() {
        write(0, text.length(), around, false);
        return new InlineMarkdown(out.toString(), Arrays.copyOf(targets, ends));
    }

    private void write(int from, int to, List<Emphasis.Span> spans, boolean inLink) {
        List<Emphasis.Span> open = new ArrayList<>(2);
        int next = 0;
        for (int i = from; i <= to; ) {
            while (!open.isEmpty() && open.getLast().end() <= i) {
                out.append(open.removeLast().mark());
            }
            while (next < spans.size() && spans.get(next).start() <= i) {
                out.append(spans.get(next).mark());
                open.add(spans.get(next++));
            }
            if (i == to) {
                return;
            }
            int end = inLink ? i : endOfLink(i);
            if (end > i) {
                link(i, end);
                i = end;
            } else if (text.is(i, Characters.CODE)) {
                i = code(i, to);
            } else {
                character(i++, inLink);
            }
        }
    }

    private void character(int i, boolean inLink) {
        char c = text.at(i);
        if (c == Characters.PICTURE) {
            return; // no text of a mail has it
        }
        boolean escaped = text.is(i, Characters.OWN)
                ? isPictureEscaped(i, inLink)
                : escapes.isAt(i) || (c == '!' && i + 1 < text.length() && !inLink && isBracketed(i + 1));
        out.append(escaped ? "\\" : "").append(c);
    }

    private boolean isPictureEscaped(int i, boolean inLink) {
        if (text.at(i) != '[') {
            return text.at(i) == ']' && escapes.isPictureOpen(i);
        }
        if (escapes.isAtStart(i)) {
            return true;
        }
        int close = i;
        while (inLink && close < text.length() && !(text.is(close, Characters.OWN) && text.at(close) == ']')) {
            close++;
        }
        return inLink && close < text.length() && escapes.isPictureOpen(close);
    }

    /** Whether a link begins there, and with a bracket. */
    private boolean isBracketed(int i) {
        return text.link(i) > 0 && !isAutolink(i, endOfLink(i));
    }

    private boolean isAutolink(int start, int end) {
        String target = text.target(text.link(start));
        String words = new String(text.chars(), start, end - start);
        return LinkDestination.isSame(words, target) && LinkDestination.isAutolink(target);
    }

    private void link(int start, int end) {
        String target = text.target(text.link(start));
        if (isAutolink(start, end)) {
            mark();
            out.append('<').append(target).append('>');
            mark();
            return;
        }
        boolean picture = isPicture(start, end);
        out.append(picture ? "" : "[");
        write(start, end, inLinks.getOrDefault(start, List.of()), true);
        out.append(picture ? "" : "]");
        int close = out.length() - 1;
        mark(close);
        String written = LinkDestination.bracketed(target);
        out.append('(')
                .append(place == Place.CELL ? written.replace("|", "\\|") : written)
                .append(')');
        mark();
    }

    /** Whether a link is one picture: then its brackets are those of the link. */
    private boolean isPicture(int start, int end) {
        int close = start + 1;
        while (close < end && !text.is(close, Characters.OWN)) {
            close++;
        }
        boolean picture = text.is(start, Characters.OWN) && close == end - 1;
        return picture && inLinks.getOrDefault(start, List.of()).isEmpty();
    }

    private void mark() {
        mark(out.length());
    }

    private void mark(int at) {
        if (ends == targets.length) {
            targets = Arrays.copyOf(targets, 2 * ends);
        }
        targets[ends++] = at;
    }

    private int code(int start, int to) {
        int end = start;
        int link = text.link(start);
        while (end < to && text.is(end, Characters.CODE) && text.link(end) == link) {
            end++;
        }
        String code = new String(text.chars(), start, end - start);
        String fence = "`".repeat(width(code));
        String pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
        String written = place == Place.CELL ? code.replace("|", "\\|") : code;
        out.append(fence).append(pad).append(written).append(pad).append(fence);
        return end;
    }

    /** The least width that no run of backticks in it has. */
    private static int width(String code) {
        Set<Integer> runs = new HashSet<>();
        for (int i = 0; i < code.length(); i++) {
            int start = i;
            while (i < code.length() && code.charAt(i) == '`') {
                i++;
            }
            if (i > start) {
                runs.add(i - start);
            }
        }
        int width = 1;
        while (runs.contains(width)) {
            width++;
        }
        return width;
    }
}
