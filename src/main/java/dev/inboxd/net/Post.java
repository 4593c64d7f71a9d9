package dev.inboxd.net;

import java.time.Duration;
import java.util.List;

/**
 * Something to post.
 *
 * @param target where to
 * @param fields header fields to send, Content-Type among them
 * @param content the request content; not copied, the caller does not change it afterwards
 * @param deadline for the whole exchange, from waiting for a connection to the last octet of the response
 * @param lane what shares connections and the wait for them: posts of one lane to one origin, and no others
 */
@SuppressWarnings("ArrayRecordComponent") // sent as it is; copying every delivery would buy nothing
public record Post(Target target, List<Field> fields, byte[] content, Duration deadline, String lane) {
    public Post {
        fields = List.copyOf(fields);
    }
}
