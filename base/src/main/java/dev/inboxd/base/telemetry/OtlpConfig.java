package dev.inboxd.base.telemetry;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where traces and metrics go.
 *
 * @param endpoint the base to which {@code /v1/traces} and {@code /v1/metrics} are added, without a slash at its end
 * @param headers of every request, such as a key
 * @param share of traces that are kept, 0 to 1
 * @param interval between two reports of the metrics
 * @param version of this program
 * @param instance tells this process from others
 */
public record OtlpConfig(
        URI endpoint, Map<String, String> headers, double share, Duration interval, String version, String instance) {
    public OtlpConfig {
        headers = Map.copyOf(headers);
    }

    /** The address for one kind of data. */
    String address(String kind) {
        return endpoint + "/v1/" + kind;
    }

    /** Headers may have a key in them. */
    @Override
    public String toString() {
        return "OtlpConfig[" + endpoint + "]";
    }
}
