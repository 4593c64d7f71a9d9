package dev.inboxd.http;

import java.time.Duration;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * A connection on which nothing is to be said for a while, because its request waits. What ends an idle connection would
 * look at it again and again, and keep what it found: ten thousand that wait would fill the heap.
 */
final class Silence {
    private Silence() {}

    /**
     * Lets a connection be idle for longer than usual.
     *
     * @return what makes it as it was, once the request is answered
     */
    static Consumer<Boolean> expected(Request request, Duration longest) {
        EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
        long usual = connection.getIdleTimeout();
        connection.setIdleTimeout(usual + longest.toMillis());
        return _ -> connection.setIdleTimeout(usual);
    }
}
