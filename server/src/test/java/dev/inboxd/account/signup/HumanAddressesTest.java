package dev.inboxd.account.signup;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.JsonBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses can be a human's. */
class HumanAddressesTest {
    private static final HumanAddresses PRODUCTION = new HumanAddresses(true, "agents.example.dev");
    private static final HumanAddresses DEV = new HumanAddresses(false, "mail.localhost");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@example.com",
                "a@mail.example.org",
                "a@example.net",
                "a@x.test",
                "a@x.invalid",
                "a@localhost",
                "a@x.localhost",
                "a@agents.example.dev",
                "A@Agents.Example.DEV",
                "a@sub.agents.example.dev",
                "a@[192.0.2.1]"
            })
    void inProductionPlaceholdersAndOurOwnAddressesAreRefused(String address) {
        assertThat(read(PRODUCTION, address)).isNull();
        assertThat(read(DEV, address)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "Jo@Human.Dev, jo@human.dev",
        "jo+agent@human.dev, jo+agent@human.dev",
        "' jo@human.dev ', jo@human.dev",
        "jo@bücher.dev, jo@xn--bcher-kva.dev",
        "a@myexample.com, a@myexample.com",
        "a@example.dev, a@example.dev"
    })
    void oneHumanHasOneSpelling(String given, String kept) {
        assertThat(read(PRODUCTION, given)).isEqualTo(kept);
    }

    @Test
    void anAddressThatIsTooLongIsRefused() {
        assertThat(read(DEV, "a".repeat(64) + "@" + "b.".repeat(94) + "c")).isNotNull();
        assertThat(read(DEV, "a".repeat(250) + "@b.dev")).isNull();
        assertThat(read(DEV, "a@" + "b.".repeat(126) + "c")).isNull();
    }

    private static @Nullable String read(HumanAddresses humans, String address) {
        return humans.read(JsonBody.read(json("human_email", address).getBytes(StandardCharsets.UTF_8), new Faults()));
    }
}
