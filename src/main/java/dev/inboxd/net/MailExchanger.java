package dev.inboxd.net;

/**
 * A host that takes mail for a domain (RFC 5321 §5.1).
 *
 * @param preference smaller is tried first
 * @param host domain name, without the trailing dot
 */
public record MailExchanger(int preference, String host) {}
