package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/** No session could be opened with a host; another host or a later attempt may succeed. */
public final class SessionFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable ServerReply reply;

    SessionFailedException(String reason, @Nullable ServerReply reply, @Nullable Throwable cause) {
        super(reason, cause);
        this.reply = reply;
    }

    /** The host's reply; null when there was none. */
    public @Nullable ServerReply reply() {
        return reply;
    }
}
