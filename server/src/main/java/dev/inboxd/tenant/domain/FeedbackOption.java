package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;

/** The option {@code feedback_enabled} of a domain (identity.md §11.2). */
public final class FeedbackOption {
    private FeedbackOption() {}

    /**
     * Whether reports about mail from a host are delivered to the inbox that sent it. The default is yes; the option of
     * a domain that the organization registered decides.
     *
     * @param all the whole organization
     * @param host the part of the inbox's address after the {@code @}
     */
    public static boolean isOn(Tx tx, View all, String host) {
        return DomainSql.nearest(tx, all, host)
                .filter(domain -> domain.name().equals(host) || domain.options().subdomains())
                .map(domain -> domain.options().feedback())
                .orElse(true);
    }
}
