package dev.inboxd.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;

/** Reads the client's exceptions, once, into the kinds the callers know. */
final class Failures {
    private Failures() {}

    static Outcome.Failed of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Outcome.Failed known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return failure instanceof IOException
                ? failed(Outcome.Failure.RESET, "The connection ended before the response was complete.")
                : failed(Outcome.Failure.BAD_RESPONSE, "The exchange failed.");
    }

    private static Outcome.@Nullable Failed known(Throwable cause) {
        return switch (cause) {
            case VettedAddresses.Unreachable unreachable -> unreachable.failed();
            case TimeoutException _ -> failed(Outcome.Failure.TIMEOUT, "No complete response within the deadline.");
            case SSLException _ -> failed(Outcome.Failure.TLS, "No secure connection: " + cause.getMessage());
            case ConnectException _, NoRouteToHostException _, SocketTimeoutException _ ->
                failed(Outcome.Failure.CONNECT, "No connection: " + cause.getMessage());
            case HttpResponseException _ -> failed(Outcome.Failure.BAD_RESPONSE, "The response is not valid HTTP.");
            case RuntimeException _
            when cause instanceof HttpException ->
                failed(Outcome.Failure.BAD_RESPONSE, "The response is not valid HTTP.");
            case RejectedExecutionException _ ->
                failed(Outcome.Failure.BUSY, "Too many exchanges with this host are waiting.");
            case SocketException _ -> failed(Outcome.Failure.RESET, "The connection was reset.");
            default -> null;
        };
    }

    private static Outcome.Failed failed(Outcome.Failure kind, String detail) {
        return new Outcome.Failed(kind, detail);
    }
}
