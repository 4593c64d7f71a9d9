package dev.inboxd.payment.offer;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What one call costs.
 *
 * @param units millionths of a US dollar, 0 to {@link #MOST_UNITS}
 */
public record Price(long units) implements Comparable<Price> {
    /** Nothing. A call of this price still wants a proof of who asks. */
    public static final Price FREE = new Price(0);

    /** A million dollars. */
    public static final long MOST_UNITS = 1_000_000_000_000L;

    /** Decimals of the dollar that a unit has. */
    private static final int UNIT_DECIMALS = 6;

    /** Decimals that people expect of dollars. */
    private static final int CENTS = 2;

    public Price {
        if (units < 0 || units > MOST_UNITS) {
            throw new IllegalArgumentException("no price: " + units);
        }
    }

    /**
     * Reads dollars with at most six decimals, such as {@code 2}, {@code 2.00} and {@code 0.000001}.
     *
     * @throws IllegalArgumentException for any other text, and for more than a million dollars
     */
    public static Price ofDollars(String text) {
        int point = text.indexOf('.');
        String integer = point < 0 ? text : text.substring(0, point);
        String fraction = point < 0 ? "" : text.substring(point + 1);
        boolean isNumber = isDigits(integer) && (point < 0 || isDigits(fraction));
        if (!isNumber || integer.length() > 7 || fraction.length() > UNIT_DECIMALS) {
            throw new IllegalArgumentException(text);
        }
        return new Price(new BigDecimal(text).scaleByPowerOfTen(UNIT_DECIMALS).longValueExact());
    }

    private static boolean isDigits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Whether nothing is to be paid. */
    public boolean isFree() {
        return units == 0;
    }

    /** Whether it is a whole number of the smallest units of an asset with so many decimals. */
    public boolean isWhole(int decimals) {
        return decimals >= UNIT_DECIMALS
                || units % BigInteger.TEN.pow(UNIT_DECIMALS - decimals).longValueExact() == 0;
    }

    /**
     * The smallest units of an asset: digits without leading zeros.
     *
     * @param decimals of the asset, 0 to 36
     * @throws ArithmeticException when it is no whole number of them; nothing is ever rounded
     */
    public String amount(int decimals) {
        return new BigDecimal(BigInteger.valueOf(units), UNIT_DECIMALS)
                .scaleByPowerOfTen(decimals)
                .toBigIntegerExact()
                .toString();
    }

    /** Dollars with two decimals or, where it takes more, up to six: {@code 2.00}, {@code 0.0001}. */
    public String text() {
        return text(units);
    }

    /** A sum of prices in the same way. */
    public static String text(long units) {
        BigDecimal dollars = new BigDecimal(BigInteger.valueOf(units), UNIT_DECIMALS).stripTrailingZeros();
        return dollars.setScale(Math.max(CENTS, dollars.scale())).toPlainString();
    }

    /** The dearer of two prices. */
    public Price atLeast(Price minimum) {
        return compareTo(minimum) >= 0 ? this : minimum;
    }

    @Override
    public int compareTo(Price price) {
        return Long.compare(units, price.units);
    }

    @Override
    public String toString() {
        return text();
    }
}
