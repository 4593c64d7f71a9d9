package dev.inboxd.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body read member by member, all its faults told at once. */
class JsonBodyTest {
    @Test
    void aGoodBodyReadsWithoutFaults() {
        JsonBody body = read("""
            {"name":"Ann","text":"a\\nb","to":"a@b.c","cc":["d@e.f","g@h.i"],"flag":true,"count":5,
             "at":"2026-01-02T03:04:05Z","scope":"inbox","one":{"x":"y"},"many":[{"x":"1"},{"x":"2"}],
             "headers":{"X-A":"b"},"metadata":{"s":"t","n":1,"b":false,"gone":null}}\
            """);
        assertThat(body.string("name").min(1).max(3).required()).isEqualTo("Ann");
        assertThat(body.string("text").multiline().optional()).isEqualTo("a\nb");
        assertThat(body.string("other").orElse("none")).isEqualTo("none");
        assertThat(body.strings("to").required()).containsExactly("a@b.c");
        assertThat(body.strings("cc").list()).containsExactly("d@e.f", "g@h.i");
        assertThat(body.strings("bcc").list()).isEmpty();
        assertThat(body.flag("flag", false)).isTrue();
        assertThat(body.flag("other")).isNull();
        assertThat(body.integer("count", 1, 10)).isEqualTo(5);
        assertThat(body.instant("at")).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(body.choice("scope", Scope.values(), Scope::wireName)).isEqualTo(Scope.INBOX);
        JsonBody one = body.object("one");
        assertThat(one == null ? null : one.string("x").optional()).isEqualTo("y");
        assertThat(body.objects("many", 2))
                .extracting(item -> item.string("x").required())
                .containsExactly("1", "2");
        assertThat(body.stringMap("headers")).isEqualTo(Map.of("X-A", "b"));
        assertThat(body.scalarMap("metadata"))
                .containsEntry("s", "t")
                .containsEntry("n", 1L)
                .containsEntry("gone", null);
        body.check();
    }

    @Test
    void absentAndNullAreToldApart() {
        JsonBody body = read("{\"a\":null}");
        assertThat(body.has("a")).isTrue();
        assertThat(body.isNull("a")).isTrue();
        assertThat(body.has("b")).isFalse();
        assertThat(body.isNull("b")).isFalse();
        assertThat(body.string("a").optional()).isNull();
        assertThat(body.names()).containsExactly("a");
        body.check();
    }

    @Test
    void everyFaultIsToldWithItsPath() {
        assertThat(faults("""
                 {"a":1,"b":"toolong","c":"x\\r\\nBcc: y","d":["ok",3],"e":{},"f":"x","g":1.5,"h":"yesterday",
                  "i":"galaxy","j":[],"k":[1,{"x":5}],"l":{"m":1,"n":"a\\nb"},"o":{"p":[]}}\
                 """, body -> {
                    body.string("a").optional();
                    body.string("b").max(3).optional();
                    body.string("c").optional();
                    body.strings("d").list();
                    body.strings("e").list();
                    body.flag("f");
                    body.integer("g", 0, 1);
                    body.instant("h");
                    body.choice("i", Scope.values(), Scope::wireName);
                    body.object("j");
                    body.objects("k", 9).forEach(item -> item.string("x").required());
                    body.stringMap("l");
                    body.scalarMap("o");
                    body.string("q").required();
                    body.string("f").as(text -> null, "something else");
                }))
                .extracting(fault -> fault.path() + " " + fault.message())
                .containsExactly(
                        "[a] a must be a string",
                        "[b] b must have at most 3 characters",
                        "[c] c must not contain control characters, such as the line break after \"x\"",
                        "[d, 1] d must hold strings",
                        "[e] e must be a string or a list of strings",
                        "[f] f must be true or false",
                        "[g] g must be a whole number from 0 to 1",
                        "[h] h must be a time like 2026-01-31T12:00:00Z, not \"yesterday\"",
                        "[i] i must be one of organization, pod, inbox, not \"galaxy\"",
                        "[j] j must be an object",
                        "[k, 0] k must hold objects",
                        "[k, 1, x] x must be a string",
                        "[l, m] l must hold strings without control characters",
                        "[l, n] l must hold strings without control characters",
                        "[o, p] o must hold strings, numbers and booleans",
                        "[q] q is required",
                        "[f] f must be something else, not \"x\"");
    }

