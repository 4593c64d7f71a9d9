package dev.inboxd.platform.http;

import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.log.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Routes for an operator's tools: readiness and metrics. */
public final class OperatorHttp {
    private final Supplier<@Nullable String> reason;
    private final Metrics metrics;

    /**
     * The handlers for one server.
     *
     * @param reason why the service is not ready, or null when it is
     */
    public OperatorHttp(Supplier<@Nullable String> reason, Metrics metrics) {
        this.reason = reason;
        this.metrics = metrics;
    }

    /** Mounts {@code /healthz}. */
    public void mountHealth(Routes root) {
        root.page("/healthz", this::health);
    }

    /** Mounts {@code /metrics}. */
    public void mountMetrics(Routes root) {
        root.page("/metrics", new OwnPages(this::metrics));
    }

    private Response health(Request request) {
        String why = reason.get();
        return why == null
                ? Response.ok(JsonObject.of("status", "ok"))
                : Response.of(503, JsonObject.of("status", "unavailable").with("reason", why));
    }

    private Response metrics(Request request) {
        return Response.bytes(
                200,
                "text/plain; version=0.0.4; charset=utf-8",
                metrics.scrape().getBytes(StandardCharsets.UTF_8));
    }
}
