package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The port of the server: the port of the last start when it is still free, so that tools keep working, else any free
 * one.
 *
 * @param file the file with the port of the last start
 */
record LoopbackPort(Path file) {
    private static final int ANY = 0;

    int choose() {
        return free(last()) ? last() : any();
    }

    void keep(int port) {
        try {
            DurableFolders.writePrivate(file, port + "\n");
        } catch (IOException e) {
            throw new EmbeddedPostgresException("The port cannot be written to " + file + ": " + e.getMessage(), e);
        }
    }

    private int last() {
        try {
            int port = Integer.parseInt(Files.readString(file).strip());
            return port > 0 && port < 65536 ? port : ANY;
        } catch (IOException | NumberFormatException e) {
            return ANY;
        }
    }

    private static boolean free(int port) {
        try (ServerSocket socket = bind(port)) {
            return port == socket.getLocalPort();
        } catch (IOException e) {
            return false;
        }
    }

    private static int any() {
        try (ServerSocket socket = bind(ANY)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedPostgresException("No free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }

    private static ServerSocket bind(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
    }
}
