package dev.inboxd.notify.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Results of attempts of one organization that wait to be written. The caller ensures that one thread at a time adds to
 * them.
 */
final class PendingResults {
    /** This many successes are written soon. */
    private static final int MANY = 256;

    final List<AttemptResult> succeeded = new ArrayList<>();
    final List<WebhookDelivery> dropped = new ArrayList<>();
    final List<WebhookDelivery> refused = new ArrayList<>();
    final List<ResultWriter.FailedAttempt> failed = new ArrayList<>();
    /** Counted down when the results are urgent; results added until they are taken are written with them. */
    final CountDownLatch flush = new CountDownLatch(1);

    /** Whether a result has to be written soon, or there are many results. */
    boolean areUrgent() {
        return !failed.isEmpty() || !refused.isEmpty() || succeeded.size() >= MANY;
    }

    /** Deliveries that have ended. */
    Stream<WebhookDelivery> removed() {
        return Stream.concat(dropped.stream(), succeeded.stream().map(AttemptResult::delivery));
    }

    /** Deliveries that are let go, whatever came of them. */
    Stream<WebhookDelivery> attempted() {
        return Stream.of(removed(), refused.stream(), failed.stream().map(ResultWriter.FailedAttempt::delivery))
                .flatMap(deliveries -> deliveries);
    }

    /** Results for the delivery log. */
    Stream<AttemptResult> results() {
        return Stream.concat(succeeded.stream(), failed.stream().map(ResultWriter.FailedAttempt::result));
    }
}
