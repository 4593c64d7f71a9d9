package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Who is asked to come back later. */
class NetworkReputationTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));
    private final NetworkReputation reputation = new NetworkReputation(now::get, false);

    @Test
    @Proves("A5a")
    void aNetworkOfHardlyAnythingBadIsPoorUntilTimeHasPassed() {
        note("192.0.2.7", false, 49);
        assertThat(isPoor("192.0.2.7")).isFalse();
        note("192.0.2.8", false, 1);
        assertThat(isPoor("192.0.2.7")).isTrue();
        assertThat(isPoor("192.0.2.200")).as("the network's other addresses").isTrue();
        assertThat(isPoor("192.0.3.7")).as("another network").isFalse();
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(1)));
        assertThat(isPoor("192.0.2.7")).as("below fifty again").isFalse();
    }

    @Test
    void whoAlsoSendsWantedMailIsNotPoor() {
        note("2001:db8::1", true, 20);
        note("2001:db8::ffff:1", false, 170);
        assertThat(isPoor("2001:db8::2")).as("one of nine is wanted").isFalse();
        note("2001:db8::1", false, 20);
        assertThat(isPoor("2001:db8::2")).isTrue();
        assertThat(isPoor("2001:db8:0:1::2")).as("another /64").isFalse();
    }

    @Test
    void aPrivateNetworkHasNoReputationSinceItPassesOnWhatComesFromEverywhere() {
        note("127.0.0.1", false, 1_000);
        note("::1", false, 1_000);
        note("10.0.0.1", false, 1_000);
        note("fd00::1", false, 1_000);
        assertThat(isPoor("127.0.0.1") || isPoor("::1") || isPoor("10.0.0.1") || isPoor("fd00::1"))
                .isFalse();
    }

    @Test
    void noNumberOfNetworksTakesMoreMemory() {
        note("192.0.2.7", false, 100);
        for (int i = 0; i < 10_000; i++) {
            note("20." + i / 250 + "." + i % 250 + ".1", false, 1);
        }
        assertThat(isPoor("192.0.2.7"))
                .as("forgotten, for it was silent longest")
                .isFalse();
    }

    private void note(String address, boolean good, int times) {
        for (int i = 0; i < times; i++) {
            reputation.record(InetAddress.ofLiteral(address), good);
        }
    }

    private boolean isPoor(String address) {
        return reputation.isPoor(InetAddress.ofLiteral(address));
    }
}
