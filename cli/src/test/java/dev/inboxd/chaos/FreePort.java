package dev.inboxd.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * Ports below those the kernel hands out: a client that keeps calling a dead server on one of its own could connect to
 * itself.
 */
final class FreePort {
    private FreePort() {}

    /** One that nobody listens on now. */
    static int find() {
        Random anywhere = new Random();
        while (true) {
            int port = 12_000 + anywhere.nextInt(18_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException taken) {
                // another one
            }
        }
    }
}
