package dev.inboxd.outbound.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrganizationThrottleTest {
    private final OrganizationThrottle places = new OrganizationThrottle();
    private final UUID organization = UUID.randomUUID();

    @Test
    @Proves("P2b")
    void whoeverComesFindsAPlaceHoweverManyTheOthersHold() {
        assertThat(places.acquire(organization, 1_000)).isEqualTo(132); // half of what is shared, and its own
        assertThat(places.isCrowded()).isFalse();
        for (int greedy = 0; greedy < 100; greedy++) {
            assertThat(places.acquire(UUID.randomUUID(), 1_000)).isGreaterThanOrEqualTo(4);
        }
        assertThat(places.isCrowded()).isTrue();
        assertThat(places.acquire(UUID.randomUUID(), 16)).isEqualTo(4);
        assertThat(places.acquire(organization, 1)).isZero();
    }

    @Test
    void whatIsGivenBackIsThereForOthers() throws Exception {
        UUID other = UUID.randomUUID();
        assertThat(places.acquire(organization, 1_000)).isEqualTo(132);
        assertThat(places.acquire(other, 1_000)).isEqualTo(68);
        places.release(organization, 132);
        assertThat(places.acquire(other, 1_000)).isEqualTo(64);
        assertThat(places.awaitEmpty(Duration.ZERO)).isFalse();
        places.release(other, 132);
        assertThat(places.awaitEmpty(Duration.ofMinutes(1))).isTrue();
        assertThat(places.acquire(organization, 1_000)).isEqualTo(132);
    }

    @Test
    void whatAllHoldTogetherIsBounded() {
        int held = 0;
        for (int i = 0; i < 400; i++) {
            held += places.acquire(UUID.randomUUID(), 16);
        }
        assertThat(held).isEqualTo(1_024);
    }
}
