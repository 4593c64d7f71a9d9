package dev.inboxd.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.testing.HeldMemory;
import dev.inboxd.testing.TestSize;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ComparedBlobsTest {
    private static BlobKey key(int number) {
        return new BlobKey(new UUID(0, number / 100), String.format("%032x", number));
    }

    private static ComparedBlobs compared(int count) {
        ComparedBlobs compared = new ComparedBlobs();
        compared.begin();
        for (int i = 0; i < count; i++) {
            compared.add(key(i));
        }
        return compared;
    }

    @Test
    void aPassKnowsWhatTheOneBeforeCompared() {
        try (ComparedBlobs compared = compared(1_000)) {
            assertThat(compared.has(key(5))).isFalse(); // in the first pass nothing was compared before
            compared.begin();
            for (int i = 3; i < 1_200; i += 3) {
                assertThat(compared.has(key(i))).isEqualTo(i < 1_000);
                compared.add(key(i));
            }
            compared.begin();
            assertThat(compared.has(key(3))).isTrue();
            assertThat(compared.has(key(4))).isFalse();
            assertThat(compared.has(key(6))).isTrue();
        }
    }

    @Test
    @Tag("long")
    void whatIsHeldDoesNotGrowWithTheBlobs() throws Exception {
        HeldMemory.of(() -> compared(1_000)); // what is loaded once
        int few = TestSize.of(5_000, 10_000);
        long least = HeldMemory.of(() -> compared(few));
        long most = HeldMemory.of(() -> compared(6 * few));
        assertThat(most)
                .as("octets held for six times %d, and %d for them", few, least)
                .isLessThan(2 * least + (1 << 20));
    }
}
