package dev.inboxd.submit;

import java.net.InetAddress;

/**
 * A host to deliver to, already resolved.
 *
 * @param host its name, for logs, and for certificates later
 * @param address the very address to connect to
 * @param port 25 as a rule
 */
public record SmtpEndpoint(String host, InetAddress address, int port) {}
