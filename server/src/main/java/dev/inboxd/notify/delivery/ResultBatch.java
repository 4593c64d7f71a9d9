package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the results of one organization, in a commit that it may share with other organizations. */
final class ResultBatch implements GroupCommit.Change {
    private final Tx tx;
    private final View view;
    private final Context of;
    private final List<PendingResults> all;
    private RoundTrip.Result<String> failing = RoundTrip.Result.none();

    /**
     * The context of a batch.
     *
     * @param node the node that ran the attempts
     * @param cancelling cancels the deliveries of webhooks that failed too long
     */
    record Context(Supplier<UUID> node, DeliveryCancellation cancelling) {}

    ResultBatch(Tx tx, View view, Context of, List<PendingResults> all) {
        this.tx = tx;
        this.view = view;
        this.of = of;
        this.all = all;
    }

    /**
     * One sequence number, though no event needs it: it advances the clock's time, which is the time at which a webhook
     * is disabled.
     */
    @Override
    public ClockReservation claim() {
        return ClockReservation.numbers(1);
    }

    /** Needs no query: while the clock row is locked, no other transaction changes these rows. */
    @Override
    public void write(RoundTrip writes) {
        ResultSql.remove(writes, view, list(PendingResults::removed));
        ResultSql.releaseWith(writes, view, of.node.get(), list(results -> results.refused.stream()));
        ResultSql.log(writes, view, list(PendingResults::results));
        // First the successes: one among many failures is enough.
        ResultSql.recovered(
                writes, view, webhooks(results -> results.succeeded.stream().map(AttemptResult::delivery)));
        ResultSql.fail(writes, view, list(results -> results.failed.stream()));
        if (all.stream().anyMatch(results -> !results.failed.isEmpty() || !results.refused.isEmpty())) {
            tx.schedules();
        }
        RoundTrip.Result<String> again = ResultSql.again(writes, view, list(PendingResults::attempted));
        tx.afterCommit(() -> {
            if (!again.rows().isEmpty()) {
                of.cancelling.deliveries().wakeForDue(view.organization());
            }
        });
        failing = ResultSql.failing(
                writes, view, webhooks(results -> results.failed.stream().map(ResultWriter.FailedAttempt::delivery)));
    }

    /** Cancels in the same transaction, so that after a crash a disabled webhook has no deliveries. */
    @Override
    public @Nullable Runnable followUp() {
        return all.stream().allMatch(results -> results.failed.isEmpty())
                ? null
                : () -> failing.rows().stream()
                        .filter(webhook -> !webhook.isEmpty())
                        .forEach(webhook -> of.cancelling.cancel(tx, view.organization(), webhook));
    }

    private <T> List<T> list(Function<PendingResults, Stream<T>> selector) {
        return all.stream().flatMap(selector).toList();
    }

    private List<String> webhooks(Function<PendingResults, Stream<WebhookDelivery>> selector) {
        return all.stream()
                .flatMap(selector)
                .map(WebhookDelivery::webhook)
                .distinct()
                .toList();
    }
}
