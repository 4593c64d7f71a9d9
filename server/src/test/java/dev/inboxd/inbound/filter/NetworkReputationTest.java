package dev.inboxd.inbound.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Who is asked to come back later. */
class NetworkReputationTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));
    private final NetworkReputation reputation = new NetworkReputation(now::get, false);

    @Test
    @Proves("A5a")
    void anAddressOfHardlyAnythingBadIsPoorUntilTimeHasPassedAndItsNeighborsAreNot() {
        note("192.0.2.7", false, 49);
        assertThat(isPoor("192.0.2.7")).isFalse();
        note("192.0.2.7", false, 1);
        assertThat(standing("192.0.2.7")).isEqualTo(NetworkReputation.Standing.POOR_ADDRESS);
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(1)));
        assertThat(isPoor("192.0.2.7")).as("below fifty again").isFalse();
        note("192.0.2.7", false, 5_000);
        assertThat(isPoor("192.0.2.8")).as("a neighbor without mail so far").isFalse();
        note("192.0.2.8", false, 29);
        assertThat(isPoor("192.0.2.9")).as("two addresses are not several").isFalse();
        assertThat(isPoor("192.0.3.7")).as("another network").isFalse();
    }

    @Test
    void aNetworkIsPoorWhenSeveralOfItsAddressesAre() {
        for (String bad : List.of("192.0.2.7", "192.0.2.8", "192.0.2.9")) {
            note(bad, false, 60);
        }
        assertThat(standing("192.0.2.200")).isEqualTo(NetworkReputation.Standing.POOR_NETWORK);
        note("192.0.2.201", true, 1);
        assertThat(isPoor("192.0.2.201")).as("it sends wanted mail itself").isFalse();
        note("192.0.2.201", true, 10);
        assertThat(isPoor("192.0.2.200"))
                .as("wanted mail comes from the network")
                .isFalse();
        assertThat(standing("192.0.2.7")).isEqualTo(NetworkReputation.Standing.POOR_ADDRESS);
    }

    @Test
    void badResultsThatAreSpreadOverANetworkCountTogether() {
        for (int host = 1; host <= 50; host++) {
            note("192.0.2." + host, false, 1);
        }
        assertThat(standing("192.0.2.200")).isEqualTo(NetworkReputation.Standing.POOR_NETWORK);
    }

    @Test
    void whoAlsoSendsWantedMailIsNotPoor() {
        note("2001:db8::1", true, 20);
        note("2001:db8::ffff:1", false, 170);
        assertThat(isPoor("2001:db8::2")).as("one of nine is wanted").isFalse();
        note("2001:db8::1", false, 20);
        assertThat(isPoor("2001:db8::2"))
                .as("the addresses of a /64 are one client")
                .isTrue();
        assertThat(isPoor("2001:db8:0:1::2")).as("another /64").isFalse();
        note("2001:db8:0:2::1", false, 60);
        note("2001:db8:0:3::1", false, 60);
        assertThat(isPoor("2001:db8:0:1::2"))
                .as("wanted mail comes from the /48")
                .isFalse();
        note("2001:db8:9:2::1", false, 60);
        note("2001:db8:9:3::1", false, 60);
        note("2001:db8:9:4::1", false, 60);
        assertThat(isPoor("2001:db8:9:1::2")).as("several /64 of a /48").isTrue();
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
        return standing(address) != NetworkReputation.Standing.FAIR;
    }

    private NetworkReputation.Standing standing(String address) {
        return reputation.standing(InetAddress.ofLiteral(address));
    }
}
