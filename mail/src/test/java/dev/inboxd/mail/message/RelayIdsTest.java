package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ids that relays name in their answers. */
class RelayIdsTest {
    private static final String SES = "0100019abcdef0024-1111-2222-3333-444455556666-000000";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "250 Ok " + SES + " | <" + SES + "@amazonses.com>",
                "250 2.0.0 Ok " + SES + " | <" + SES + "@amazonses.com>",
                "250 2.0.0 OK <AM0@AM0.eurprd.prod.outlook.com> [Hostname=AM0] | <AM0@AM0.eurprd.prod.outlook.com>",
                "250 2.0.0 Ok: queued as 4F1A2B3C4D5E | -",
                "250 Ok accepted | -",
                "250 Great success | -",
                "250 | -",
            })
    void anAnswerNamesAnIdOrNone(String answer, String id) {
        assertThat(RelayIds.named(answer)).isEqualTo(id == null ? List.of() : List.of(id));
    }

    @Test
    void theIdIsTheSameInEveryRegion() {
        for (var domain : List.of("email.amazonses.com", "eu-west-1.amazonses.com", "AMAZONSES.com", "amazonses.com")) {
            assertThat(RelayIds.key("<" + SES + "@" + domain + ">")).isEqualTo("<" + SES + "@amazonses.com>");
        }
        assertThat(RelayIds.key("<a@notamazonses.com>")).isEqualTo("<a@notamazonses.com>");
        assertThat(RelayIds.key("<a b@example.com>")).isEqualTo("<ab@example.com>");
        assertThat(RelayIds.key("<amazonses.com>")).isEqualTo("<amazonses.com>");
    }
}
