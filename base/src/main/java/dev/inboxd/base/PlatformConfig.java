package dev.inboxd.base;

import dev.inboxd.base.rate.Rates;
import java.net.URI;

/**
 * What the settings say of the platform.
 *
 * @param publicUrl where the service is reached from outside
 * @param rates how often something may be done
 * @param soleNode whether no other process can use the database
 * @param publicMetrics whether {@code GET /metrics} is served at the public port too
 */
public record PlatformConfig(URI publicUrl, Rates rates, boolean soleNode, boolean publicMetrics) {}
