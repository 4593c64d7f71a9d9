package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineClassifier;
import dev.inboxd.mail.reply.line.TextLine;
import java.util.BitSet;
import java.util.List;

/** Extracts the sender's own words from a plain text. */
final class ReplyText {
    private ReplyText() {}

    /** The lines of the text that its sender wrote anew, without empty lines around them; may be empty. */
    static String of(String text) {
        return of(TextLine.split(text), text.length());
    }

    /** The same of a text whose lines were joined. */
    static String ofFlowed(String text) {
        return of(TextLine.split(text).stream().map(TextLine::unstuffed).toList(), text.length());
    }

    private static String of(List<TextLine> lines, int length) {
        BitSet keptLines = QuoteCutter.of(lines, LineClassifier.of(lines)).keptLines();
        StringBuilder own = new StringBuilder(length);
        for (int i = keptLines.nextSetBit(0); i >= 0; i = keptLines.nextSetBit(i + 1)) {
            if (!own.isEmpty() || !lines.get(i).isEmpty()) {
                own.append(lines.get(i).text()).append('\n');
            }
        }
        return own.toString().stripTrailing();
    }
}
