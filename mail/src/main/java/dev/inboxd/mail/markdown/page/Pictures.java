package dev.inboxd.mail.markdown.page;

import dev.inboxd.mail.text.HtmlText;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** What stands for the pictures of a mail. */
public final class Pictures {
    private static final Set<String> NAMES = Set.of("img", "input", "svg", "video", "object", "canvas");
    private static final int FIRST_SIGN = 0x203C;

    private Pictures() {}

    /** Whether a node is a picture that is seen. */
    public static boolean isSeen(SeenNodes nodes, int i) {
        return NAMES.contains(nodes.name(i))
                && nodes.is(i, SeenNodes.PICTURE)
                && nodes.node(i) instanceof Element element
                && !HtmlText.isTinyPicture(element)
                && (!element.nameIs("input") || element.attr("type").strip().equalsIgnoreCase("image"));
    }

    /** The words of a picture, or the name of the file that it is; null when nothing stands for it. */
    public static @Nullable String words(HtmlMail mail, int i) {
        if (!isSeen(mail.nodes(), i) || !(mail.nodes().node(i) instanceof Element element)) {
            return null;
        }
        String words = HtmlText.pictureWords(element);
        if (words != null && (words.codePoints().anyMatch(Character::isLetterOrDigit) || isSign(words))) {
            return words;
        }
        return element.nameIs("img") ? mail.file(element.attr("src").strip()) : null;
    }

    /** Whether the words are an emoji, which stands for itself. */
    public static boolean isSign(String words) {
        return words.codePoints().noneMatch(Character::isLetterOrDigit)
                && words.codePoints().anyMatch(c -> c >= FIRST_SIGN && Character.isEmoji(c));
    }
}
