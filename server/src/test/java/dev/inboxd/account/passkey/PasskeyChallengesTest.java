package dev.inboxd.account.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.vault.Vault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Challenges that nobody stores. */
class PasskeyChallengesTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09.123456Z");

    private final Vault vault = new Vault(List.of(Base64.getEncoder().encodeToString(new byte[32])));

    private PasskeyChallenges at(Instant time) {
        return new PasskeyChallenges(vault, InstantSource.fixed(time));
    }

    @Test
    void oneIsKnownAgainForAnHourAndForItsPurposeAlone() {
        byte[] challenge = at(NOW).make("sign-in");
        assertThat(at(NOW.plus(Duration.ofMinutes(59))).madeAt("sign-in", challenge))
                .contains(NOW);
        assertThat(at(NOW.plus(Duration.ofHours(1))).madeAt("sign-in", challenge))
                .isEmpty();
        assertThat(at(NOW).madeAt("creation 1", challenge)).isEmpty();
        assertThat(at(NOW).make("sign-in")).isNotEqualTo(challenge);
    }

    @Test
    void noOctetOfItCanBeAnother() {
        byte[] challenge = at(NOW).make("sign-in");
        for (int i = 0; i < challenge.length; i++) {
            byte[] other = challenge.clone();
            other[i] ^= 1;
            assertThat(at(NOW).madeAt("sign-in", other)).as("octet %s", i).isEmpty();
        }
        assertThat(at(NOW).madeAt("sign-in", new byte[0])).isEmpty();
        assertThat(at(NOW).madeAt("sign-in", new byte[41])).isEmpty();
    }
}
