package dev.inboxd.smtp.server;

import java.net.InetAddress;

/**
 * The client of a session.
 *
 * @param address its address; behind a trusted proxy or relay, the address that the proxy states
 * @param helo its name in EHLO or HELO: printable ASCII, not verified
 * @param tls whether the session is encrypted
 */
public record Peer(InetAddress address, String helo, boolean tls) {}
