package dev.inboxd.mail.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No string a caller supplies can open a header field of its own. */
class InjectionTest {
    private static final List<String> HOSTILE = List.of(
            "a\r\nBcc: x@y",
            "a\nBcc: x@y",
            "a\rBcc: x@y",
            "a\0b",
            "a\r\n\r\nbody",
            "\r\n",
            "\n",
            "a\ud800",
            "\udc00a",
            "\udc00\ud800");

    /** A place for a string, and the name errors give it. */
    record Place(String field, Function<String, Composition> with) {
        @Override
        public String toString() {
            return field;
        }
    }

    static Stream<Place> headerPlaces() {
        return Stream.of(
                new Place("from.name", s -> addressed(new Mailbox(s, "a@b.example"), List.of(), List.of(), List.of())),
                new Place(
                        "from.address",
                        s -> addressed(new Mailbox(null, s + "@b.example"), List.of(), List.of(), List.of())),
                new Place("to[1].name", s -> to(Compositions.ANN, new Mailbox(s, "a@b.example"))),
                new Place("to[0].address", s -> to(new Mailbox(null, "a@" + s))),
                new Place("to[0].address", s -> to(new Mailbox(null, "\"" + s + "\"@b.example"))),
                new Place("cc[0].name", s -> addressed(Compositions.AGENT, List.of(), one(s), List.of())),
                new Place("reply_to[0].name", s -> addressed(Compositions.AGENT, List.of(), List.of(), one(s))),
                new Place("subject", Compositions::subject),
                new Place("message_id", s -> Compositions.ids(new Composition.Identification(s, List.of(), List.of()))),
                new Place(
                        "in_reply_to",
                        s -> Compositions.ids(
                                new Composition.Identification(Compositions.ID, List.of("<" + s + "@x>"), List.of()))),
                new Place(
                        "references",
                        s -> Compositions.ids(
                                new Composition.Identification(Compositions.ID, List.of(), List.of("<a@x>", s)))),
                new Place("headers.X-A", s -> Compositions.headers(new CustomHeaderField("X-A", s))),
                new Place("headers", s -> Compositions.headers(new CustomHeaderField(s, "v"))),
                new Place(
                        "attachments[0].filename",
                        s -> attached(new OutgoingAttachment(s, "a/b", false, null, nothing()))),
                new Place(
                        "attachments[0].content_type",
                        s -> attached(new OutgoingAttachment("f", s, false, null, nothing()))),
                new Place(
                        "attachments[0].content_type",
                        s -> attached(new OutgoingAttachment("f", "a/b; c=\"" + s + "\"", false, null, nothing()))),
                new Place(
                        "attachments[0].content_id",
                        s -> attached(new OutgoingAttachment("f", "a/b", true, s, nothing()))));
    }

    @ParameterizedTest
    @Proves("A7")
    @MethodSource("headerPlaces")
    void aLineBreakANulOrHalfACharacterIsRefusedByName(Place place) {
        for (var hostile : HOSTILE) {
            assertThatThrownBy(() -> Composer.compose(place.with().apply(hostile)))
                    .isInstanceOfSatisfying(
                            MalformedFieldException.class,
                            refused -> assertThat(refused.field()).isEqualTo(place.field()));
        }
    }

    @ParameterizedTest
    @Proves("A7")
    @MethodSource("headerPlaces")
    void everyOtherCharacterEitherIsRefusedOrAddsNoField(Place place) {
        // All of Latin, and the separators, joiners and full-width forms some mapping may turn into something else.
        var characters = Stream.of(
                        IntStream.range(1, 0x100), IntStream.range(0x2000, 0x2070), IntStream.range(0xff00, 0xff20))
                .flatMapToInt(range -> range)
                .filter(c -> c != '\r' && c != '\n')
                .toArray();
        for (int c : characters) {
            try {
                var text = "a" + Character.toString(c) + "Bcc: x@y";
                var fields = Compositions.header(place.with().apply(text)).split("\r\n", -1);
                assertThat(fields).hasSizeBetween(7, 10).noneMatch(field -> field.startsWith("Bcc"));
            } catch (MalformedFieldException refused) {
                assertThat(refused.field()).isEqualTo(place.field());
            }
        }
    }

    @Test
    void bodiesRefuseOnlyHalfCharacters() {
        assertThat(Compositions.header(Compositions.body("a\r\nBcc: x@y\0", "a\nBcc: x@y")))
                .doesNotContain("Bcc");
        assertThatThrownBy(() -> Composer.compose(Compositions.body("\ud83d", null)))
                .hasMessageStartingWith("text must not");
        assertThatThrownBy(() -> Composer.compose(Compositions.body(null, "\ude00")))
                .hasMessageStartingWith("html must not");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From",
                "sender",
                "TO",
                "Cc",
                "Bcc",
                "Reply-To",
                "Subject",
                "Date",
                "Message-ID",
                "In-Reply-To",
                "References",
                "MIME-Version",
                "Content-Type",
                "content-anything",
                "Received",
                "Return-Path",
                "DKIM-Signature",
                "ARC-Seal",
                "Authentication-Results"
            })
    void fieldsOfTheServerCannotBeAdded(String name) {
        assertThatThrownBy(() -> Composer.compose(Compositions.headers(new CustomHeaderField(name, "v"))))
                .hasMessage("headers." + name + " is set by the server");
    }

    private static AttachmentContent nothing() {
        return AttachmentContent.of(new byte[0]);
    }

    private static List<Mailbox> one(String name) {
        return List.of(new Mailbox(name, "a@b.example"));
    }

    private static Composition to(Mailbox... to) {
        return addressed(Compositions.AGENT, List.of(to), List.of(), List.of());
    }

    private static Composition addressed(Mailbox from, List<Mailbox> to, List<Mailbox> cc, List<Mailbox> replyTo) {
        return Compositions.addressed(new Composition.Addresses(from, to, cc, replyTo));
    }

    private static Composition attached(OutgoingAttachment attachment) {
        return Compositions.body("x", null, attachment);
    }
}
