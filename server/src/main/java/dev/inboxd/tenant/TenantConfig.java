package dev.inboxd.tenant;

import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.organization.OrganizationHttp;

/**
 * What the settings say of organizations.
 *
 * @param domain the domain of inboxes that name none
 * @param hosts where the records of customers' domains lead to
 * @param operatorInbox the address that gets mail to postmaster and abuse
 * @param limits how many of each an organization may have
 * @param features what organizations can do
 */
public record TenantConfig(
        String domain, ServiceHosts hosts, String operatorInbox, Limits limits, OrganizationHttp.Features features) {
    /**
     * How many of each an organization may have.
     *
     * @param storage how much mail
     */
    public record Limits(int inboxes, int domains, int pods, int apiKeys, StorageQuota storage) {}
}
