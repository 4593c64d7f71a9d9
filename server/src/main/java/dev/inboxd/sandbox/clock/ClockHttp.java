package dev.inboxd.sandbox.clock;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The routes of the clock. They need no key: the clock is the server's. */
final class ClockHttp {
    private final StoredClock clock;
    private final ClockMoves moves;

    ClockHttp(StoredClock clock, ClockMoves moves) {
        this.clock = clock;
        this.moves = moves;
    }

    void mount(Routes root) {
        root.page("/sandbox/clock", new OwnPages(_ -> Response.ok(moves.show())));
        root.post(Gate.PUBLIC, "/sandbox/clock", new OwnPages(this::move));
    }

    private Response move(Request request) {
        ClockOrder order = ClockOrder.read(request.body(), clock.now());
        return Response.later(new Move(() -> moves.run(order)));
    }

    /** A call that waits for its end: connections are closed that say nothing for as long as a walk may take. */
    private static final class Move implements DeferredResponse {
        private final CompletableFuture<JsonObject> end = new CompletableFuture<>();

        Move(Supplier<JsonObject> work) {
            Thread.ofVirtual().name("clock").start(() -> {
                try {
                    end.complete(work.get());
                } catch (RuntimeException | Error failure) {
                    end.completeExceptionally(failure);
                }
            });
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the poll reads how it ended
        public void park(Runnable resume) {
            end.whenComplete((_, _) -> resume.run());
        }

        @Override
        public Response poll() {
            try {
                return end.isDone() ? Response.ok(end.join()) : Response.later(this);
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
            }
        }

        /** What was begun goes on: the clock does not stay in the middle of a walk. */
        @Override
        public void disconnected() {}
    }
}
