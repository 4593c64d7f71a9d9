package dev.inboxd.smtp.server;

import dev.inboxd.base.rate.Networks;
import java.net.InetAddress;

/**
 * The trusted proxies and relays in front of the server, and how they state the address of their client. Such a
 * statement of any other client is ignored.
 *
 * @param mode the method; a server cannot detect it, because in SMTP the server speaks first
 * @param trusted addresses of the trusted proxies and relays
 */
public record UpstreamProxies(Mode mode, Networks trusted) {
    /** No proxies. */
    public static final UpstreamProxies NONE = new UpstreamProxies(Mode.OFF, Networks.NONE);

    /** How a proxy states the address of its client. */
    public enum Mode {
        /** Not at all: the peer of the connection is the client. */
        OFF,
        /** A PROXY protocol header, version 1 or 2, at the start of every connection. */
        PROXY,
        /** The XCLIENT command, which the relay may send. */
        XCLIENT
    }

    /**
     * Whether that peer is a trusted proxy or relay, so that the sessions it opens do not count for its own address.
     */
    boolean isProxy(InetAddress peer) {
        return mode != Mode.OFF && trusted.contains(peer);
    }

    /** Whether a connection from that peer begins with a PROXY header. */
    boolean sendsProxyHeader(InetAddress peer) {
        return mode == Mode.PROXY && trusted.contains(peer);
    }

    /** Whether that peer may send XCLIENT. */
    boolean mayUseXclient(InetAddress peer) {
        return mode == Mode.XCLIENT && trusted.contains(peer);
    }
}
