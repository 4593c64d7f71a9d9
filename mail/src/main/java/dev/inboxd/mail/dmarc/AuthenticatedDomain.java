package dev.inboxd.mail.dmarc;

/**
 * A domain that SPF or a DKIM signature has authenticated (RFC 9989 §4.3).
 *
 * @param domain in lower case, in A-labels
 * @param byDkim true for a signature, false for SPF
 */
public record AuthenticatedDomain(String domain, boolean byDkim) {}
