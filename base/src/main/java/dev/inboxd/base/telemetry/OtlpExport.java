package dev.inboxd.base.telemetry;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.Traces;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans and meters to a collector. What it cannot take is dropped: at most 2,048 spans wait, and nothing else
 * waits for it.
 */
public final class OtlpExport implements Traces, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_WAITING = 2_048;
    /** Lengths of version, trace id, span id and flags in a traceparent (W3C Trace Context §3.2). */
    private static final List<Integer> LENGTHS = List.of(2, 32, 16, 2);

    private final Clock clock = Clock.getDefault();
    private final LibraryLog log = LibraryLog.take("io.opentelemetry");
    private final SdkTracerProvider spans;
    private final SdkMeterProvider meters;
    private final Tracer tracer;

    /** Begins to send; the collector need not be there yet. */
    public OtlpExport(OtlpConfig config, Metrics metrics) {
        Resource resource = Resource.builder()
                .put("service.name", "inboxd")
                .put("service.version", config.version())
                .put("service.instance.id", config.instance())
                .build();
        this.spans = SdkTracerProvider.builder()
                .setResource(resource)
                .setClock(clock)
                .setSampler(Sampler.traceIdRatioBased(config.share()))
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(config.address("traces"))
                                .setHeaders(config::headers)
                                .setTimeout(PATIENCE)
                                .setConnectTimeout(PATIENCE)
                                .build())
                        .setMaxQueueSize(MOST_WAITING)
                        .setScheduleDelay(Duration.ofSeconds(1))
                        .build())
                .build();
        this.meters = SdkMeterProvider.builder()
                .setResource(resource)
                .setClock(clock)
                .registerMetricProducer(new MeterProducer(metrics.registry(), clock))
                .registerMetricReader(PeriodicMetricReader.builder(OtlpHttpMetricExporter.builder()
                                .setEndpoint(config.address("metrics"))
                                .setHeaders(config::headers)
                                .setTimeout(PATIENCE)
                                .setConnectTimeout(PATIENCE)
                                .build())
                        .setInterval(config.interval())
                        .build())
                .build();
        this.tracer = spans.get("inboxd");
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void ended(Span span) {
        long now = clock.now();
        SpanBuilder builder = tracer.spanBuilder(span.name())
                .setNoParent()
                .setSpanKind(span.side() == Side.SERVER ? SpanKind.SERVER : SpanKind.CLIENT)
                .setStartTimestamp(now - span.nanos(), TimeUnit.NANOSECONDS);
        SpanContext caller = context(span.caller());
        if (caller != null) {
            builder.addLink(caller);
        }
        span.attributes().forEach((name, value) -> {
            if (value instanceof Number number) {
                builder.setAttribute(name, number.longValue());
            } else {
                builder.setAttribute(name, value.toString());
            }
        });
        io.opentelemetry.api.trace.Span exported = builder.startSpan();
        if (span.error() != null) {
            exported.setAttribute("error.type", span.error());
            exported.setStatus(StatusCode.ERROR);
        }
        exported.end(now, TimeUnit.NANOSECONDS);
    }

    /**
     * What a caller traces. It is linked to and never continued: a stranger chooses neither the trace that our work is
     * in nor whether it is kept.
     */
    private static @Nullable SpanContext context(@Nullable String traceparent) {
        String[] parts = traceparent == null ? new String[0] : traceparent.split("-", LENGTHS.size() + 1);
        boolean right = parts.length == LENGTHS.size();
        for (int i = 0; right && i < parts.length; i++) {
            right = parts[i].length() == LENGTHS.get(i);
        }
        return right && parts[0].equals("00") && TraceId.isValid(parts[1]) && SpanId.isValid(parts[2])
                ? SpanContext.createFromRemoteParent(
                        parts[1], parts[2], TraceFlags.getDefault(), TraceState.getDefault())
                : null;
    }

    /** Sends what waits, for some seconds at most, and stops. */
    @Override
    public void close() {
        CompletableResultCode.ofAll(List.of(spans.shutdown(), meters.shutdown()))
                .join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        log.close();
    }
}
