package dev.inboxd.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;

/** Maps the client's exceptions to the kinds of failure that callers know. */
final class HttpFailures {
    private HttpFailures() {}

    static HttpOutcome.NoResponse of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            HttpOutcome.NoResponse classified = classify(cause);
            if (classified != null) {
                return classified;
            }
        }
        Throwable reason = failure instanceof ExecutionException ? failure.getCause() : failure;
        return reason instanceof IOException
                ? failed(HttpOutcome.Failure.RESET, "The connection ended before the response was complete.")
                : failed(HttpOutcome.Failure.BAD_RESPONSE, "The exchange failed.");
    }

    private static HttpOutcome.@Nullable NoResponse classify(Throwable cause) {
        return switch (cause) {
            case VettedAddresses.Unreachable unreachable -> unreachable.failed();
            case TimeoutException _ -> failed(HttpOutcome.Failure.TIMEOUT, "No complete response within the deadline.");
            case SSLException _ -> failed(HttpOutcome.Failure.TLS, "No secure connection: " + cause.getMessage());
            case ConnectException _, NoRouteToHostException _, SocketTimeoutException _ ->
                failed(HttpOutcome.Failure.CONNECT, "No connection: " + cause.getMessage());
            case HttpResponseException _ -> failed(HttpOutcome.Failure.BAD_RESPONSE, "The response is not valid HTTP.");
            case RuntimeException _
            when cause instanceof HttpException ->
                failed(HttpOutcome.Failure.BAD_RESPONSE, "The response is not valid HTTP.");
            case RejectedExecutionException _ ->
                failed(HttpOutcome.Failure.BUSY, "Too many exchanges with this host are waiting.");
            case SocketException _ -> failed(HttpOutcome.Failure.RESET, "The connection was reset.");
            default -> null;
        };
    }

    private static HttpOutcome.NoResponse failed(HttpOutcome.Failure kind, String detail) {
        return new HttpOutcome.NoResponse(kind, detail);
    }
}
