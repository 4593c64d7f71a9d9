package dev.inboxd.cli.doctor;

import dev.inboxd.config.TelemetrySettings;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.NetConfig;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks that the collector at INBOXD_OTLP_ENDPOINT takes a report without spans, with the headers that it gets. */
final class CollectorCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DoctorReport report;
    private final NetConfig net;

    CollectorCheck(DoctorReport report, NetConfig net) {
        this.report = report;
        this.net = net;
    }

    void run(TelemetrySettings settings) {
        if (settings.endpoint().isEmpty()) {
            return;
        }
        String url = settings.endpoint().get() + "/v1/traces";
        List<RequestHeader> fields = new ArrayList<>();
        fields.add(new RequestHeader("Content-Type", "application/x-protobuf"));
        settings.headers().forEach((name, value) -> fields.add(new RequestHeader(name, value.value())));
        try (SafeHttp http = net.operatorHttp()) {
            if (http.check(url) instanceof TargetCheck.Valid valid) {
                report(url, http.post(new PostRequest(valid.target(), fields, new byte[0], PATIENCE, "doctor")));
            } else {
                report.warn("collector " + url, "cannot be requested", "Correct INBOXD_OTLP_ENDPOINT");
            }
        }
    }

    private void report(String url, HttpOutcome outcome) {
        String subject = "collector " + url;
        switch (outcome) {
            case HttpOutcome.Response answered when answered.successful() -> report.ok(subject, "takes traces");
            case HttpOutcome.Response answered ->
                report.warn(
                        subject,
                        "answers with status " + answered.status() + ", so traces are dropped",
                        "Correct INBOXD_OTLP_ENDPOINT or INBOXD_OTLP_HEADERS");
            case HttpOutcome.NoResponse silent ->
                report.warn(
                        subject,
                        "does not answer (" + silent.kind().name().toLowerCase(Locale.ROOT) + "): traces are dropped",
                        "Start it, or leave out INBOXD_OTLP_ENDPOINT");
        }
    }
}
