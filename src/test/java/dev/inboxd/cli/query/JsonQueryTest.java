package dev.inboxd.cli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.platform.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What expressions select; expected is JSON. */
class JsonQueryTest {
    private static final String PAGE = """
            {"count": 3, "next": null, "a b": 7, "messages": [
              {"id": "m1", "size": 30, "labels": ["unread", "received"], "from": {"name": "Jo"}},
              {"id": "m2", "size": 10, "labels": ["received"], "from": {"name": "Al"}},
              {"id": "m3", "size": 20, "labels": []}],
             "nested": [[1, 2], [3, [4]], 5], "by": {"x": {"n": 1}, "y": {"n": 2}}}
            """;

    private static @Nullable Object select(String expression) {
        return JsonQuery.of(expression).select(Json.parse(PAGE.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "count # 3",
                "missing # null",
                "missing.deeper[0] # null",
                "\"a b\" # 7",
                "messages[0].id # \"m1\"",
                "messages[-1].id # \"m3\"",
                "messages[9] # null",
                "messages[*].id # [\"m1\",\"m2\",\"m3\"]",
                "messages[*].from.name # [\"Jo\",\"Al\"]",
                "messages[].labels[] # [\"unread\",\"received\",\"received\"]",
                "messages[*].labels[0] # [\"unread\",\"received\"]",
                "messages[:2].id # [\"m1\",\"m2\"]",
                "messages[1:].id # [\"m2\",\"m3\"]",
                "messages[::-1].id # [\"m3\",\"m2\",\"m1\"]",
                "messages[-2:].id # [\"m2\",\"m3\"]",
                "nested[] # [1,2,3,[4],5]",
                "nested[][] # [1,2,3,4,5]",
                "by.*.n # [1,2]",
                "messages[?size > `15`].id # [\"m1\",\"m3\"]",
                "messages[?size > `15`] | [0].id # \"m1\"",
                "messages[?contains(labels, 'unread')].id # [\"m1\"]",
                "messages[?from.name == 'Al' || id == 'm3'].id # [\"m2\",\"m3\"]",
                "messages[?from && size >= `20`].id # [\"m1\"]",
                "messages[?!from].id # [\"m3\"]",
                "messages[?(size < `15`)].id # [\"m2\"]",
                "messages[?id != 'm1'].{id: id}[0] # []",
                "messages[0].{id: id, \"name\": from.name} # {\"id\":\"m1\",\"name\":\"Jo\"}",
                "messages[*].[id, size] # [[\"m1\",30],[\"m2\",10],[\"m3\",20]]",
                "[count, missing] # [3,null]",
                "length(messages) # 3",
                "length('äö') # 2",
                "sort_by(messages, &size)[*].id # [\"m2\",\"m3\",\"m1\"]",
                "max_by(messages, &size).id # \"m1\"",
                "sort(messages[*].size) # [10,20,30]",
                "sum(messages[*].size) # 60",
                "join(', ', messages[*].id) # \"m1, m2, m3\"",
                "keys(by) # [\"x\",\"y\"]",
                "not_null(missing, next, count) # 3",
                "reverse(messages)[0].id # \"m3\"",
                "map(&length(labels), messages) # [2,1,0]",
                "to_string(count) # \"3\"",
                "to_number('12') # 12",
                "type(@) # \"object\"",
                "starts_with(messages[0].id, 'm') # true",
                "`{\"a\": 1}`.a # 1",
                "'it\\'s' # \"it's\"",
                "merge(by.x, by.y) # {\"n\":2}",
            })
    void anExpressionSelects(String expression, String json) {
        assertThat(Json.text(select(expression))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "messages[ # ends too early",
                "messages. # ends too early",
                "messages[?size > ] # cannot stand there (character 18)",
                "a b # cannot stand there (character 3)",
                "'open # nothing ends the '",
                "`{` # no JSON",
                "a $ b # no sign $ (character 3)",
                "fly(@) # no function fly; there are contains",
                "length(a, b) # takes 1 arguments",
                "messages[::0] # step of a slice is 0",
                "messages[99999999999999999999] # too large",
                "length(count) # does not take a number",
                "sort(messages) # all of one kind",
                "sort_by(messages, size) # takes an expression",
            })
    void aWrongExpressionIsExplained(String expression, String message) {
        assertThatThrownBy(() -> select(expression))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aDeepExpressionIsRefused() {
        assertThatThrownBy(() -> JsonQuery.of("(".repeat(100_000)))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("too deeply");
    }
}
