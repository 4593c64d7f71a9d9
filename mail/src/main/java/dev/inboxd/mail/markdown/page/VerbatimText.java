package dev.inboxd.mail.markdown.page;

import dev.inboxd.mail.text.HtmlText;
import org.jsoup.nodes.Element;

/** Elements whose spaces and lines stay as they are. */
public final class VerbatimText {
    private VerbatimText() {}

    /** Whether an element is preformatted text. */
    public static boolean is(SeenNodes nodes, int i) {
        String name = nodes.name(i);
        boolean pre = name.equals("pre") || name.equals("listing") || name.equals("xmp");
        boolean fixed = nodes.is(i, SeenNodes.FIXED) && nodes.is(i, SeenNodes.BLOCK);
        return nodes.is(i, SeenNodes.PRESERVED) && (pre || fixed);
    }

    /** Its text. */
    public static CharSequence text(SeenNodes nodes, int element) {
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
        nodes.work().spend(text.length());
        return text;
    }
}
