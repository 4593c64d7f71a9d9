package dev.inboxd.base.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeapShareTest {
    /** What the launcher gives when nobody says otherwise. */
    private static final long USUAL = 208L << 20;

    @Test
    @Proves("P15")
    void theSharesTogetherLeaveTheRestOfTheHeap() {
        assertThat(Arrays.stream(HeapShare.values())
                        .mapToLong(share -> share.of(64))
                        .sum())
                .isEqualTo(64 - HeapShare.RESERVE);
        assertThat(HeapShare.RESERVE).isPositive();
        assertThat(Arrays.stream(HeapShare.values())
                        .mapToLong(HeapShare::octets)
                        .sum())
                .isLessThan(Runtime.getRuntime().maxMemory());
    }

    /** 6 MiB is the largest body of a request; 4.2 MB what mail of 1 MiB takes. */
    @Test
    void inTheUsualHeapEachShareHoldsTheLargestThatComes() {
        assertThat(HeapShare.REQUESTS.of(USUAL)).isGreaterThan(6L << 20);
        assertThat(HeapShare.ANSWERS.of(USUAL)).isGreaterThan(6L << 20);
        assertThat(HeapShare.MAIL.of(USUAL)).isGreaterThan(2 * 4_210_688L);
        assertThat(HeapShare.SUBMISSIONS.of(USUAL)).isGreaterThan(4_210_688L);
    }
}
