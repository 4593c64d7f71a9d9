package dev.inboxd.smtp.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Closes a socket when one write to it takes too long: a blocking write has no time-out of its own. */
final class WriteTimeout implements AutoCloseable {
    private final Socket socket;
    private final Duration limit;
    private final Thread monitor;
    private final AtomicLong steps = new AtomicLong(); // odd during a write

    WriteTimeout(Socket socket, Duration limit) {
        this.socket = socket;
        this.limit = limit;
        this.monitor = Thread.ofVirtual().name("smtp-write-guard").start(this::watch);
    }

    void started() {
        steps.incrementAndGet();
    }

    void ended() {
        steps.incrementAndGet();
    }

    /**
     * Closes the socket when the same write is seen at two checks in a row: it has taken at least the limit, and less
     * than twice that.
     */
    private void watch() {
        long previous = 0;
        try {
            while (true) {
                Thread.sleep(limit);
                long now = steps.get();
                if (now % 2 == 1 && now == previous) {
                    cut();
                    return;
                }
                previous = now;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the socket during a write, below all layers: the layers above would wait for the write. */
    void cut() {
        try {
            socket.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    @Override
    public void close() {
        monitor.interrupt();
    }
}
