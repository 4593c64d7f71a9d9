package dev.inboxd.net;

/**
 * A host that accepts mail for a domain (RFC 5321 §5.1).
 *
 * @param preference the smallest is tried first
 * @param host domain name, without the trailing dot
 */
public record MailExchanger(int preference, String host) {}
