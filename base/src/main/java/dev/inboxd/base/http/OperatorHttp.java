package dev.inboxd.base.http;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.log.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Routes for an operator's tools: readiness and metrics. */
public final class OperatorHttp {
    private final Health health;
    private final Metrics metrics;

    /**
     * What {@code /healthz} tells.
     *
     * @param fault why no requests should be sent to this node, or null
     * @param outage why a part of the service does not work, be it for every node, or null; at least when there is a
     *     fault
     */
    public record Health(Supplier<@Nullable String> fault, Supplier<@Nullable String> outage) {}

    /**
     * The handlers for one server.
     *
     * @param metrics what {@code /metrics} shows
     */
    public OperatorHttp(Health health, Metrics metrics) {
        this.health = health;
        this.metrics = metrics;
    }

    /** Mounts {@code /healthz}, and {@code /healthz?deep}, which tells of outages too. */
    public void mountHealth(Routes root) {
        root.page("/healthz", this::health);
    }

    /** Mounts {@code /metrics}. */
    public void mountMetrics(Routes root) {
        root.page("/metrics", new OwnPages(this::metrics));
    }

    private Response health(Request request) {
        boolean deep =
                "".equals(request.query().text("deep")) || request.query().flag("deep", false);
        String why = (deep ? health.outage : health.fault).get();
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
