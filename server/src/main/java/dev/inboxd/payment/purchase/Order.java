package dev.inboxd.payment.purchase;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentState;
import dev.inboxd.payment.metric.PaymentTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A request with a payment that was verified.
 *
 * @param paymentId of the payment that comes of it
 * @param payer the account
 * @param terms what is paid, and how
 * @param keys SHA-256 of what makes the authorization one; none was used before, as far as is known
 * @param validBefore when the authorization expires
 * @param question what the facilitator is asked
 * @param call the request
 * @param route method and template
 * @param hash SHA-256 of the request
 * @param files those by URL that were fetched for it
 * @param requestId the id of the request in logs
 * @param verifyMillis how long the judge took to verify it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Order(
        UUID paymentId,
        String payer,
        Payment.Terms terms,
        List<byte[]> keys,
        Instant validBefore,
        PaymentQuestion question,
        LocalCall call,
        String route,
        byte[] hash,
        List<KeptFiles.KeptFile> files,
        String requestId,
        long verifyMillis) {
    /** The payment that begins with it. */
    Payment reserved(UUID organization, Instant now) {
        Payment.Progress progress = new Payment.Progress(PaymentState.RESERVED, null, null, null);
        return new Payment(
                organization,
                paymentId,
                terms,
                payer,
                route,
                progress,
                requestId,
                now,
                new PaymentTimes(verifyMillis, null));
    }

    /** The same with files. */
    Order with(List<KeptFiles.KeptFile> fetched) {
        return new Order(
                paymentId,
                payer,
                terms,
                keys,
                validBefore,
                question,
                call,
                route,
                hash,
                fetched,
                requestId,
                verifyMillis);
    }
}
