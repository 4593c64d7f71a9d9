package dev.inboxd.base.http;

import dev.inboxd.base.rate.BudgetStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Headers with the rate budget of the caller's key (identity.md §4.1). */
final class RateHeaders {
    private RateHeaders() {}

    /** The answer with the headers; unchanged when the request was not counted. */
    static Response add(Response answer, @Nullable BudgetStatus status) {
        if (status == null) {
            return answer;
        }
        List<String> headers = new ArrayList<>(answer.headers());
        headers.addAll(List.of(
                "X-RateLimit-Limit",
                Integer.toString(status.rate().burst()),
                "X-RateLimit-Remaining",
                Integer.toString(status.remaining()),
                "X-RateLimit-Reset",
                Long.toString(status.fullAt().plusNanos(999_999_999).getEpochSecond())));
        return new Response(answer.status(), answer.body(), headers);
    }
}
