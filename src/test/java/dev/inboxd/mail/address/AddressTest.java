package dev.inboxd.mail.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.UnaryOperator;
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
                ".a@b",
                "a.@b",
                "a..b@c",
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
    void lengthsAreThoseOfTheStandard() {
        assertThat(AddrSpec.parse("l".repeat(64) + "@x.example").localPart()).hasSize(64);
        assertRefused("l".repeat(65) + "@x.example");
        assertRefused("a@" + "d".repeat(64) + ".example");
        assertRefused("a@" + "d.".repeat(130) + "example");
    }

    @Test
    void aListForTheApiKeepsNamesAndOrder() {
        assertThat(AddressList.parse("Jo <A@B.example>, c@d.example,\"Doe, Jane\" <j@x.example>"))
                .extracting(MailAddress::toString)
                .containsExactly("Jo <A@b.example>", "c@d.example", "Doe, Jane <j@x.example>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a@b,",
                ",a@b",
                "a@b c@d",
                "Jo a@b>",
                "Jo <a@b",
                "Jo <<a@b>>",
                "Jo\r\nBcc: x@y <a@b>",
                "Jo <a@b> x",
            })
    void aBadListForTheApiIsRefused(String text) {
        assertThatExceptionOfType(AddressSyntaxException.class).isThrownBy(() -> AddressList.parse(text));
    }

    @Test
    void aHeaderNeverFails() {
        var pieces = List.of(
                "", "<", ">", "<>", "\"", "(", "((", "a@", "@", ":;", ",,;", "\\", "\"a\\", "<\"", "<\"\\", "[IPv6:",
                "x <y", "=?");
        for (var text : pieces) {
            assertThat(AddressHeader.parse(text, UnaryOperator.identity())).hasSizeLessThan(2);
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
