package dev.inboxd.notify.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Results of attempts of one organization that wait to be written. The caller ensures that one thread at a time adds to
 * them.
 */
final class PendingResults {
    /** So many successes are written soon. */
    private static final int MANY = 256;

    final List<AttemptResult> succeeded = new ArrayList<>();
    final List<WebhookDelivery> dropped = new ArrayList<>();
    final List<WebhookDelivery> refused = new ArrayList<>();
    final List<ResultWriter.FailedAttempt> failed = new ArrayList<>();
    /** Counted down when they shall not wait for more; what else comes until they are taken goes with them. */
    final CountDownLatch flush = new CountDownLatch(1);

    /** Whether somebody waits for what is among them, or there are enough of them. */
    boolean areUrgent() {
        return !failed.isEmpty() || !refused.isEmpty() || succeeded.size() >= MANY;
    }

    /** Rows that are done with. */
    Stream<WebhookDelivery> removed() {
        return Stream.concat(dropped.stream(), succeeded.stream().map(AttemptResult::delivery));
    }

    /** Attempts to be written down. */
    Stream<AttemptResult> results() {
        return Stream.concat(succeeded.stream(), failed.stream().map(ResultWriter.FailedAttempt::result));
    }
}
