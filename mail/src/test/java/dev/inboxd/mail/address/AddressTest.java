package dev.inboxd.mail.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a@b.example, a, b.example",
                "First.Last+tag@Mail.EXAMPLE, First.Last+tag, mail.example",
                "\"john doe\"@x.example, john doe, x.example",
                "\"a\\\"b\"@x.example, a\"b, x.example",
                "\"plain\"@x.example, plain, x.example",
                "o'neil/x=y@x.example, o'neil/x=y, x.example",
                "root@localhost, root, localhost",
                "a@my_host.example, a, my_host.example",
                "a@[192.0.2.1], a, [192.0.2.1]",
                "a@[IPv6:2001:DB8::1], a, [ipv6:2001:db8::1]",
                "\"a@b\"@x.example, a@b, x.example",
                "jörg@bücher.example, jörg, xn--bcher-kva.example",
            })
    void anAddressIsReadIntoLocalPartAndDomain(String text, String localPart, String domain) {
        var address = AddrSpec.parse(text);
        assertThat(address).isEqualTo(new AddrSpec(localPart, domain));
        assertThat(AddrSpec.parse(address.toString())).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "@",
                "a@",
                "@b",
                "a@@b",
                "a b@c",
                "a@-b",
                "a@b-",
                "a@b..c",
                "a@.b",
                "a@b.",
                "a@b c",
                "<a@b>",
                "a@b\r\nBcc: x",
                "a\u0000@b",
                "\"a@b",
                "\"a\"b\"@c",
                "\"a\nb\"@c",
                "a@[x",
                "a@[1 2]",
                "a@[]",
                "a(c)@b",
                "a,b@c",
                "a@b,c",
                "\u202Ea@b",
                "a@b\uD800",
            })
    void whatIsNoAddressIsRefused(String text) {
        assertRefused(text);
    }

    @Test
    void aLocalPartIsAsLongAsThePathAllows() {
        assertThat(AddrSpec.parse("l".repeat(244) + "@x.example").localPart()).hasSize(244);
        assertRefused("l".repeat(245) + "@x.example");
        assertRefused("a@" + "d".repeat(64) + ".example");
        assertRefused("a@" + "d.".repeat(130) + "example");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "Jo <A@B.example>, c@d.example,\"Doe, Jane\" <j@x.example>"
                        + "|Jo <A@b.example>; c@d.example; \"Doe, Jane\" <j@x.example>",
                "a@b, |a@b",
                ",, a@b|a@b",
                "` , `|``",
                "jo@b.example (Jo, or \\) Joe (really))|jo@b.example",
                "(x) Jo (y, z) <(not here)> a@b|",
                "Jo (the <b@c>) Doe <a@b>|Jo  Doe <a@b>",
                "Team: a@b, Bob <c@d>;, e@f|a@b; Bob <c@d>; e@f",
                "Nobody:;|``",
                "a@[IPv6:2001:db8::1], b@c|a@[ipv6:2001:db8::1]; b@c",
                "[Acme] Jo @ Acme <a@b>|\"[Acme] Jo @ Acme\" <a@b>",
                "Jo \"the, man\" Doe <a@b>|\"Jo the, man Doe\" <a@b>",
                "\"a, b\"@c.example, d@e|\"a, b\"@c.example; d@e",
                "Bob <\"x> <y@z\"@d.example>|Bob <\"x> <y@z\"@d.example>",
                "John Q. Public <a@b>|John Q. Public <a@b>",
                "\u200Ba@b\u200E, Jo <\u00A0c@d>\u2069, \uFEFF|a@b; Jo <c@d>",
                "ken..88@b, .a@b|\"ken..88\"@b; \".a\"@b",
            })
    void aTextIsAnAddressList(String text, @Nullable String expected) {
        if (expected == null) {
            assertThatExceptionOfType(AddressSyntaxException.class).isThrownBy(() -> AddressList.parse(text));
        } else {
            assertThat(AddressList.parse(text).stream()
                            .map(MailAddress::toString)
                            .collect(Collectors.joining("; ")))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "a@b c@d|a@b c@d",
                "Jo a@b>|Jo a@b",
                "x@y, Jo <a@b|Jo",
                "Jo <<a@b>>|Jo <<a@b>",
                "x@y, Jo <a@b> x|Jo <a@b> x",
                "Jo <a@b> <c@d>, x@y|Jo <a@b> <",
                "Doe, John <john@example.com>|Doe",
                "x@y, mailto:a@b|mailto:a@b",
                "Re: Jo <a@b>|Re: Jo <a@b>",
                "x@y, \"Jo <a@b>|\"Jo <a@b>",
                "a@b; c@d|a@b",
                "x <third@victim.example>, Bob <bob>|Bob <bob>",
            })
    void aFaultOfAListQuotesTheEntry(String text, String entry) {
        assertThatExceptionOfType(AddressSyntaxException.class)
                .isThrownBy(() -> AddressList.parse(text))
                .withMessageStartingWith("Not an address: " + entry + ". ");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "a@b|a@b",
                "` <a@b> `|a@b",
                "Doe, John <john@example.com>|\"Doe, John\" <john@example.com>",
                "\"Doe, John\" <john@example.com>|\"Doe, John\" <john@example.com>",
                "third@victim.example, Bob <bob@x>|\"third@victim.example, Bob\" <bob@x>",
                "x <third@victim.example>, Bob <bob@x>|\"x <third@victim.example>, Bob\" <bob@x>",
                "\"a\" \"b\" <a@b>|\"\\\"a\\\" \\\"b\\\"\" <a@b>",
                "\"half <a@b>|\"\\\"half\" <a@b>",
                "\"back\\\" <a@b>|\"\\\"back\\\\\\\"\" <a@b>",
                "Bob <\"x> <y@z\"@d.example>|Bob <\"x> <y@z\"@d.example>",
                "\"a <b@c>\"@d.example|\"a <b@c>\"@d.example",
                ".net <a@b>|\".net\" <a@b>",
                "J. R. <a@b>|J. R. <a@b>",
                "ken..88@b|\"ken..88\"@b",
                "Ken <\"ken..88\"@b>|Ken <\"ken..88\"@b>",
                "` \u200Ba@b\u00A0`|a@b",
                "`\u202AJo <\u2060a@b\uFEFF>\u202C`|Jo <a@b>",
                "\u200B<a@b>|a@b",
            })
    void aTextThatIsOneMailboxHasAnyName(String text, String shown) {
        MailAddress mailbox = MailAddress.parse(text);
        assertThat(mailbox).hasToString(shown);
        assertThat(MailAddress.parse(shown)).isEqualTo(mailbox);
        assertThat(AddressList.parse(shown)).containsExactly(mailbox);
        assertThat(MailAddress.bare(shown)).isEqualTo(mailbox.address());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Jo", "a@b, c@d", "Jo <a@b>, c@d", "Jo <<a@b>>", "Jo <a@b> x", "Jo a@b>", "<>", "Jo <a@b"})
    void whatIsNotOneMailboxIsRefusedWhole(String text) {
        assertThatExceptionOfType(AddressSyntaxException.class)
                .isThrownBy(() -> MailAddress.parse(text))
                .withMessageStartingWith("Not an address: " + text + ". ");
    }

    @Test
    void aLongTextIsQuotedInPart() {
        assertThatExceptionOfType(AddressSyntaxException.class)
                .isThrownBy(() -> MailAddress.parse("x".repeat(1_000)))
                .withMessageContaining("x".repeat(50) + "…")
                .withMessageNotContaining("x".repeat(51));
    }

    /** A word that a comma cuts off is no mailbox: it belongs to the name of the address behind it, if that has one. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "Smith, John <john@x>|\"Smith, John\" <john@x>",
                "Smith, John <john@x>, \"Doe\", Jane <jane@x>|\"Smith, John\" <john@x>; \"Doe, Jane\" <jane@x>",
                "a, b, c <c@x>|\"a, b, c\" <c@x>",
                "Smith, <john@x>|Smith <john@x>",
                "Smith, john@x|john@x",
                "john@x, Smith|john@x",
                "root, john@x|john@x",
                "Smith; John <john@x>|John <john@x>",
                "Team: Smith, John <john@x>;|\"Smith, John\" <john@x>",
                "Ann <mailto:ann@x>|Ann <ann@x>",
                "Ann <MAILTO:ann@x?subject=hi>|Ann <ann@x>",
                "mailto:ann@x|ann@x",
                "a@b@c, d@@e, f@[192.0.2.1]|f@[192.0.2.1]",
                "Ann <\"plain\"@X.Example>|Ann <plain@x.example>",
                "Ann <ann@EXAMPL\u00c9.example>|Ann <ann@exampl\u00e9.example>",
                "Ann <ann@in\u00adbox.example>|Ann <ann@inbox.example>",
                "ken..88@x, Kei <kei.@x>|\"ken..88\"@x; Kei <\"kei.\"@x>",
                "boss@x me@y|``",
                "boss@x Me me@y|``",
                "boss@x <me@y>|\"boss@x\" <me@y>",
                "Ann (EU <ann@x>, (((Bob <bob@y>|\"Ann (EU\" <ann@x>; \"(((Bob\" <bob@y>",
                "ann@x (old|\"(old\" <ann@x>",
                "boss@x me@y (old|``",
                "ann@x (=?utf-8?Q?Ann_:)?=)|ann@x",
                "Ann (a <b@x>) <ann@x>|Ann <ann@x>",
                "undisclosed-recipients:;|``",
                "root|``",
            })
    void whatIsShownOfAFieldIsMailboxes(String field, String shown) {
        assertThat(String.join("; ", MailAddress.shown(AddressHeader.parse(field, UnaryOperator.identity()))))
                .isEqualTo(shown);
    }

    @Test
    void aFieldOfOneWordIsThatWord() {
        assertThat(AddressHeader.parse("root", UnaryOperator.identity()))
                .containsExactly(new MailAddress(null, "root"));
        assertThat(AddressHeader.parse("root, daemon", UnaryOperator.identity()))
                .containsExactly(new MailAddress(null, "root"));
    }

    @Test
    void aHeaderNeverFails() {
        var pieces = List.of(
                "", "<", ">", "<>", "\"", "(", "((", "a@", "@", ":;", ",,;", "\\", "\"a\\", "<\"", "<\"\\", "[IPv6:",
                "x <y", "=?", "=?a?q?", "\\(");
        for (var text : pieces) {
            assertThat(AddressHeader.parse(text, UnaryOperator.identity())).hasSizeLessThan(2);
        }
    }

    /** Fields of a MiB are read; each of these once took a look at the whole field for each of its pieces. */
    @Test
    @Tag("long")
    void aLongFieldTakesOneLook() {
        for (String piece : List.of("(", "\\(", "\"\\\"", "=?a?q?x", "[IPv6:x]", "<\"", "(a b@c ", "\u200B ", ", ")) {
            String field = piece.repeat((1 << 20) / piece.length());
            assertThat(AddressHeader.parse(field, UnaryOperator.identity())).hasSizeLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void theDomainOfAnAddressWithoutOneIsEmpty() {
        assertThat(new MailAddress(null, "root").domain()).isEmpty();
        assertThat(new MailAddress(" ", "a@B.Example").domain()).isEqualTo("b.example");
        assertThat(new MailAddress(" ", "a@B.Example").toString()).isEqualTo("a@b.example");
    }

    private static void assertRefused(String text) {
        assertThatExceptionOfType(AddressSyntaxException.class).isThrownBy(() -> AddrSpec.parse(text));
    }
}
