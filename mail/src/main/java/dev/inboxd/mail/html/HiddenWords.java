package dev.inboxd.mail.html;

import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/** Looks for words that a person does not see. */
final class HiddenWords implements ShownHtml.Visitor {
    private boolean hidden;

    @Override
    public boolean open(Element element, Appearance appearance) {
        return !hidden;
    }

    @Override
    public void text(TextNode text, Appearance appearance) {
        hidden |= !appearance.isShown() && text.getWholeText().chars().anyMatch(Character::isLetterOrDigit);
    }

    boolean areFound() {
        return hidden;
    }

    /** Whether a comment has words. Numbers alone are settings of some program. */
    static boolean areIn(Comment comment) {
        return HtmlComments.words(comment.getData()).chars().anyMatch(Character::isLetter);
    }
}
