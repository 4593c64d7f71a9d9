package dev.inboxd.mail.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddrSpecTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "a@b.example|a@b.example",
                "A.b+c@B.Example|A.b+c@b.example",
                "\"a\"@b.example|a@b.example",
                "\"a b\"@b.example|\"a b\"@b.example",
                "\"a\\\"\\\\b@c\"@b.example|\"a\\\"\\\\b@c\"@b.example",
                "\".a\"@b.example|\".a\"@b.example",
                "ken..88@b.example|\"ken..88\"@b.example",
                ".a@b.example|\".a\"@b.example",
                "a.@b.example|\"a.\"@b.example",
                "\"> RCPT TO:<x\"@b.example|\"> RCPT TO:<x\"@b.example",
                "jörg@bücher.example|jörg@xn--bcher-kva.example",
                "a@例え。テスト|a@xn--r8jz45g.xn--zckzah",
                "a@faß.example|a@xn--fa-hia.example",
                "a@[IPv6:2001:db8::1]|a@[ipv6:2001:db8::1]",
                "a@under_score.example|a@under_score.example",
            })
    void anAddressIsRenderedFromItsParts(String given, String rendered) {
        assertThat(AddrSpec.parse(given)).hasToString(rendered);
        assertThat(AddrSpec.parse(rendered)).isEqualTo(AddrSpec.parse(given));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "@b.example",
                "a@",
                "a@b..example",
                "a@.b",
                "a@b.",
                "a b@c.example",
                "a>b@c.example",
                "a@b>.example",
                "a@b example",
                "\"a@b.example",
                "\"a\"b@c.example",
                "\"\"@b.example",
                "a@b@c.example",
                "a@-b.example",
                "a@[1.2.3.4",
                "a@[>]",
                "a\u0007@b.example",
                "\"a\u0007\"@b.example",
                "a@\u200f.example",
                "a@xn--a.example",
                "a@b.example> SIZE=1",
                "a@℀.example"
            })
    void whatIsNoAddressIsRefused(String given) {
        assertThatThrownBy(() -> AddrSpec.parse(given)).isInstanceOf(AddressSyntaxException.class);
    }

    @Test
    void lengthsAreLimited() {
        assertThat(AddrSpec.parse("a".repeat(244) + "@b.example").isAscii()).isTrue();
        assertThatThrownBy(() -> AddrSpec.parse("a".repeat(245) + "@b.example")).hasMessageContaining("254");
        assertThatThrownBy(() -> AddrSpec.parse("ä".repeat(123) + "@b.example")).hasMessageContaining("254");
        assertThatThrownBy(() -> AddrSpec.parse("a@" + "b".repeat(64) + ".example"))
                .hasMessageContaining("domain");
        assertThatThrownBy(() -> AddrSpec.parse("a".repeat(64) + "@" + "b.".repeat(96) + "example"))
                .hasMessageContaining("254");
        assertThat(AddrSpec.parse("a@[" + "1".repeat(61) + "]").hasAddressLiteral())
                .isTrue();
        assertThatThrownBy(() -> AddrSpec.parse("a@[" + "1".repeat(62) + "]")).hasMessageContaining("literal");
    }

    @Test
    void thePersonIsWhatStandsBeforeThePlusSign() {
        for (String tagged : List.of("ann@b.example", "ann+1@b.example", "ann+a+b@b.example", "\"ann+a\"@B.example")) {
            assertThat(AddrSpec.parse(tagged).withoutDetail()).hasToString("ann@b.example");
        }
        assertThat(AddrSpec.parse("+1@b.example").withoutDetail()).hasToString("+1@b.example");
        assertThat(AddrSpec.parse("a@[192.0.2.1]").withoutDetail()).hasToString("a@[192.0.2.1]");
    }

    @Test
    void onlyALocalPartBeyondAsciiNeedsSmtpUtf8() {
        assertThat(AddrSpec.parse("a@bücher.example").isAscii()).isTrue();
        assertThat(AddrSpec.parse("ä@b.example").isAscii()).isFalse();
    }
}
