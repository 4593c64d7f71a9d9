package dev.inboxd.mailbox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class HighlightsTest {
    @ParameterizedTest
    @CsvFileSource(resources = "/highlights.csv", delimiter = '|', ignoreLeadingAndTrailingWhitespace = true)
    void aSubjectIsHighlightedLikeThis(String query, String subject, String expected) {
        JsonObject json = new Highlights(SearchQuery.of(query)).of(List.of(), List.of(), subject, "");
        assertThat(json == null ? "nothing" : field(json, "subject").getFirst()).isEqualTo(expected);
    }

    @Test
    void aBodyIsHighlightedWhereItHasTheWholeWord() {
        assertThat(text("invoice", "Your invoice: see invoices. INVOICE!"))
                .containsExactly("Your **invoice**: see invoices. **INVOICE**!");
        assertThat(text("port", "No support here")).isEmpty();
    }

    @Test
    void aLongBodyGivesThreeShortFragments() {
        String text = ("filler words that go on and on " + "needle and more ").repeat(200);
        List<String> fragments = text("needle", text);
        assertThat(fragments)
                .hasSize(Highlights.MOST_FRAGMENTS)
                .allMatch(each -> each.contains("**needle**"))
                .allMatch(each -> each.length() <= Highlights.LONGEST);
    }

    @Test
    void anEndlessWordIsCut() {
        String word = "😀".repeat(500);
        List<String> fragments = text(word.substring(0, 4), "see " + word);
        assertThat(fragments).isNotEmpty().allMatch(each -> each.length() <= Highlights.LONGEST);
        assertThat(fragments).allMatch(each -> each.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
        assertThat(text("x".repeat(200), "x".repeat(300)).getFirst()).hasSizeLessThanOrEqualTo(Highlights.LONGEST);
    }

    @Test
    void eachFieldThatFitsHasItsMember() {
        JsonObject json = Objects.requireNonNull(new Highlights(SearchQuery.of("ann budget"))
                .of(
                        List.of("Ann Lee <ann@x.test>"),
                        List.of("bob@x.test", "Joanna <jo@x.test>"),
                        "Lunch",
                        "The budget."));
        assertThat(field(json, "from")).containsExactly("**Ann** Lee <**ann**@x.test>");
        assertThat(field(json, "recipients")).containsExactly("Jo**ann**a <jo@x.test>");
        assertThat(field(json, "text")).containsExactly("The **budget**.");
        assertThat(map(json).containsKey("subject")).isFalse();
    }

    private static List<String> text(String query, String text) {
        JsonObject json = new Highlights(SearchQuery.of(query)).of(List.of(), List.of(), null, text);
        return json == null ? List.of() : field(json, "text");
    }

    private static List<String> field(JsonObject json, String name) {
        return Objects.requireNonNull((List<?>) map(json).get(name)).stream()
                .map(String::valueOf)
                .toList();
    }

    private static Map<?, ?> map(JsonObject json) {
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(Json.write(json)));
    }
}
