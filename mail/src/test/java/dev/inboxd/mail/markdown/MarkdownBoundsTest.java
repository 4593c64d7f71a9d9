package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The limits of a mail, and what stands in place of what is beyond them (markdown.md §2). */
class MarkdownBoundsTest {
    /** More elements than a body may have. */
    private static final String BEYOND = "<h1>Title</h1>" + "<p>word".repeat(150_000);

    private static boolean write(@Nullable String text, String html, StringBuilder into) {
        MarkdownSource source = new MarkdownSource(null, text, null, html, MailKind.ANSWER, Map.of());
        return MailMarkdown.write(source, MarkdownForms.USUAL, into::append);
    }

    @Test
    void textIsThereInTheDeepestLevels() {
        assertThat(MarkdownOf.fold("<div>".repeat(500) + "<b>deep</b>" + "</div>".repeat(500)))
                .isEqualTo("**deep**");
        StringBuilder deeper = new StringBuilder();
        assertThat(write(null, "<p>above</p>" + "<div>".repeat(600) + "deep", deeper))
                .isFalse();
        assertThat(deeper.toString()).isEqualTo("above\n\ndeep");
    }

    @Test
    void aTableOfMoreThanTwentyThousandElementsIsText() {
        String head = "<table><thead><tr><th>a<th>b</thead><tbody>";
        String row = "<tr><td>c<td>d";
        // thead, tbody, a row of three, and rows of three
        assertThat(MarkdownOf.fold(head + row.repeat((20_000 - 5) / 3)))
                .startsWith("| a | b |\n| --- | --- |\n| c | d |");
        assertThat(MarkdownOf.fold(head + row.repeat((20_000 - 5) / 3 + 1))).startsWith("a\n\nb\n\nc\n\nd");
    }

    @Test
    void whereTheHtmlIsBeyondTheLimitsTheTextStands() {
        StringBuilder text = new StringBuilder();
        assertThat(write("* The text", BEYOND, text)).isTrue();
        assertThat(text.toString()).isEqualTo("\\* The text");
    }

    @Test
    @Tag("long")
    void whereThereIsNoTextEitherTheWordsOfTheHtmlStandWithoutStructure() {
        for (String text : new @Nullable String[] {null, "", " \n"}) {
            StringBuilder words = new StringBuilder();
            assertThat(write(text, BEYOND, words)).isTrue();
            assertThat(words.toString()).startsWith("Title\n\nword\n\nword");
        }
    }

    /** What a mail has once, the reader of HTML may copy into many places. */
    @Test
    void aTargetThatIsCopiedIntoEveryParagraphDoesNotFillTheMemory() {
        String html = "<p><a href='https://a.test/" + "x".repeat(30_000) + "'>" + "word<p>".repeat(20_000);
        StringBuilder words = new StringBuilder();
        assertThat(write("The text", html, words)).isTrue();
        assertThat(words.toString()).isEqualTo("The text");
    }

    @Test
    void linesBetweenFencesThatAreIndentedDeeplyHaveABoundInAll() {
        String html = "<ol start=999999999><li>a".repeat(16) + "<pre>" + "x\n".repeat(400_000);
        StringBuilder words = new StringBuilder();
        assertThat(write("The text", html, words)).isTrue();
        assertThat(words.toString()).isEqualTo("The text");
    }
}
