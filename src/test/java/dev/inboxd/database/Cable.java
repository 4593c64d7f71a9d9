package dev.inboxd.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way to a database, which a test can cut and mend: what is on it then breaks, and nothing new gets through. */
public final class Cable implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile boolean cut;

    /** A cable that leads nowhere yet. */
    public Cable() {
        try {
            listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** The same place, reached through this cable. */
    public Database.Location before(Database.Location location) {
        URI server = URI.create(location.url().substring("jdbc:".length()));
        target = server.getPort();
        return new Database.Location(location.url().replace(server.getHost() + ":" + target,
                server.getHost() + ":" + listener.getLocalPort()), location.user(), location.password(),
                location.connections());
    }

    /** Cuts it. */
    public void cut() {
        cut = true;
        open.forEach(Cable::end);
    }

    /** Mends it. */
    public void mend() {
        cut = false;
    }

    @Override
    public void close() {
        cut();
        try {
            listener.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
        try (client; Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            if (!cut) {
                Thread back = Thread.ofVirtual().start(() -> carry(server, client));
                carry(client, server);
                back.join();
            }
            open.remove(client);
            open.remove(server);
        } catch (IOException | InterruptedException broken) {
            end(client);
        }
    }

    private static void carry(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException broken) {
            end(from);
        }
        end(to);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
