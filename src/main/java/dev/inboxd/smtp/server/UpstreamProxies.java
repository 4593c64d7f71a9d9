package dev.inboxd.smtp.server;

import dev.inboxd.platform.rate.Networks;
import java.net.InetAddress;

/**
 * How those who pass connections on say for whom. What anybody else says of a client is never believed.
 *
 * @param mode what trusted ones do; a server cannot find that out, since it is itself the first to speak in SMTP
 * @param trusted who they are
 */
public record UpstreamProxies(Mode mode, Networks trusted) {
    /** Nobody passes anything on. */
    public static final UpstreamProxies NONE = new UpstreamProxies(Mode.OFF, Networks.NONE);

    /** What is said for a client. */
    public enum Mode {
        /** Nothing: who connects is the client. */
        OFF,
        /** A header of the PROXY protocol, version 1 or 2, before everything else, on every connection. */
        PROXY,
        /** XCLIENT, when the relay wants to. */
        XCLIENT
    }

    /** Whether who connects from there may speak for others, and so is not counted itself. */
    boolean isProxy(InetAddress peer) {
        return mode != Mode.OFF && trusted.contains(peer);
    }

    /** Whether a connection from there begins with a PROXY header. */
    boolean sendsProxyHeader(InetAddress peer) {
        return mode == Mode.PROXY && trusted.contains(peer);
    }

    /** Whether a client there may use XCLIENT. */
    boolean mayUseXclient(InetAddress peer) {
        return mode == Mode.XCLIENT && trusted.contains(peer);
    }
}
