package dev.inboxd.payment.view;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import java.util.Optional;
import java.util.UUID;

/** The payments of an organization over HTTP (payments.md §12). */
public final class PaymentHttp {
    private final Database database;

    /** Routes to the payments of a database. */
    public PaymentHttp(Database database) {
        this.database = database;
    }

    /** Mounts the routes of the organization. */
    public void mount(Routes organization) {
        organization.get(Gate.ORGANIZATION_READ, "/payments", this::list);
        organization.get(Gate.ORGANIZATION_READ, "/payments/{payment_id}", this::get);
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        Slice<Payment> payments = database.read(
                tx -> page.slice(PaymentSql.list(tx, request.view(), page), payment -> Cursor.of(payment.id())));
        return Response.ok(page.listing("payments", payments, Payment::json));
    }

    private Response get(Request request) {
        UUID id = Uuid7.parse(request.path("payment_id"));
        return Response.ok(Optional.ofNullable(id)
                .flatMap(uuid -> database.read(tx -> PaymentSql.find(tx, request.view(), uuid)))
                .orElseThrow(() -> Problem.notFound("Payment"))
                .json());
    }
}
