package dev.inboxd.tenant.domain;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The names of the service, which no organization can register.
 *
 * @param domain the domain of shared inboxes; all names below it are reserved too
 * @param hosts the hosts of the service
 */
public record ReservedNames(String domain, List<String> hosts) {
    public ReservedNames {
        domain = domain.toLowerCase(Locale.ROOT);
        hosts = List.copyOf(hosts);
    }

    /** The names of a service with these settings. */
    public static ReservedNames of(String domain, ServiceHosts hosts, URI publicUrl) {
        return new ReservedNames(
                domain,
                Stream.of(
                                hosts.mx(),
                                hosts.bounce(),
                                hosts.spf(),
                                hosts.tracking(),
                                Objects.requireNonNullElse(publicUrl.getHost(), domain))
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList());
    }

    /** Whether a name, in lower case, is reserved. */
    boolean include(String name) {
        return name.equals(domain) || name.endsWith("." + domain) || hosts.contains(name);
    }
}
