package dev.inboxd.payment.mpp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The request field {@value #HEADER}: which methods a client prefers (draft-httpauth-payment-00, Client Payment
 * Preferences). One that cannot be read counts as absent.
 */
public final class AcceptPayment {
    /** The header field. */
    public static final String HEADER = "Accept-Payment";

    private static final int MOST = 64;
    private static final int UNNAMED = -1;
    private static final List<Range> NONE = List.of();

    private final List<Range> ranges;

    private AcceptPayment(List<Range> ranges) {
        this.ranges = ranges;
    }

    /** @param weight in thousandths */
    private record Range(String method, String intent, int weight) {
        boolean matches(String name) {
            return (method.equals("*") || method.equals(name))
                    && (intent.equals("*") || intent.equals(ChargeChallenge.CHARGE));
        }

        int precision() {
            return (method.equals("*") ? 0 : 1) + (intent.equals("*") ? 0 : 1);
        }
    }

    /** Reads every value of the field; at most 64 ranges. */
    public static AcceptPayment read(List<String> values) {
        List<Range> ranges = new ArrayList<>();
        for (String part : String.join(",", values).split(",", MOST + 1)) {
            if (part.isBlank()) {
                continue;
            }
            Range range = range(part.strip());
            if (range == null || ranges.size() == MOST) {
                return new AcceptPayment(NONE);
            }
            ranges.add(range);
        }
        return new AcceptPayment(List.copyOf(ranges));
    }

    /**
     * The offers in the order of the client, those of one weight in the given one. Without those that the client
     * refuses; all of them, as given, when it refuses each. What it does not name comes last.
     */
    public List<ChargeOffer> ordered(List<ChargeOffer> offers) {
        List<ChargeOffer> accepted = offers.stream()
                .filter(offer -> weight(offer.method()) != 0)
                .sorted(Comparator.comparingInt((ChargeOffer offer) -> weight(offer.method()))
                        .reversed())
                .toList();
        return accepted.isEmpty() ? offers : accepted;
    }

    /** The weight that the most precise range gives a method, of several the highest. */
    private int weight(String method) {
        return ranges.stream()
                .filter(range -> range.matches(method))
                .max(Comparator.comparingInt(Range::precision).thenComparingInt(Range::weight))
                .map(Range::weight)
                .orElse(UNNAMED);
    }

    private static @Nullable Range range(String text) {
        String[] parts = text.split(";", 3);
        int slash = parts[0].indexOf('/');
        int weight = parts.length == 1 ? 1000 : weightOf(parts[1].strip().toLowerCase(Locale.ROOT));
        if (slash < 0 || parts.length > 2 || weight < 0) {
            return null;
        }
        String method = parts[0].substring(0, slash).strip();
        String intent = parts[0].substring(slash + 1).strip();
        return isToken(method) && isToken(intent) ? new Range(method, intent, weight) : null;
    }

    /** A weight of RFC 9110 §12.4.2 in thousandths; -1 when it is none. */
    private static int weightOf(String text) {
        if (!text.startsWith("q=") || text.length() < 3 || text.length() > 7) {
            return -1;
        }
        String digits = text.substring(2);
        boolean isWeight = (digits.charAt(0) == '0' || digits.charAt(0) == '1')
                && (digits.length() == 1 || digits.charAt(1) == '.')
                && digits.chars().skip(2).allMatch(c -> c >= '0' && c <= '9');
        if (!isWeight) {
            return -1;
        }
        String fraction = digits.length() > 2 ? digits.substring(2) : "";
        int weight = Integer.parseInt(digits.charAt(0) + (fraction + "000").substring(0, 3));
        return weight <= 1000 ? weight : -1;
    }

    private static boolean isToken(String text) {
        return text.equals("*")
                || (!text.isEmpty()
                        && text.chars()
                                .allMatch(c -> (c >= 'a' && c <= 'z')
                                        || (c >= 'A' && c <= 'Z')
                                        || (c >= '0' && c <= '9')
                                        || c == '-'));
    }
}
