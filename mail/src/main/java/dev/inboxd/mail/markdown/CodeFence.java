package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.BacktickFence;
import dev.inboxd.mail.markdown.inline.MailCharacters;

/** Preformatted text: a block between fences that no line in it can end (CommonMark 0.31 §4.5). */
final class CodeFence {
    private CodeFence() {}

    /** Writes lines, without the empty ones around them; nothing when all are. */
    static void write(CharSequence text, MarkdownBlocks blocks) {
        String code = MailCharacters.preformatted(text).stripTrailing();
        if (code.isEmpty()) {
            return;
        }
        String fence = BacktickFence.of(text);
        blocks.begin();
        blocks.line(fence);
        boolean begun = false;
        for (int start = 0; start <= code.length(); ) {
            int lineFeed = code.indexOf('\n', start);
            int end = lineFeed < 0 ? code.length() : lineFeed;
            String line = code.substring(start, end).stripTrailing();
            begun |= !line.isEmpty();
            if (begun) {
                blocks.line(line);
            }
            start = end + 1;
        }
        blocks.line(fence);
        blocks.end(false);
    }
}
