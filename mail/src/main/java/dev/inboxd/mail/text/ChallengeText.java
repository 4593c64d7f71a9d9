package dev.inboxd.mail.text;

import dev.inboxd.mail.html.ShownHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a mail says, as far as a code or a link is looked for in it: what its sender wrote anew, because a quotation
 * holds what was asked before.
 *
 * @param subject of the mail; null when there is none
 * @param text the extracted text; null when there is none
 * @param html the extracted HTML with the style sheets of the mail; null when there is none
 */
public record ChallengeText(
        @Nullable String subject,
        @Nullable String text,
        @Nullable ShownHtml html) {
    private static final int LONGEST_TEXT = 20_000;
    private static final int LONGEST_LINE = 1_000;
    private static final int MOST_LINES = 400;

    /** The first lines of the text that have something in them, each without spaces around it. */
    List<String> lines() {
        String whole = text == null ? "" : text;
        return whole.substring(0, Math.min(whole.length(), LONGEST_TEXT))
                .lines()
                .map(line ->
                        line.substring(0, Math.min(line.length(), LONGEST_LINE)).strip())
                .filter(line -> !line.isEmpty())
                .limit(MOST_LINES)
                .toList();
    }

    /** The same of what the HTML shows, without what its pictures say. */
    ChallengeText ofHtml() {
        return new ChallengeText(subject, html == null ? null : HtmlText.withoutPictures(html), null);
    }

    /** The subject, short enough to be read as a line. */
    String title() {
        return subject == null
                ? ""
                : subject.substring(0, Math.min(subject.length(), LONGEST_LINE)).strip();
    }

    /** A line as the lists of words have it: in lower case, of the same length, with one kind of space. */
    static String fold(String line) {
        StringBuilder folded = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            folded.append(c == '\u2019' ? '\'' : Character.isSpaceChar(c) || c < ' ' ? ' ' : Character.toLowerCase(c));
        }
        return folded.toString();
    }
}
