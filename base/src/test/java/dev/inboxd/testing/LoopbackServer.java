package dev.inboxd.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of a test's own on some port of this machine, with a thread for each connection. */
public final class LoopbackServer implements AutoCloseable {
    private static final int BACKLOG = 200;

    private final ServerSocket listener;
    private final Service service;

    /** What is done with a connection. */
    public interface Service {
        /** Speaks with a client, whose connection is closed behind it. */
        void serve(Socket client);
    }

    /** A server that takes connections from now on. */
    public LoopbackServer(Service service) {
        this.service = service;
        try {
            listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            service.serve(client);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Takes no more connections; those that there are stay as long as they are served. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
