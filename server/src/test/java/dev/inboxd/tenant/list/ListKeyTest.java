package dev.inboxd.tenant.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What entries and addresses are compared by. */
class ListKeyTest {
    @ParameterizedTest
    @CsvSource({
        "Jo@Example.COM, jo@example.com",
        "Example.COM, example.com",
        "jo@bücher.example, jo@xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "'\"jo\"@example.com', jo@example.com",
        "jo+tag@example.com, jo+tag@example.com",
        "jo@localhost, jo@localhost",
        "GRÜSSE@example.com, grüsse@example.com",
        "Jo <Jo@example.com>, jo@example.com"
    })
    void anEntryHasOneForm(String written, String form) {
        assertThat(Objects.requireNonNull(ListKey.ofEntry(written)).text()).isEqualTo(form);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "jo",
                "@example.com",
                "jo@",
                "*@example.com",
                "*.example.com",
                "jo@example.com, al@example.com",
                "example.com.",
                ".example.com",
                "exa mple.com",
                "jo@exa mple.com",
                "[192.0.2.1]",
                "a@b@c.example\n",
                "-.example",
                "http://example.com"
            })
    void whatIsNeitherAnAddressNorADomainIsNoEntry(String written) {
        assertThat(ListKey.ofEntry(written)).isNull();
    }

    @Test
    void anEntryHasAtMost254Characters() {
        String domain = "a".repeat(60) + "." + "b".repeat(60) + "." + "c".repeat(60) + ".example";
        assertThat(ListKey.ofEntry("x".repeat(254 - domain.length() - 1) + "@" + domain))
                .isNotNull();
        assertThat(ListKey.ofEntry("x".repeat(254 - domain.length()) + "@" + domain))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "JO@Example.com, jo@example.com, example.com",
        "'we ird@Example.com', example.com, example.com",
        "jo@example.com., example.com, example.com",
        "nothing, '', ''",
        "'', '', ''",
        "jo@, '', ''",
        "'two@at@example.com', example.com, example.com"
    })
    void aMalformedAddressStillHasItsDomain(String address, String key, String domain) {
        assertThat(ListKey.ofAddress(address).text()).isEqualTo(key);
        assertThat(ListKey.ofAddress(address).ofDomain().text()).isEqualTo(domain);
    }
}
