package dev.inboxd.tenant.domain;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeDns;
import java.util.List;
import java.util.Map;

/** Puts into a name server what the service asks a domain's owner to publish. */
public final class PublishedZone {
    private PublishedZone() {}

    /**
     * Publishes every record of a domain.
     *
     * @param domain the answer that shows it
     */
    public static void publish(FakeDns dns, HttpProbe.Answer domain) {
        domain.list("records").forEach(record -> publish(dns, (Map<?, ?>) record));
    }

    /** Publishes those of a domain whose name begins so. */
    public static void publish(FakeDns dns, HttpProbe.Answer domain, String start) {
        domain.list("records").stream()
                .map(record -> (Map<?, ?>) record)
                .filter(record -> String.valueOf(record.get("name")).startsWith(start))
                .forEach(record -> publish(dns, record));
    }

    private static void publish(FakeDns dns, Map<?, ?> record) {
        String name = String.valueOf(record.get("name"));
        String value = String.valueOf(record.get("value"));
        switch (String.valueOf(record.get("type"))) {
            case "MX" -> dns.mailExchangers(name, record.get("priority") + " " + value);
            case "TXT" -> dns.texts(name, value);
            default -> dns.canonicalName(name, value);
        }
    }

    /** Takes every record of a domain back. */
    public static void forget(FakeDns dns, HttpProbe.Answer domain) {
        names(domain).forEach(dns::forget);
    }

    /** The names that a domain publishes something at. */
    public static List<String> names(HttpProbe.Answer domain) {
        return domain.list("records").stream()
                .map(record -> String.valueOf(((Map<?, ?>) record).get("name")))
                .distinct()
                .toList();
    }
}
