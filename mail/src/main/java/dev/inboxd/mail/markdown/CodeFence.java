package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.MailCharacters;
import dev.inboxd.mail.markdown.page.SeenNodes;
import dev.inboxd.mail.text.HtmlText;
import java.util.List;
import org.jsoup.nodes.Element;

/** Preformatted text: a block between fences that no line in it can end (CommonMark 0.31 §4.5). */
final class CodeFence {
    private static final int LEAST = 3;

    private CodeFence() {}

    /** Whether an element is preformatted text. */
    static boolean is(SeenNodes nodes, int i) {
        String name = nodes.name(i);
        boolean pre = name.equals("pre") || name.equals("listing") || name.equals("xmp");
        boolean fixed = nodes.is(i, SeenNodes.FIXED) && nodes.is(i, SeenNodes.BLOCK);
        return nodes.is(i, SeenNodes.KEPT) && (pre || fixed);
    }

    /** Writes the text of an element. */
    static void write(SeenNodes nodes, int element, MarkdownBlocks blocks) {
        StringBuilder text = new StringBuilder();
        for (int i = element + 1; i < nodes.end(element); i++) {
            String name = nodes.name(i);
            if (name.equals("br")
                    || (nodes.is(i, SeenNodes.BLOCK) && !text.isEmpty() && text.charAt(text.length() - 1) != '\n')) {
                text.append('\n');
            }
            if (name.equals("img") && nodes.is(i, SeenNodes.PICTURE) && nodes.node(i) instanceof Element picture) {
                String words = HtmlText.pictureWords(picture);
                text.append(words == null ? "" : "[" + words + "]");
            }
            text.append(nodes.text(i));
        }
        write(text, blocks);
    }

    /** Writes lines, without the empty ones around them; nothing when all are. */
    static void write(CharSequence text, MarkdownBlocks blocks) {
        List<String> lines = MailCharacters.preformatted(text)
                .lines()
                .map(String::stripTrailing)
                .toList();
        int first = 0;
        int end = lines.size();
        while (first < end && lines.get(first).isEmpty()) {
            first++;
        }
        while (end > first && lines.get(end - 1).isEmpty()) {
            end--;
        }
        if (first == end) {
            return;
        }
        String fence = "`".repeat(width(text));
        blocks.begin();
        blocks.line(fence);
        lines.subList(first, end).forEach(blocks::line);
        blocks.line(fence);
        blocks.end(false);
    }

    private static int width(CharSequence text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return Math.max(LEAST, longest + 1);
    }
}
