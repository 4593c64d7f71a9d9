package dev.inboxd.inbound.authentication;

import java.net.InetAddress;
import java.util.function.Predicate;

/**
 * Whether mail is taken as its author's because it was handed in on this machine. In development nobody can publish DNS
 * records for the mail that they try out, and only the developer reaches the port over loopback.
 *
 * @param active in development, as long as no name servers are set
 * @param isServed whether a domain is served here: its mail is known to come from here or not
 */
public record LoopbackTrust(boolean active, Predicate<String> isServed) {
    /** All mail is checked. */
    public static final LoopbackTrust NONE = new LoopbackTrust(false, _ -> true);

    /** Whether the author's domain counts as having signed. */
    boolean covers(InetAddress client, FromDomains authors) {
        return active
                && client.isLoopbackAddress()
                && authors.author() != null
                && !isServed.test(authors.domains().getFirst());
    }
}
