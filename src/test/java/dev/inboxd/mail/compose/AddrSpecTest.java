package dev.inboxd.mail.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddrSpecTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "a@b.example|a@b.example",
        "A.b+c@B.Example|A.b+c@b.example",
        "\"a\"@b.example|a@b.example",
        "\"a b\"@b.example|\"a b\"@b.example",
        "\"a\\\"\\\\b@c\"@b.example|\"a\\\"\\\\b@c\"@b.example",
        "\".a\"@b.example|\".a\"@b.example",
        "\"> RCPT TO:<x\"@b.example|\"> RCPT TO:<x\"@b.example",
        "jörg@bücher.example|jörg@xn--bcher-kva.example",
        "a@例え。テスト|a@xn--r8jz45g.xn--zckzah",
        "a@faß.example|a@xn--fa-hia.example",
        "a@[IPv6:2001:db8::1]|a@[IPv6:2001:db8::1]",
        "a@under_score.example|a@under_score.example",
    })
    void anAddressIsRenderedFromItsParts(String given, String rendered) {
        assertThat(AddrSpec.parse("to", given)).hasToString(rendered);
        assertThat(AddrSpec.parse("to", rendered)).isEqualTo(AddrSpec.parse("to", given));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "@b.example", "a@", "a@b..example", "a@.b", "a@b.", "a b@c.example",
            ".a@b.example", "a.@b.example",
        "a..b@c.example", "a>b@c.example", "a@b>.example", "a@b example", "\"a@b.example", "\"a\"b@c.example",
        "\"\"@b.example",
        "a@b@c.example", "a@-b.example", "a@[1.2.3.4", "a@[>]", "a\u0007@b.example", "\"a\u0007\"@b.example",
        "a@\u200f.example",
        "a@xn--a.example", "a@b.example> SIZE=1", "a@℀.example"})
    void whatIsNoAddressIsRefused(String given) {
        assertThatThrownBy(() -> AddrSpec.parse("to[3]", given))
                .isInstanceOfSatisfying(MalformedFieldException.class, refused -> assertThat(refused.field())
                .isEqualTo("to[3]"));
    }

    @Test
    void lengthsAreLimited() {
        assertThat(AddrSpec.parse("to", "a".repeat(64) + "@b.example").isAscii()).isTrue();
        assertThatThrownBy(() -> AddrSpec.parse("to", "a".repeat(65) + "@b.example")).hasMessageContaining("64");
        assertThatThrownBy(() -> AddrSpec.parse("to", "ä".repeat(33) + "@b.example")).hasMessageContaining("64");
        assertThatThrownBy(() -> AddrSpec.parse("to", "a@" + "b".repeat(64) + ".example"))
                .hasMessageContaining("domain");
        assertThatThrownBy(() -> AddrSpec.parse("to", "a".repeat(64) + "@" + "b.".repeat(96) + "example"))
                .hasMessageContaining("254");
    }
}
