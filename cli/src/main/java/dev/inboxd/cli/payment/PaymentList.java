package dev.inboxd.cli.payment;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.operator.OperatorPayments;
import dev.inboxd.payment.view.PaymentCsv;
import java.io.PrintWriter;
import java.util.List;

/** Prints payments as they are read, so that any number of them takes no memory. */
final class PaymentList {
    private final PrintWriter out;
    private final Form form;
    private boolean isFirst = true;

    /** How they are printed. */
    enum Form {
        LINES,
        JSON,
        CSV
    }

    PaymentList(PrintWriter out, Form form) {
        this.out = out;
        this.form = form;
    }

    void begin() {
        switch (form) {
            case CSV -> out.println(PaymentCsv.HEADER);
            case JSON -> out.print("[");
            case LINES -> {}
        }
    }

    void end() {
        if (form == Form.JSON) {
            out.println("]");
        }
        out.flush();
    }

    void add(List<Payment> page) {
        page.forEach(this::add);
        out.flush();
    }

    private void add(Payment payment) {
        switch (form) {
            case CSV -> out.println(PaymentCsv.line(payment));
            case JSON -> out.print((isFirst ? "" : ",\n") + Json.text(OperatorPayments.json(payment)));
            case LINES -> out.println(line(payment));
        }
        isFirst = false;
    }

    private static String line(Payment payment) {
        Payment.Terms terms = payment.terms();
        return Timestamps.format(payment.createdAt()) + "  " + payment.id() + "  "
                + padded(payment.progress().state().wireName(), 7) + "  "
                + padded(terms.price().text() + " USD", 10)
                + (terms.test() ? "  test" : "") + "  " + terms.variant() + "  " + payment.route() + "  "
                + payment.payer();
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
