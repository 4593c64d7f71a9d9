package dev.inboxd.payment.offer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriceTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0.00",
        "0.00, 0, 0.00",
        "2, 2000000, 2.00",
        "2.00, 2000000, 2.00",
        "2.5, 2500000, 2.50",
        "0.01, 10000, 0.01",
        "0.000001, 1, 0.000001",
        "0.0001, 100, 0.0001",
        "10.120, 10120000, 10.12",
        "1000000, 1000000000000, 1000000.00",
    })
    void aPriceIsReadInDollarsAndShownWithTwoDecimalsAtLeast(String text, long units, String shown) {
        assertThat(Price.ofDollars(text)).isEqualTo(new Price(units));
        assertThat(Price.ofDollars(text).text()).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "1.",
                ".5",
                "-1",
                "+1",
                "1e3",
                "0.0000001",
                "1000000.01",
                "1,00",
                "$2",
                " 2",
                "NaN",
                "0x10",
                "99999999999999999999",
                "٢"
            })
    void anythingElseIsNoPrice(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Price.ofDollars(text));
    }

    @ParameterizedTest
    @CsvSource({
        "2000000, 6, 2000000",
        "0, 6, 0",
        "0, 0, 0",
        "2000000, 18, 2000000000000000000",
        "1, 36, 1000000000000000000000000000000",
        "10000, 2, 1",
        "3000000, 0, 3",
        "1000000000000, 36, 1000000000000000000000000000000000000000000",
    })
    void anAmountIsTheSmallestUnitsOfTheAsset(long units, int decimals, String amount) {
        assertThat(new Price(units).isWhole(decimals)).isTrue();
        assertThat(new Price(units).amount(decimals)).isEqualTo(amount);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "10000, 1", "2500000, 0", "999999, 3"})
    void nothingIsRounded(long units, int decimals) {
        assertThat(new Price(units).isWhole(decimals)).isFalse();
        assertThatThrownBy(() -> new Price(units).amount(decimals)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void theDearerOfTwoPricesCounts() {
        assertThat(Price.FREE.atLeast(new Price(5))).isEqualTo(new Price(5));
        assertThat(new Price(7).atLeast(new Price(5))).isEqualTo(new Price(7));
    }
}
