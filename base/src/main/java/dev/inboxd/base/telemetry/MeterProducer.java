package dev.inboxd.base.telemetry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Shows the meters of this process to an exporter: the figures of {@code /metrics}, under the same names. */
final class MeterProducer implements MetricProducer {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("inboxd");

    private final MeterRegistry registry;
    private final Clock clock;
    private final long start;

    /** The meters, which count from now on. */
    MeterProducer(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        this.start = clock.now();
    }

    @Override
    public Collection<MetricData> produce(Resource resource) {
        Map<String, List<Meter>> byName = new LinkedHashMap<>();
        registry.getMeters()
                .forEach(meter -> byName.computeIfAbsent(meter.getId().getName(), _ -> new ArrayList<>())
                        .add(meter));
        List<MetricData> metrics = new ArrayList<>();
        long now = clock.now();
        byName.values().forEach(meters -> {
            ExportedMetric metric = metric(resource, meters, now);
            if (metric != null) {
                metrics.add(metric);
            }
        });
        return metrics;
    }

    private @Nullable ExportedMetric metric(Resource resource, List<Meter> meters, long now) {
        Meter.Id id = meters.getFirst().getId();
        return switch (id.getType()) {
            case COUNTER ->
                new ExportedMetric(
                        resource,
                        id,
                        MetricDataType.DOUBLE_SUM,
                        SumData.createDoubleSumData(
                                true, AggregationTemporality.CUMULATIVE, points(meters, Statistic.COUNT, now)));
            case GAUGE ->
                new ExportedMetric(
                        resource,
                        id,
                        MetricDataType.DOUBLE_GAUGE,
                        GaugeData.createDoubleGaugeData(points(meters, Statistic.VALUE, now)));
            case TIMER ->
                new ExportedMetric(
                        resource,
                        id,
                        MetricDataType.HISTOGRAM,
                        HistogramData.create(
                                AggregationTemporality.CUMULATIVE,
                                meters.stream()
                                        .map(meter -> histogram((Timer) meter, now))
                                        .toList()));
            default -> null;
        };
    }

    /** A figure that is not known has no point. */
    private List<DoublePointData> points(List<Meter> meters, Statistic statistic, long now) {
        return meters.stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false)
                        .filter(measurement -> measurement.getStatistic() == statistic)
                        .mapToDouble(measurement -> measurement.getValue())
                        .filter(Double::isFinite)
                        .mapToObj(value -> DoublePointData.create(start, now, attributes(meter), value, List.of())))
                .toList();
    }

    /** Micrometer's buckets count what is in the smaller ones too; those of OTLP each their own. */
    private HistogramPointData histogram(Timer timer, long now) {
        HistogramSnapshot snapshot = timer.takeSnapshot();
        List<Double> bounds = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        long below = 0;
        for (CountAtBucket bucket : snapshot.histogramCounts()) {
            long count = (long) bucket.count();
            if (Double.isFinite(bucket.bucket()) && bucket.bucket() < Long.MAX_VALUE) {
                bounds.add(bucket.bucket(TimeUnit.SECONDS));
                counts.add(Math.max(0, count - below));
                below = count;
            }
        }
        counts.add(Math.max(0, snapshot.count() - below));
        return HistogramPointData.create(
                start, now, attributes(timer), snapshot.total(TimeUnit.SECONDS), false, 0, false, 0, bounds, counts);
    }

    private static Attributes attributes(Meter meter) {
        AttributesBuilder attributes = Attributes.builder();
        meter.getId().getTagsAsIterable().forEach(tag -> attributes.put(tag.getKey(), tag.getValue()));
        return attributes.build();
    }

    /** One metric with its points. */
    private record ExportedMetric(Resource resource, Meter.Id id, MetricDataType type, Data<?> data)
            implements MetricData {
        @Override
        public Resource getResource() {
            return resource;
        }

        @Override
        public InstrumentationScopeInfo getInstrumentationScopeInfo() {
            return SCOPE;
        }

        @Override
        public String getName() {
            return id.getName();
        }

        @Override
        public String getDescription() {
            String description = id.getDescription();
            return description == null ? "" : description;
        }

        /** UCUM, as OpenTelemetry asks. */
        @Override
        public String getUnit() {
            String name = id.getName();
            return type == MetricDataType.HISTOGRAM || name.endsWith(".seconds")
                    ? "s"
                    : name.endsWith(".bytes") ? "By" : "1";
        }

        @Override
        public MetricDataType getType() {
            return type;
        }

        @Override
        public Data<?> getData() {
            return data;
        }
    }
}
