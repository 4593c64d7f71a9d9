package dev.inboxd.net;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something to post.
 *
 * @param target where to
 * @param fields header fields to send, Content-Type among them
 * @param content the request content; not copied, the caller does not change it afterwards
 * @param deadline for the whole exchange, from waiting for a connection to the last octet of the response
 * @param group what shares connections and the wait for them
 */
@SuppressWarnings("ArrayRecordComponent") // sent as it is; copying every delivery would buy nothing
public record PostRequest(
        Target target, List<RequestHeader> fields, byte[] content, Duration deadline, ConnectionGroup group) {
    public PostRequest {
        fields = List.copyOf(fields);
    }

    /**
     * Posts of one lane to one origin share their connections, and no others do.
     *
     * @param name whose posts they are
     * @param addresses what {@link SafeHttp#lookUp} said: so a connection leads nowhere else, whatever the DNS says by then; null
     *     for what it says at each new connection
     */
    public record ConnectionGroup(String name, @Nullable DnsAnswer<InetAddress> addresses) {}

    /** A post to wherever its host is. */
    public PostRequest(Target target, List<RequestHeader> fields, byte[] content, Duration deadline, String lane) {
        this(target, fields, content, deadline, new ConnectionGroup(lane, null));
    }
}
