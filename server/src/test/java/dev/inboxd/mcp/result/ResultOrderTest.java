package dev.inboxd.mcp.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.markdown.TokenEstimate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order a result is cut, where its texts end, and that what it names to be called comes to an end. */
class ResultOrderTest {
    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private static JsonTree shown(Map<String, Object> message, @Nullable Long from) {
        Map<String, Object> arguments = map("inboxId", "a@x.example", "messageId", "<m>");
        if (from != null) {
            arguments.put("maxChars", 0L);
            arguments.put("listsFrom", from);
        }
        ResultPlan plan = new ResultPlan(
                "get_message",
                arguments,
                null,
                new ResultPlan.Window(true, 0, 1_000_000, from == null ? -1 : from.intValue(), true, false),
                ResultBudget.MOST_TOKENS);
        ResultBudget.Outcome outcome = ResultBudget.of(plan, map("message", message), false);
        assertThat(outcome).isInstanceOf(ResultBudget.Outcome.Shown.class);
        String text = ((ResultBudget.Outcome.Shown) outcome).text();
        assertThat(TokenEstimate.of(text)).isLessThanOrEqualTo(ResultBudget.MOST_TOKENS);
        return JsonTree.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> message(String markdown, Object... more) {
        Map<String, Object> message = map(
                "inboxId", "a@x.example", "messageId", "<m>", "markdown", new LongText(markdown, true), "tokens", 1L);
        message.put("truncated", false);
        message.putAll(map(more));
        return message;
    }

    private static @Nullable Long next(JsonTree result) {
        String rest = result.has("rest") ? result.text("rest") : "";
        int at = rest.indexOf("listsFrom: ");
        return at < 0
                ? null
                : Long.valueOf(rest.substring(at + "listsFrom: ".length()).split("[,}]", 2)[0]);
    }

    private static List<String> addresses(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "person-" + i + "@host-" + i + ".example")
                .toList();
    }

    @Test
    void theTextIsCutBeforeAListInsideIt() {
        JsonTree message =
                shown(message("字".repeat(100_000), "to", addresses(500)), null).get("message");
        assertThat(message.texts("to")).hasSize(500);
        assertThat(message.has("toCount")).isFalse();
        assertThat(message.get("truncated").value()).isEqualTo(true);
        assertThat(message.text("markdown").length()).isGreaterThan(2_000);
    }

    @Test
    void aListInsideIsCutToTwentyBeforeLittleOfTheTextIsLeft() {
        JsonTree message = shown(
                        message(
                                "字".repeat(100_000),
                                "to",
                                addresses(3_000),
                                "attachments",
                                IntStream.range(0, 50)
                                        .mapToObj(i -> map("attachmentId", "id" + i))
                                        .toList(),
                                "highlights",
                                map("subject", addresses(30)),
                                "labels",
                                List.of("unread")),
                        null)
                .get("message");
        assertThat(message.texts("to")).isEqualTo(addresses(20));
        assertThat(message.get("toCount").value()).isEqualTo(3_000L);
        assertThat(message.list("attachments")).hasSize(20);
        assertThat(message.get("attachmentsCount").value()).isEqualTo(50L);
        assertThat(message.get("highlights").texts("subject")).hasSize(20);
        assertThat(message.get("highlights").get("subjectCount").value()).isEqualTo(30L);
        assertThat(message.texts("labels")).containsExactly("unread");
        assertThat(message.text("markdown").length()).isGreaterThan(2_000);
    }

    @Test
    @Tag("long")
    void anEntryThatIsTooLongForAnyResultIsShownAsFarAsItGoesAndTheNextOnesFollow() {
        List<String> names = new ArrayList<>(addresses(3));
        names.add(1, "ß".repeat(60_000) + " <long@host.example>");
        names.add("é".repeat(60_000) + " <last@host.example>");
        Map<String, Object> message = message("", "to", names, "codes", List.of(map("code", "482913")));
        List<String> read = new ArrayList<>();
        Long from = null;
        int calls = 0;
        do {
            assertThat(++calls).isLessThan(20);
            JsonTree result = shown(message, from);
            from = next(result);
            if (calls > 1 || from == null) {
                read.addAll(result.get("message").texts("to"));
            }
        } while (from != null);
        assertThat(read).hasSize(5).containsAll(addresses(3));
        assertThat(read.get(1)).startsWith("ß").endsWith("...");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 57, 58, 59, 60, 75, 90})
    void aTextIsNotCutInTheTargetOfALink(int most) {
        String text = "Words before it [some words](https://www.example.com/path?query=1)"
                + " and words behind it <https://b.example/x>.";
        StringBuilder read = new StringBuilder();
        while (read.length() < text.length()) {
            String piece = ResultText.piece(text.substring(read.length()), most);
            assertThat(piece).isNotEmpty();
            read.append(piece);
            int open = read.lastIndexOf("](");
            assertThat(open < 0 || read.indexOf(")", open) > 0)
                    .as(read.toString())
                    .isTrue();
        }
        assertThat(read.toString()).isEqualTo(text);
    }

    @Test
    void aTextIsNotCutWithinWhatAReaderTakesForOneCharacter() {
        String family = "👨‍👩‍👧‍👦";
        assertThat(ResultText.piece(family.repeat(30), 100).length() % family.length())
                .isZero();
        assertThat(ResultText.piece("One block of words.\n\nAnother block that is longer.", 30))
                .isEqualTo("One block of words.");
        assertThat(ResultText.piece("aaaaaaa\\*bbbb", 8)).isEqualTo("aaaaaaa");
    }

    @Test
    void aTargetThatIsLongerThanAPieceIsReadToItsEnd() {
        String text = "[x](https://www.example.com/" + "p".repeat(40_000) + ") end";
        StringBuilder read = new StringBuilder();
        while (read.length() < text.length()) {
            read.append(ResultText.piece(text.substring(read.length()), 700));
        }
        assertThat(read.toString()).isEqualTo(text);
    }
}
