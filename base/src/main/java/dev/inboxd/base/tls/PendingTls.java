package dev.inboxd.base.tls;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A certificate that is read while the service starts: reading one takes a good part of a start. */
public final class PendingTls {
    private final FutureTask<ServerTls> task;

    private PendingTls(FutureTask<ServerTls> task) {
        this.task = task;
    }

    /** Begins to read it, on a thread of its own. */
    public static PendingTls begin(Callable<ServerTls> reading) {
        FutureTask<ServerTls> task = new FutureTask<>(reading);
        Thread.ofPlatform().name("tls").daemon().start(task);
        return new PendingTls(task);
    }

    /**
     * Waits until it is read.
     *
     * @throws IOException when it cannot be read
     */
    public ServerTls await() throws IOException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        }
    }
}
