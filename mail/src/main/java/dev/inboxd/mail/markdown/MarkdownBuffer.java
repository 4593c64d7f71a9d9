package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.page.RenderWork;
import java.util.Arrays;

/** Keeps the Markdown of a mail until it is known to be whole. */
final class MarkdownBuffer implements MarkdownSink {
    /** So many characters at most: what is copied into many places of a mail has a bound. */
    private static final int MOST = 3 * 1024 * 1024;

    private static final int KINDS = 4;
    private static final int BLOCK_END = 0;
    private static final int TARGET_START = 1;
    private static final int TARGET_END = 2;

    private final RenderWork work;
    private final StringBuilder text = new StringBuilder();
    /** Where something was told, each with what it was. */
    private int[] places = new int[64];

    private int size;
    private boolean full;

    MarkdownBuffer(RenderWork work) {
        this.work = work;
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /** Whether there was more than can be kept. */
    boolean isFull() {
        return full;
    }

    @Override
    public void text(CharSequence more) {
        work.spend(more.length());
        full |= more.length() > MOST - text.length();
        if (!full) {
            text.append(more);
        }
    }

    @Override
    public void blockEnd() {
        add(BLOCK_END);
    }

    @Override
    public void targetStart() {
        add(TARGET_START);
    }

    @Override
    public void targetEnd() {
        add(TARGET_END);
    }

    private void add(int kind) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size++] = text.length() * KINDS + kind;
    }

    /** Hands it on. */
    void copyTo(MarkdownSink sink) {
        int from = 0;
        for (int i = 0; i < size; i++) {
            int place = places[i] / KINDS;
            if (place > from) {
                sink.text(text.substring(from, place));
            }
            from = place;
            switch (places[i] % KINDS) {
                case BLOCK_END -> sink.blockEnd();
                case TARGET_START -> sink.targetStart();
                default -> sink.targetEnd();
            }
        }
        if (from < text.length()) {
            sink.text(text.substring(from));
        }
    }
}
