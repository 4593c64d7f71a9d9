package dev.inboxd.mail.dmarc;

/**
 * A domain that SPF or a DKIM signature vouches for (RFC 9989 §4.3).
 *
 * @param domain in lower case, in A-labels
 * @param byDkim whether a signature vouches, and not SPF
 */
public record AuthenticatedDomain(String domain, boolean byDkim) {}
