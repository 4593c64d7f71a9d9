package dev.inboxd.inbound;

import dev.inboxd.screening.Judgment;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a message, reached once for all its recipients, when the first organization wants it. Used by the
 * thread that receives the message; a transaction only looks whether it is there.
 */
final class PendingVerdict {
    private final Supplier<Judgment> judge;
    private volatile @Nullable Judgment reached;

    /** @param judge blocks while it judges */
    PendingVerdict(Supplier<Judgment> judge) {
        this.judge = judge;
    }

    /** Reaches the verdict if that was not done yet; blocks for two seconds at most. */
    void reach() {
        if (reached == null) {
            reached = judge.get();
        }
    }

    boolean isReached() {
        return reached != null;
    }

    Judgment get() {
        return Objects.requireNonNull(reached);
    }
}
