package dev.inboxd.tenant;

import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.tenant.domain.ServiceHosts;

/**
 * What the settings say of organizations.
 *
 * @param domain the domain of inboxes that name none
 * @param hosts where the records of customers' domains lead to
 * @param operatorInbox the address that gets mail to postmaster and abuse
 * @param limits how many of each an organization may have
 * @param labs whether organizations can use what is still tried out
 */
public record TenantConfig(String domain, ServiceHosts hosts, String operatorInbox, Limits limits, boolean labs) {
    /**
     * How many of each an organization may have.
     *
     * @param storage how much mail
     */
    public record Limits(int inboxes, int domains, int pods, int apiKeys, StorageQuota storage) {}
}
