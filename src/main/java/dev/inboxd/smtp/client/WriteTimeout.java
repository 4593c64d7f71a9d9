package dev.inboxd.smtp.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Closes a socket when one write to it takes too long: a blocking write knows no timeout of its own. */
final class WriteTimeout implements AutoCloseable {
    private final Socket socket;
    private final Duration limit;
    private final Thread watcher;
    private final AtomicLong steps = new AtomicLong(); // odd while a write is under way

    WriteTimeout(Socket socket, Duration limit) {
        this.socket = socket;
        this.limit = limit;
        this.watcher = Thread.ofVirtual().name("smtp-write-guard").start(this::watch);
    }

    void started() {
        steps.incrementAndGet();
    }

    void ended() {
        steps.incrementAndGet();
    }

    /** A write seen at two looks in a row has taken at least the limit and less than twice that. */
    private void watch() {
        long seen = 0;
        try {
            while (true) {
                Thread.sleep(limit);
                long now = steps.get();
                if (now % 2 == 1 && now == seen) {
                    cut();
                    return;
                }
                seen = now;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the socket whatever is under way, below all layers, which would wait for the write. */
    void cut() {
        try {
            socket.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
