package dev.inboxd.platform.http;

import dev.inboxd.platform.rate.BudgetStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells a caller how its key stands (identity.md §4.1). */
final class RateHeaders {
    private RateHeaders() {}

    /** The answer with the standing; unchanged when nothing was counted. */
    static Response add(Response answer, @Nullable BudgetStatus standing) {
        if (standing == null) {
            return answer;
        }
        List<String> headers = new ArrayList<>(answer.headers());
        headers.addAll(List.of(
                "X-RateLimit-Limit",
                Integer.toString(standing.rate().burst()),
                "X-RateLimit-Remaining",
                Integer.toString(standing.remaining()),
                "X-RateLimit-Reset",
                Long.toString(standing.fullAt().plusNanos(999_999_999).getEpochSecond())));
        return new Response(answer.status(), answer.body(), headers);
    }
}
