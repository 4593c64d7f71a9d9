package dev.inboxd.payment.operator;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.AdminToken;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** All payments over HTTP, on the admin port alone (payments.md §12). */
public final class PaymentAdminHttp {
    private static final String ALL = "/admin/v0/payments";
    private static final String PAYMENT = ALL + "/{payment_id}";
    private static final List<String> OUTCOMES = List.of("paid", "refused");

    private final OperatorPayments payments;

    /** Routes to these payments. */
    public PaymentAdminHttp(OperatorPayments payments) {
        this.payments = payments;
    }

    /**
     * Mounts the routes.
     *
     * @param token opens each of them
     */
    public void mount(Routes root, AdminToken token) {
        root.get(Gate.PUBLIC, ALL, token.before(this::list));
        root.get(Gate.PUBLIC, PAYMENT, token.before(request -> Response.ok(payments.show(request.path("payment_id")))));
        root.post(Gate.PUBLIC, PAYMENT + "/resolve", token.before(this::resolve));
    }

    private Response list(Request request) {
        Query query = request.query();
        String organization = query.text("organization_id");
        UUID organizationId = organization == null ? null : Uuid7.parse(organization);
        if (organization != null && organizationId == null) {
            query.fault("organization_id", "organization_id must be a UUID");
        }
        String status = query.choice("status", PaymentFilter.STATUSES.toArray(String[]::new), word -> word);
        Instant since = query.instant("since");
        PageRequest page = request.page(PageLimit.list(100));
        PaymentFilter filter = new PaymentFilter(organizationId, status, since);
        return Response.ok(page.listing("payments", payments.list(filter, page), payment -> payment));
    }

    private Response resolve(Request request) {
        JsonBody body = request.body();
        String outcome = body.choice("outcome", OUTCOMES.toArray(String[]::new), word -> word);
        if (outcome == null) {
            body.missing("outcome");
        }
        String transaction = body.string("transaction").max(256).optional();
        body.check();
        return Response.ok(payments.resolve(request.path("payment_id"), "paid".equals(outcome), transaction));
    }
}
