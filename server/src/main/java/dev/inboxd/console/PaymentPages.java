package dev.inboxd.console;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.payment.view.PaymentCsv;
import dev.inboxd.payment.view.PaymentDay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an organization paid for its calls, and what waits for an outcome. Nothing is to be changed here. */
final class PaymentPages {
    private static final String PAYMENTS = "payments";
    private static final Duration SUMMED = Duration.ofDays(30);
    /** More payments than these are not in a file. */
    private static final int MOST_LINES = 10_000;

    private final Database database;

    PaymentPages(Database database) {
        this.database = database;
    }

    void mount(ConsolePages pages) {
        pages.page("/payments", this::list).page("/payments.csv", this::export);
    }

    private Response list(Visit visit) {
        return visit.page(
                PAYMENTS,
                "payments/Payments",
                Map.of(
                        "payments", visit.read(InboxPages.paged(visit, LocalCall.get(PAYMENTS))),
                        "days", days(visit)));
    }

    private List<PaymentDay> days(Visit visit) {
        return database.read(
                tx -> PaymentDay.since(tx, visit.caller().view(), visit.now().minus(SUMMED)));
    }

    /** The newest payments as a file. */
    private Response export(Visit visit) {
        visit.silently(LocalCall.get(PAYMENTS).with("limit", "1")); // who may not list them gets no file
        PageRequest all = new PageRequest(MOST_LINES, false, null, _ -> "");
        List<Payment> payments =
                database.read(tx -> PaymentSql.list(tx, visit.caller().view(), all));
        String text = Stream.concat(
                        Stream.of(PaymentCsv.HEADER),
                        payments.stream().limit(MOST_LINES).map(PaymentCsv::line))
                .collect(Collectors.joining("\r\n", "", "\r\n"));
        return Response.bytes(200, "text/csv; charset=utf-8", text.getBytes(StandardCharsets.UTF_8))
                .header("Content-Disposition", "attachment; filename=\"payments.csv\"")
                .header("Cache-Control", "no-store");
    }
}
