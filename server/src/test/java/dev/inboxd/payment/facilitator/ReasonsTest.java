package dev.inboxd.payment.facilitator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonsTest {
    @Test
    void aReasonIsAWordThatCallersMayRead() {
        assertThat(Reasons.word("insufficient_funds")).isEqualTo("insufficient_funds");
        assertThat(Reasons.word("a".repeat(64))).hasSize(64);
        assertThat(Reasons.word("a".repeat(65))).isEqualTo("refused");
        assertThat(Reasons.word("Not enough <b>money</b>")).isEqualTo("refused");
        assertThat(Reasons.word("")).isEqualTo("refused");
        assertThat(Reasons.word(7L)).isEqualTo("refused");
        assertThat(Reasons.word(null)).isEqualTo("refused");
    }

    @Test
    void aTextForTheLogIsShortAndHasNoSignature() {
        String signature = "0x" + "ab12".repeat(32);
        assertThat(Reasons.text("bad signature " + signature + "\r\nof 0x036CbD53842c5426634e7929541eC2318f3dCF7e"))
                .isEqualTo("bad signature …  of 0x036CbD53842c5426634e7929541eC2318f3dCF7e");
        assertThat(Reasons.text("no! ".repeat(1_000))).hasSizeBetween(190, 200);
        assertThat(Reasons.text("x".repeat(10_000))).isEqualTo("…");
        assertThat(Reasons.text(null)).isEmpty();
        assertThat(Reasons.text(5L)).isEmpty();
    }

    @Test
    void aNameIsVisibleAsciiOfABoundedLength() {
        assertThat(Reasons.name("0xabc")).isEqualTo("0xabc");
        assertThat(Reasons.name("a b")).isNull();
        assertThat(Reasons.name("é")).isNull();
        assertThat(Reasons.name("x".repeat(257))).isNull();
        assertThat(Reasons.name("")).isNull();
        assertThat(Reasons.name(null)).isNull();
    }
}
