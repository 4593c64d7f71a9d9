package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An id is the same however a program spells it, in each of the three fields. */
class MessageIdsTest {
    private static final List<String> IDS = List.of(
            "c12@example.com",
            "01a214ee-e3fb-7856-af0e-e987d06f8128@support.long-company-name.example.com",
            "CAF=x+y_z.1$2@mail.gmail.example",
            "b3c5097@[192.0.2.1]",
            "20260302.77/1%a@elsewhere.example",
            "a@b");

    private static final Map<String, UnaryOperator<String>> SPELLINGS = new TreeMap<>(Map.ofEntries(
            Map.entry("brackets", id -> "<" + id + ">"),
            Map.entry("two brackets", id -> "<<" + id + ">>"),
            Map.entry("none", id -> id),
            Map.entry("only the first bracket", id -> "<" + id),
            Map.entry("only the last bracket", id -> id + ">"),
            Map.entry("padding in brackets", id -> "< " + id + "\t>"),
            Map.entry("quotes", id -> "\"" + id + "\""),
            Map.entry("the scheme of RFC 2392", id -> "mid:" + id),
            Map.entry("Q words", MessageIdsTest::quotedWords),
            Map.entry("B words", MessageIdsTest::base64Words),
            Map.entry("folded first", id -> "\r\n <" + id + ">"),
            Map.entry("folded after the bracket", id -> "<\r\n " + id + ">"),
            Map.entry("folded before the @", id -> "<" + id.replace("@", "\r\n @") + ">"),
            Map.entry("folded after the @", id -> "<" + id.replace("@", "@\r\n\t") + ">"),
            Map.entry("folded before the @, without brackets", id -> id.replace("@", "\r\n @")),
            Map.entry("folded before the @, never closed", id -> "<" + id.replace("@", "\r\n @")),
            Map.entry("folded inside", id -> "<" + id.charAt(0) + "\r\n " + id.substring(1) + ">"),
            Map.entry("spaces around the @", id -> "<" + id.replace("@", " @ ") + ">"),
            Map.entry("prose before", id -> "Your message of \"Tue, 3 Mar 2026 10:00:00 +0100\" <" + id + ">"),
            Map.entry("prose around", id -> "Message from Ann (box) <ann@example.org> of Monday, <" + id + "> at 10"),
            Map.entry("prose without brackets", id -> "your message " + id + ", of Monday."),
            Map.entry("prose after", id -> "<" + id + "> (the message of ann@example.org on Monday)"),
            Map.entry("prose, never closed", id -> "in reply to <" + id)));

    static Stream<Arguments> spellings() {
        return SPELLINGS.keySet().stream().flatMap(name -> IDS.stream().map(id -> Arguments.of(name, id)));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void anIdIsReadInEverySpelling(String spelling, String id) {
        var written = Objects.requireNonNull(SPELLINGS.get(spelling)).apply(id);

        var message = parse("Message-ID: <own@example.org>\r\nIn-Reply-To: " + written + "\r\nReferences: " + written);

        assertThat(message.inReplyTo()).containsExactly("<" + id + ">");
        assertThat(message.references()).isNotEmpty().last().isEqualTo("<" + id + ">");
        if (!spelling.contains("around")) {
            assertThat(parse("Message-ID: " + written).messageId()).isEqualTo("<" + id + ">");
        }
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void severalIdsAreReadInEverySpelling(String spelling, String id) {
        if (!spelling.contains("prose")) {
            var all = "<first@example.org>\r\n "
                    + Objects.requireNonNull(SPELLINGS.get(spelling)).apply(id) + "\r\n <last@example.org>";

            assertThat(parse("References: " + all).references())
                    .containsExactly("<first@example.org>", "<" + id + ">", "<last@example.org>");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "<sp x@example.com> | <sp x@example.com>",
                "<üx@example.com> | <üx@example.com>",
                "=?utf-8?q?=3C=C3=BCx=40example=2Ecom=3E?= | <üx@example.com>",
                "<1234> | <1234>",
                "<1234 | <1234>",
                "1234 | -",
                "a@b@c | -",
                "@example.com | -",
                "Tue, 3 Mar 2026 10:00:00 +0100 | -",
                "<> | -",
                "<a\u0001b@c> | -",
                "undisclosed-recipients:; | -",
            })
    void whatSendersWriteIsKept(String written, String id) {
        assertThat(parse("Message-ID: " + written).messageId()).isEqualTo(id);
    }

    @Test
    void wordsBesideIdsInBracketsAreIdsOnlyWhenTheFieldHasNothingElse() {
        assertThat(parse("References: a@x <b@y>, c@z").references()).containsExactly("<a@x>", "<b@y>", "<c@z>");
        assertThat(parse("References: ann@example.org wrote <b@y>").references())
                .containsExactly("<b@y>");
        assertThat(parse("References: <a@x\r\n <b@y> <c@z").references()).containsExactly("<a@x>", "<b@y>", "<c@z>");
        assertThat(parse("References: <a@x b@y>").references()).containsExactly("<a@x>", "<b@y>");
    }

    @Test
    void aMessageRefersToOthersOnly() {
        var message = parse("References: <a@x> <own@x>\r\nIn-Reply-To: <own@x>\r\nMessage-ID: own@x");

        assertThat(message.references()).containsExactly("<a@x>");
        assertThat(message.inReplyTo()).isEmpty();
    }

    @Test
    void twoSpellingsOfAnIdHaveOneKey() {
        for (var id :
                List.of("<sp x@example.com>", "<spx@example.com>", "<sp\u00a0x@example.com>", "<s px @ example.com>")) {
            assertThat(MessageIds.key(id)).isEqualTo("<spx@example.com>");
        }
    }

    /** What took the square of it would take minutes. */
    @Test
    void aHugeFieldIsReadInLinearTime() {
        for (var piece : List.of("<", "<a", "a@b", "<a@b>", "@", "<a b", "\n ", "=?", "\"", "< ")) {
            var ids = MessageIds.all(piece.repeat(400_000 / piece.length()));

            assertThat(ids).hasSizeLessThanOrEqualTo(50);
        }
    }

    private static Identification parse(String header) {
        var raw = "From: Ann <ann@example.org>\r\n" + header + "\r\n\r\nx\r\n";
        return MessageParser.parse(new ByteArrayInputStream(raw.getBytes(StandardCharsets.UTF_8)))
                .identification();
    }

    private static String quotedWords(String id) {
        var words = new ArrayList<String>();
        var text = "<" + id + ">";
        for (int i = 0; i < text.length(); i += 20) {
            var word = new StringBuilder();
            text.substring(i, Math.min(text.length(), i + 20))
                    .chars()
                    .forEach(c -> word.append(
                            Character.isLetterOrDigit(c) ? String.valueOf((char) c) : String.format("=%02X", c)));
            words.add("=?utf-8?q?" + word + "?=");
        }
        return String.join("\r\n ", words);
    }

    private static String base64Words(String id) {
        var octets = ("<" + id + ">").getBytes(StandardCharsets.UTF_8);
        return "=?UTF-8?B?" + Base64.getEncoder().encodeToString(octets) + "?=";
    }
}
