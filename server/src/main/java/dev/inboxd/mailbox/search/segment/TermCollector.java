package dev.inboxd.mailbox.search.segment;

import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mail.text.Words;
import java.util.Arrays;
import java.util.List;

/** Collects the terms of a message. */
public final class TermCollector {
    /** Different terms of one message, roughly; a body with a million different words is not a text. */
    private static final int MOST = 30_000;

    private static final int LONGEST_HEADER = 20_000;
    public static final int PART = 3;

    private long[] keys = new long[512];
    private int size;

    private TermCollector() {}

    /**
     * The keys of a message's terms, sorted, without duplicates.
     *
     * @param headers sender, recipients, subject
     * @param body its indexed text in NFC
     */
    public static long[] of(List<String> headers, String body) {
        TermCollector terms = new TermCollector();
        int left = LONGEST_HEADER;
        for (String header : headers) {
            terms.header(header.substring(0, Math.min(left, header.length())));
            left -= Math.min(left, header.length());
        }
        terms.body(body);
        return terms.sorted();
    }

    private void header(String text) {
        Words words = new Words(TextFolding.composed(text));
        while (words.next()) {
            CharSequence word = words.folded();
            if (words.unspaced()) {
                characters(TermKey.Kind.HEADER_PART, word);
            } else {
                add(TermKey.of(TermKey.Kind.HEADER, word));
                for (int i = 0; i + PART <= word.length(); i++) {
                    add(TermKey.of(TermKey.Kind.HEADER_PART, word, i, i + PART));
                }
            }
        }
    }

    private void body(String text) {
        Words words = new Words(text);
        while (hasRoom() && words.next()) {
            if (words.unspaced()) {
                characters(TermKey.Kind.BODY, words.folded());
            } else {
                add(TermKey.of(TermKey.Kind.BODY, words.folded()));
            }
        }
    }

    /** Adds each character and each pair of characters, which are the look-ups for a part of a text without spaces. */
    private void characters(TermKey.Kind kind, CharSequence text) {
        for (int i = 0; i < text.length() && hasRoom(); i++) {
            add(TermKey.of(kind, text, i, i + 1));
            if (i + 2 <= text.length()) {
                add(TermKey.of(kind, text, i, i + 2));
            }
        }
    }

    /** Removes duplicates only when that frees much room, so that a long text costs little. */
    private boolean hasRoom() {
        if (size >= 2 * MOST) {
            size = distinct();
            return size < MOST;
        }
        return true;
    }

    private void add(long key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
        }
        keys[size++] = key;
    }

    private long[] sorted() {
        return Arrays.copyOf(keys, distinct());
    }

    /** Sorts and removes duplicates; returns the number of keys left. */
    private int distinct() {
        Arrays.sort(keys, 0, size);
        int distinct = 0;
        for (int i = 0; i < size; i++) {
            if (distinct == 0 || keys[i] != keys[distinct - 1]) {
                keys[distinct++] = keys[i];
            }
        }
        return distinct;
    }
}
