package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the table of what HTML becomes (markdown.md §2). */
class MailMarkdownTest {
    /** A case of {@code markdown.txt}. */
    record Case(String name, String html, String markdown) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() throws Exception {
        String all;
        try (var file = MailMarkdownTest.class.getResourceAsStream("/markdown.txt")) {
            all = new String(
                    java.util.Objects.requireNonNull(file).readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
        List<Case> cases = new ArrayList<>();
        for (String each : all.split("\n?=== ", -1)) {
            String[] parts = each.split("\n(-----\n)?", 2);
            if (parts.length == 2 && !each.startsWith("#")) {
                String[] both = parts[1].split("\n---->\n", 2);
                cases.add(new Case(parts[0], both[0], both[1].strip()));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isWrittenAs(Case each) {
        assertThat(MarkdownOf.fold(each.html)).isEqualTo(each.markdown);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheSameEachTimeAndHasNoHtml(Case each) {
        String markdown = MarkdownOf.fold(each.html);
        assertThat(MarkdownOf.fold(each.html)).isEqualTo(markdown);
        assertThat(MarkdownReader.kinds(markdown)).doesNotContain("HtmlInline", "HtmlBlock", "Image", "HardLineBreak");
        assertThat(markdown).doesNotContainPattern("[ \t](\n|$)").doesNotContain("\n\n\n");
    }

    @Test
    void whereNoHtmlIsSeenTheTextIs() {
        var hidden = new MarkdownSource(
                null, "Text", null, "<p style='display:none'>x</p>", MailKind.ANSWER, java.util.Map.of());
        var shown = new MarkdownSource(null, "Text", null, "<p>HTML</p>", MailKind.ANSWER, java.util.Map.of());
        assertThat(MarkdownOf.of(hidden, QuoteForm.FOLD)).isEqualTo("Text");
        assertThat(MarkdownOf.of(shown, QuoteForm.FOLD)).isEqualTo("HTML");
    }
}
