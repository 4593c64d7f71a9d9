package dev.inboxd.tenant.domain;

import java.util.Locale;

/** The DNS records that a domain needs (identity.md §11.3). The names are stored. */
enum RecordKind {
    /** Mail for the domain comes here. */
    MX("MX"),
    /** So does mail for its return-path domain. */
    BOUNCE_MX("MX"),
    /** We may send in the name of the return-path domain (RFC 7208). */
    SPF("TXT"),
    /** The key of our signatures (RFC 6376); the one record that nobody but the domain's owner can know to publish. */
    DKIM("TXT"),
    /** What receivers do with mail that proves nothing (RFC 9989). */
    DMARC("TXT"),
    /** Mail for all subdomains comes here too. */
    SUBDOMAIN_MX("MX"),
    /** The pixels of tracked mail are served here. */
    TRACKING("CNAME");

    private final String type;

    RecordKind(String type) {
        this.type = type;
    }

    /** The type of the record. */
    String type() {
        return type;
    }

    /** The word in the stored form of a finding. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
