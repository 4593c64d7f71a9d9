package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.payment.metric.PaymentTimes;
import dev.inboxd.payment.offer.Price;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** Payments as rows, for tests that need one to be there. */
public final class PaymentRowFixture {
    private PaymentRowFixture() {}

    /** A payment of an organization that is settled; its id. */
    public static UUID settled(Database database, UUID organization) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        Payment payment = new Payment(
                organization,
                Uuid7.next(),
                new Payment.Terms("x402", "exact", "eip155:84532", "0x0", "10000", new Price(10_000), true),
                "eip155:84532:0x0",
                "POST /v0/pods",
                new Payment.Progress(PaymentState.RESERVED, null, null, null),
                "req_0",
                now,
                PaymentTimes.NONE);
        database.write(organization, tx -> {
            PaymentSql.insert(
                    tx,
                    new PaymentSql.NewPayment(
                            payment,
                            new byte[0],
                            new byte[0],
                            new PaymentClaims(List.of(), List.of(), null),
                            now,
                            new PaymentSql.Claim(null, now)));
            PaymentSql.end(tx, payment, new Payment.Progress(PaymentState.SETTLED, null, "0x0", now));
            return null;
        });
        return payment.id();
    }
}
