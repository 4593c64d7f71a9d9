package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers requests that fail before a handler, such as a broken request line, in the JSON form of every other error.
 */
final class ProtocolErrors implements Request.Handler {
    private final ErrorRenderer errors;
    private final RequestLog log;

    ProtocolErrors(ErrorRenderer errors, RequestLog log) {
        this.errors = errors;
        this.log = log;
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) {
        if (in.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof EofException eof) {
            callback.failed(eof); // no peer is left to answer
            return true;
        }
        Object code = in.getAttribute(ErrorHandler.ERROR_STATUS);
        int status = status(code instanceof Integer number ? number : out.getStatus());
        return answer(new Answering(in, out, callback, true), problem(status), status);
    }

    /**
     * A request that is answered here.
     *
     * @param broken whether the request is not valid HTTP, so that nobody knows where it ends
     */
    record Answering(Request in, Response out, Callback callback, boolean broken) {}

    /** Answers a request that never comes to a route, by its status alone. */
    boolean answer(Answering request, int status) {
        return answer(request, problem(status), status);
    }

    /** Answers a request that never comes to a route. */
    boolean answer(Answering request, Problem problem) {
        return answer(request, problem, problem.code().status());
    }

    private boolean answer(Answering request, Problem problem, int status) {
        BodyBudget none = new BodyBudget(0); // enough for an error
        Exchange exchange = new Exchange(request.in, request.out, none.new Share(), none.new Share());
        dev.inboxd.base.http.Response answer = errors.render(problem, exchange.id());
        exchange.close();
        if (request.broken) {
            exchange.isBroken();
        }
        boolean written = exchange.write(new dev.inboxd.base.http.Response(status, answer.body(), answer.headers()));
        log.writeBroken(exchange, status);
        if (written) { // Jetty has few threads, and may call on one of them
            Thread.ofVirtual().name("http-request").start(() -> {
                exchange.discard();
                request.callback.succeeded();
            });
        } else {
            request.callback.failed(new IOException("the peer is gone"));
        }
        return true;
    }

    /**
     * Maps Jetty's status. An unknown version or coding is the client's fault: a library repeats a request after 501
     * or 505.
     */
    private static int status(int jettys) {
        return jettys == 501 || jettys == 505 ? 400 : jettys;
    }

    private static Problem problem(int status) {
        return switch (status) {
            case 404 -> PathSegments.unknownRoute("Check the path against the documentation.");
            case 408 -> invalid("The request did not arrive in time");
            case 414, 431 -> invalid("The request line and header may have at most " + HttpServer.HEADER + " bytes");
            case 503 -> Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping");
            default ->
                status < 500
                        ? invalid("The request is not valid HTTP (RFC 9110, 9112, 9113)")
                        : Problem.of(ErrorCode.INTERNAL_ERROR, "Something went wrong on our side");
        };
    }

    private static Problem invalid(String message) {
        return Problem.invalid(List.of(new Fault(List.of(), message)));
    }
}
