package dev.inboxd.tenant.domain.dns;

import java.util.Locale;

/** The DNS records that a domain needs (identity.md §11.3). The names are stored. */
public enum RecordKind {
    /** Routes the domain's mail to this service. */
    MX("MX"),
    /** Routes mail for the return-path domain to this service. */
    BOUNCE_MX("MX"),
    /** Allows this service to send with the return-path domain (RFC 7208). */
    SPF("TXT"),
    /**
     * Publishes the key of the signatures (RFC 6376). Only the domain's owner knows its value, so it proves ownership.
     */
    DKIM("TXT"),
    /** Tells receivers how to treat mail that fails authentication (RFC 9989). */
    DMARC("TXT"),
    /** Routes the mail of all subdomains to this service. */
    SUBDOMAIN_MX("MX"),
    /** Leads to the host that serves the pixels of tracked mail. */
    TRACKING("CNAME");

    private final String type;

    RecordKind(String type) {
        this.type = type;
    }

    /** The type of the record. */
    public String type() {
        return type;
    }

    /** The word in the stored form of a result. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
