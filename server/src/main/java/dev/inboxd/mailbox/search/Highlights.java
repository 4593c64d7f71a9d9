package dev.inboxd.mailbox.search;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mail.text.Words;
import dev.inboxd.mailbox.search.segment.SearchText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Highlights of a query: fragments of the fields, with two asterisks before and after each match (mail.md §4.8). */
final class Highlights {
    static final int MOST_FRAGMENTS = 3;
    static final int LONGEST = 160;
    private static final String MARK = "**";
    private static final int BEFORE = 40;
    private static final int MOST_SPANS = 300;

    private final SearchQuery query;

    Highlights(SearchQuery query) {
        this.query = query;
    }

    /** A match in a text. */
    private record Span(int start, int end) {}

    /**
     * The highlights of a message or a thread.
     *
     * @param from the sender, or the senders of a thread
     * @param text the indexed text of the body
     * @return a member for each field with a match, or null when no field has one
     */
    @Nullable
    JsonObject of(List<String> from, List<String> recipients, @Nullable String subject, String text) {
        List<String> fromShown = fragments(from);
        List<String> recipientsShown = fragments(recipients);
        List<String> subjectShown = fragments(subject == null ? List.of() : List.of(subject));
        List<String> textShown = fragments(TextFolding.composed(text), false);
        boolean none =
                fromShown.isEmpty() && recipientsShown.isEmpty() && subjectShown.isEmpty() && textShown.isEmpty();
        return none
                ? null
                : JsonObject.of("from", nonEmpty(fromShown))
                        .with("recipients", nonEmpty(recipientsShown))
                        .with("subject", nonEmpty(subjectShown))
                        .with("text", nonEmpty(textShown));
    }

    private List<String> fragments(List<String> values) {
        List<String> fragments = new ArrayList<>();
        for (String value : values) {
            if (fragments.size() < MOST_FRAGMENTS) {
                fragments.addAll(fragments(SearchText.collapsed(TextFolding.composed(value)), true));
            }
        }
        return fragments.subList(0, Math.min(fragments.size(), MOST_FRAGMENTS));
    }

    private static @Nullable List<String> nonEmpty(List<String> fragments) {
        return fragments.isEmpty() ? null : fragments;
    }

    private List<String> fragments(String text, boolean header) {
        List<Span> spans = spans(text, header);
        List<String> fragments = new ArrayList<>();
        int from = 0;
        int next = 0;
        while (next < spans.size() && fragments.size() < MOST_FRAGMENTS) {
            int start = startBefore(text, from, spans.get(next).start);
            Fragment fragment = new Fragment(text, start);
            while (next < spans.size() && fragment.takes(spans.get(next))) {
                next++;
            }
            fragments.add(fragment.end());
            from = fragment.position;
            while (next < spans.size() && spans.get(next).start < from) {
                next++;
            }
        }
        return fragments;
    }

    /** The start of a fragment: some characters before a match, from the beginning of a word on. */
    private static int startBefore(String text, int from, int span) {
        int start = Math.max(from, span - BEFORE);
        if (start > 0) {
            int space = text.indexOf(' ', start - 1);
            start = space < 0 || space >= span ? span : space + 1;
        }
        return start;
    }

    /** A fragment while it grows. */
    private static final class Fragment {
        private final StringBuilder out = new StringBuilder();
        private final String text;
        private int position;

        Fragment(String text, int start) {
            this.text = text;
            this.position = start;
        }

        boolean takes(Span span) {
            int end = span.end;
            if (out.isEmpty()) {
                end = cut(text, span.start, Math.min(end, span.start + LONGEST - BEFORE - 2 * MARK.length()));
            }
            if (out.length() + end - position + 2 * MARK.length() > LONGEST) {
                return false;
            }
            out.append(text, position, span.start)
                    .append(MARK)
                    .append(text, span.start, end)
                    .append(MARK);
            position = end;
            return true;
        }

        /** Adds the characters that follow, up to the end of a word. */
        String end() {
            int end = Math.min(text.length(), position + LONGEST - out.length());
            if (end < text.length()) {
                int space = text.lastIndexOf(' ', end);
                end = space > position ? space : position;
            }
            out.append(text, position, end);
            position = end;
            return out.toString().strip();
        }

        /** Never cuts within a surrogate pair. */
        private static int cut(String text, int start, int end) {
            return end > start + 1 && end < text.length() && Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
        }
    }

    private List<Span> spans(String text, boolean header) {
        List<Span> spans = new ArrayList<>();
        Words words = new Words(text);
        while (spans.size() < MOST_SPANS && words.next()) {
            String folded = words.folded().toString();
            for (SearchQuery.Word word : query.words()) {
                if (fits(word, folded, words.unspaced(), header)) {
                    add(spans, text, words, folded, word);
                    break;
                }
            }
        }
        return spans;
    }

    private boolean fits(SearchQuery.Word word, String folded, boolean unspaced, boolean header) {
        if (word.unspaced() != unspaced) {
            return false;
        }
        if (word.unspaced() || (header && !word.start())) {
            return folded.contains(word.folded());
        }
        boolean start = word.start() && (header || query.isOneWord());
        return start ? folded.startsWith(word.folded()) : folded.equals(word.folded());
    }

    /** Adds every match in the word, with its offsets mapped from the folded letters back to the original ones. */
    private static void add(List<Span> spans, String text, Words shown, String folded, SearchQuery.Word word) {
        List<Integer> places = new ArrayList<>();
        for (int at = folded.indexOf(word.folded());
                at >= 0 && places.size() < MOST_SPANS;
                at = word.start()
                        ? -1
                        : folded.indexOf(word.folded(), at + word.folded().length())) {
            places.add(at);
        }
        StringBuilder again = new StringBuilder();
        int start = -1;
        int place = 0;
        for (int i = shown.start(); i < shown.end() && place < places.size(); ) {
            int c = text.codePointAt(i);
            if (start < 0 && again.length() >= places.get(place)) {
                start = i;
            }
            TextFolding.append(c, again);
            i += Character.charCount(c);
            if (start >= 0
                    && again.length() >= places.get(place) + word.folded().length()) {
                spans.add(new Span(start, i));
                start = -1;
                place++;
            }
        }
    }
}
