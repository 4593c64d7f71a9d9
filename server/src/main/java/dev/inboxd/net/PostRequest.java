package dev.inboxd.net;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A POST request.
 *
 * @param target the URL
 * @param fields header fields to send, Content-Type among them
 * @param content the request content; not copied, the caller does not change it afterwards
 * @param deadline for the whole exchange, from waiting for a connection to the last octet of the response
 * @param group requests that share connections and wait for them together
 */
@SuppressWarnings("ArrayRecordComponent") // sent as it is; copying every delivery would buy nothing
public record PostRequest(
        Target target, List<RequestHeader> fields, byte[] content, Duration deadline, ConnectionGroup group) {
    public PostRequest {
        fields = List.copyOf(fields);
    }

    /**
     * Posts of one group to one origin share their connections, and no others do.
     *
     * @param name name of the group, such as the id of a webhook
     * @param addresses result of {@link SafeHttp#lookUp}: connections go to these addresses alone, whatever DNS
     *     answers by then; null to look them up for each new connection
     */
    public record ConnectionGroup(String name, @Nullable DnsAnswer<InetAddress> addresses) {}

    /**
     * A post whose host is looked up for each new connection.
     *
     * @param group name of the connection group
     */
    public PostRequest(Target target, List<RequestHeader> fields, byte[] content, Duration deadline, String group) {
        this(target, fields, content, deadline, new ConnectionGroup(group, null));
    }
}
