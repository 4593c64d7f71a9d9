package dev.inboxd.payment.view;

import dev.inboxd.base.json.Timestamps;
import dev.inboxd.payment.ledger.Payment;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Payments as CSV (RFC 4180), a line for each. */
public final class PaymentCsv {
    /** The first line. */
    public static final String HEADER = "created_at,settled_at,status,price,variant,method,network,asset,amount,payer,"
            + "route,reason,transaction,test,payment_id,organization_id,request_id";

    private PaymentCsv() {}

    /** The line of a payment, without its end. */
    public static String line(Payment payment) {
        Payment.Terms terms = payment.terms();
        Payment.Progress progress = payment.progress();
        boolean isOpen = progress.state().isOpen();
        return Stream.of(
                        Timestamps.format(payment.createdAt()),
                        progress.settledAt() == null ? "" : Timestamps.format(progress.settledAt()),
                        progress.state().wireName(),
                        terms.price().text(),
                        terms.variant(),
                        terms.method(),
                        terms.network(),
                        terms.asset(),
                        terms.amount(),
                        payment.payer(),
                        payment.route(),
                        isOpen ? "" : text(progress.reason()),
                        isOpen ? "" : text(progress.transaction()),
                        String.valueOf(terms.test()),
                        payment.id().toString(),
                        payment.organization().toString(),
                        payment.requestId())
                .map(PaymentCsv::field)
                .collect(Collectors.joining(","));
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }

    /** RFC 4180 §2: what has quotes, commas or line ends is quoted. A program that opens it runs no formula. */
    private static String field(String value) {
        boolean isFormula = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
        String text = isFormula ? "'" + value : value;
        boolean isPlain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
        return isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
