package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine reads of a mail, and a person who looks at it does not: found by the same reading as the verdict of
 * {@link MailScreen}, which says whether any of it matters (security.md §3, {@code hidden_text} and
 * {@code concealed_characters}).
 *
 * @param passages what is hidden, first what reads like an order
 */
public record HiddenText(List<Passage> passages) {
    /** Points from which hidden words count as an order. */
    private static final double ORDER = 3;
    /** Attributes that are looked at. */
    private static final int MOST_TOLD = 100;

    public HiddenText {
        passages = List.copyOf(passages);
    }

    /** How a passage is hidden. */
    public enum Hiding {
        UNSHOWN("not shown, or outside the page"),
        TINY("letters too small to see"),
        COLORED("the colour of what is behind it"),
        COMMENT("a comment"),
        ATTRIBUTE("beside a picture, link or field"),
        CHARACTERS("characters without shape"),
        PLAIN_ONLY("in the plain text alone"),
        FORMATTED_ONLY("in the formatted text alone");

        private final String words;

        Hiding(String words) {
            this.words = words;
        }

        /** It in words. */
        public String words() {
            return words;
        }
    }

    /**
     * Words that are hidden.
     *
     * @param how they are hidden
     * @param text at most 2,000 characters
     * @param steers whether they read like an order to the reader
     */
    public record Passage(Hiding how, String text, boolean steers) {}

    /** Whether any of it reads like an order, or stands in characters without shape. */
    public boolean steers() {
        return passages.stream().anyMatch(passage -> passage.steers || passage.how == Hiding.CHARACTERS);
    }

    /**
     * Reads the first 256 KiB of each text, in time in proportion to them.
     *
     * @param head the author's name and the subject
     * @param text the text/plain body, null when there is none
     * @param html the text/html body, null when there is none
     */
    public static HiddenText of(String head, @Nullable String text, @Nullable String html) {
        MailTexts texts = MailTexts.of(new ScreenInput(head, null, text, html, List.of(), List.of(), ""));
        List<Passage> hiddenPassages = new ArrayList<>();
        HtmlContent content = texts.html();
        String visible = content == null ? null : content.visible();
        for (String shownText : new String[] {texts.head(), texts.text(), visible}) {
            Concealments.in(shownText, hiddenPassages);
        }
        if (content != null) {
            hiddenPassages.addAll(content.passages());
            for (String attribute : content.attributes().split("\n\n", MOST_TOLD)) {
                Passage passage = judged(new Passage(Hiding.ATTRIBUTE, cut(attribute), false));
                if (passage.steers) {
                    hiddenPassages.add(passage); // the words beside most pictures are for those who do not see them
                }
            }
            if (texts.text() != null) {
                hiddenPassages.addAll(Alternatives.differences(texts.text(), content));
            }
        }
        return new HiddenText(hiddenPassages.stream()
                .map(HiddenText::judged)
                .sorted(Comparator.comparing((Passage candidate) -> !candidate.steers))
                .toList());
    }

    private static String cut(String text) {
        return text.length() > 2_000 ? text.substring(0, 2_000) : text;
    }

    private static Passage judged(Passage passage) {
        boolean steers = TextScan.of(NormalForm.of(passage.text)).score().sum() >= ORDER;
        return new Passage(passage.how, passage.text, steers);
    }
}
