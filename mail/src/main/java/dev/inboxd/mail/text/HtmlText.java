package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Renders HTML mail as plain text, what a person sees of it: blocks become lines, lists get dashes, links keep their
 * words, preformatted text keeps its lines and blanks, and pictures are {@code [what they say]}, within a link without
 * the brackets.
 */
public final class HtmlText {
    private HtmlText() {}

    /**
     * Renders HTML. Depth beyond 512 and nodes beyond 50,000 are left out.
     *
     * @param html of any quality
     * @return lines without trailing spaces, at most one empty line between them unless they are preformatted; empty
     *     when nothing is visible
     */
    public static String render(String html) {
        return render(ShownHtml.of(html));
    }

    /** Renders HTML that was read already, as {@link #render(String)} does. */
    public static String render(ShownHtml html) {
        return joined(lines(html));
    }

    /** Whether an element is a picture whose words are shown. */
    public static boolean isSpokenPicture(Element element, Appearance appearance) {
        return PictureWords.of(element, appearance) != null;
    }

    /** What a picture says where it is shown; null for other elements, for a tiny one and for one that says nothing. */
    public static @Nullable String pictureWords(Element element) {
        return PictureWords.of(element);
    }

    /** Whether attributes of a picture say that it has at most three points in a direction. */
    public static boolean isTinyPicture(Element element) {
        return PictureWords.isTiny(element);
    }

    private static String joined(List<HtmlLine> lines) {
        var text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\n").append(lines.get(i).text());
        }
        return text.toString();
    }

    /** The same, line by line; neither the first nor the last is empty. */
    public static List<HtmlLine> lines(ShownHtml html) {
        var renderer = new LineRenderer(Integer.MAX_VALUE);
        html.visit(renderer);
        return renderer.lines();
    }
}
