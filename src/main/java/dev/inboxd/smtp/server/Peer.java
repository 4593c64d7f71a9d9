package dev.inboxd.smtp.server;

import java.net.InetAddress;

/**
 * The client of a session.
 *
 * @param address where it connects from
 * @param helo what it calls itself in EHLO or HELO: printable ASCII, not verified
 * @param tls whether the session is encrypted
 */
public record Peer(InetAddress address, String helo, boolean tls) {}