    @Test
    void theEmptyStringCountsAsLeftOut() {
        JsonBody body = read("{\"a\":\"\",\"b\":null,\"c\":\"x\"}");
        assertThat(body.string("a").min(1).optional()).isNull();
        assertThat(body.string("a").keepEmpty().optional()).isEmpty();
        assertThat(body.strings("a").min(1).list()).isEmpty();
        assertThat(body.choice("a", new String[] {"x"}, word -> word)).isNull();
        assertThat(body.has("a")).isTrue();
        assertThat(List.of(body.isGiven("a"), body.isGiven("b"), body.isGiven("c"), body.isGiven("d")))
                .containsExactly(false, false, true, false);
        body.check();
        assertThat(faults("{\"a\":\"\"}", empty -> {
                    empty.string("a").required();
                    empty.strings("a").required();
                }))
                .extracting(Fault::message)
                .containsExactly("a is required", "a is required");
    }

    @Test
    void countsAndLengthsAreLimited() {
        assertThat(faults(
                        "{\"a\":[\"x\",\"y\",\"z\"],\"b\":[\"\"],\"c\":\"\",\"d\":[{},{}],\"e\":null,\"f\":\"ab\"}",
                        body -> {
                            body.strings("a").most(2).list();
                            body.strings("b").min(1).required();
                            body.string("c").min(1).keepEmpty().optional();
                            body.objects("d", 1);
                            body.strings("e").required();
                            body.string("e").required();
                            body.string("f").min(3).optional();
                        }))
                .extracting(Fault::message)
                .containsExactly(
                        "a must have at most 2 items, not 3",
                        "b must not be empty",
                        "c must not be empty",
                        "d must have at most 1 items, not 2",
                        "e is required",
                        "e is required",
                        "f must have at least 3 characters");
    }

    @Test
    void charactersAreCountedNotTheirHalves() {
        String four = "\ud83d\ude00".repeat(4);
        assertThat(read("{\"a\":\"" + four + "\"}").string("a").min(4).max(4).optional())
                .isEqualTo(four);
        assertThat(faults(
                        "{\"a\":\"" + four + "\"}",
                        body -> body.string("a").max(3).optional()))
                .hasSize(1);
        assertThat(faults(
                        "{\"a\":\"" + four + "\"}",
                        body -> body.string("a").min(5).optional()))
                .hasSize(1);
    }

    @Test
    void anEmptyBodyIsTheEmptyObject() {
        assertThat(read("").names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"x\"", "1", "null", "{"})
    void whatIsNoObjectIsRefusedAtOnce(String text) {
        Problem problem = catchThrowableOfType(Problem.class, () -> read(text));
        assertThat(problem.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEmpty());
    }

    private static JsonBody read(String text) {
        return JsonBody.read(text.getBytes(StandardCharsets.UTF_8), new Faults());
    }

    @Test
    void anotherSpellingOfANameIsRefusedAndAnUnknownNameIsNot() {
        assertThat(faults("""
                 {"displayName":"x","Client-ID":"c","label":"a","eventTypes":["x"],"other":1,"otherName":2,"labels":[],
                  "attachments":[{"contentType":"x"}],"metadata":{"displayName":1},"headers":{"clientId":"x"}}\
                 """, body -> {
                    body.string("display_name").optional();
                    body.string("client_id").optional();
                    body.strings("labels").list();
                    body.strings("event_types").list();
                    body.objects("attachments", 9)
                            .forEach(each -> each.string("content_type").optional());
                    body.scalarMap("metadata");
                    body.stringMap("headers");
                }))
                .extracting(fault -> fault.path() + " " + fault.expected() + " " + fault.code())
                .containsExactly(
                        "[displayName] display_name UNKNOWN_NAME",
                        "[Client-ID] client_id UNKNOWN_NAME",
                        "[label] labels UNKNOWN_NAME",
                        "[eventTypes] event_types UNKNOWN_NAME",
                        "[attachments, 0, contentType] content_type UNKNOWN_NAME");
    }

    private static List<Fault> faults(String text, Consumer<JsonBody> reading) {
        JsonBody body = read(text);
        reading.accept(body);
        return catchThrowableOfType(Problem.class, body::check).faults();
    }

    @Test
    void aByteOrderMarkBeforeABodyIsSkipped() {
        byte[] marked = "\uFEFF{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonBody.read(marked, new Faults()).string("a").optional()).isEqualTo("b");
    }
}
