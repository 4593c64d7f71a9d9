package dev.inboxd.base.database;

import dev.inboxd.testing.LoopbackServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to a database, which a test can cut and mend: what is on it then breaks, and nothing new gets through. */
public final class DatabaseProxy implements AutoCloseable {
    private final LoopbackServer server = new LoopbackServer(this::serve);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private final AtomicInteger left = new AtomicInteger(-1);
    private volatile boolean cut;

    /** The same place, reached through this cable. */
    public Database.Location before(Database.Location location) {
        URI place = URI.create(location.url().substring("jdbc:".length()));
        target = place.getPort();
        return new Database.Location(
                location.url()
                        .replace(
                                place.getHost() + ":" + target,
                                place.getHost() + ":" + server.address().getPort()),
                location.user(),
                location.password(),
                location.connections());
    }

    /** Cuts it. */
    public void cut() {
        cut = true;
        open.forEach(DatabaseProxy::end);
    }

    /**
     * Breaks what is on it, once, when so much more was sent to the database; it is whole again at once.
     *
     * @param sendings how often something is sent first; a negative number for never
     */
    public void breakAfter(int sendings) {
        left.set(sendings);
    }

    /** Mends it. */
    public void mend() {
        cut = false;
    }

    @Override
    public void close() {
        cut();
        server.close();
    }

    private void serve(Socket client) {
        try (Socket far = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            open.add(client);
            open.add(far);
            if (!cut) {
                Thread back = Thread.ofVirtual().start(() -> carry(far, client));
                send(client, far);
                back.join();
            }
            open.remove(client);
            open.remove(far);
        } catch (IOException | InterruptedException broken) {
            end(client);
        }
    }

    private void send(Socket client, Socket database) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = client.getInputStream();
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                if (left.getAndUpdate(most -> most < 0 ? most : most - 1) == 0) {
                    open.forEach(DatabaseProxy::end);
                }
                database.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException broken) {
            end(client);
        }
        end(database);
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
