package dev.inboxd.chaos;

import dev.inboxd.testing.LoopbackServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The planted fault: stands before the server and says 250 to the final dot a moment before the server gets to see that
 * dot. Whoever believes it loses mail when the server dies in between, and the harness must tell so.
 */
final class LyingProxy implements AutoCloseable {
    private final LoopbackServer server;
    private final int target;
    private final Duration moment;

    LyingProxy(int target, Duration moment) {
        this.target = target;
        this.moment = moment;
        this.server = new LoopbackServer(this::serve);
    }

    int port() {
        return server.address().getPort();
    }

    /** In lock step, as a client without pipelining speaks: a line or a message there, a reply back. */
    private void serve(Socket client) {
        try (Socket far = new Socket(InetAddress.getLoopbackAddress(), target)) {
            far.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            BufferedReader fromClient = reader(client);
            BufferedReader fromServer = reader(far);
            OutputStream toClient = client.getOutputStream();
            OutputStream toServer = far.getOutputStream();
            String reply = reply(fromServer);
            write(toClient, reply);
            for (String line = fromClient.readLine(); line != null; line = fromClient.readLine()) {
                if (reply.startsWith("354")) {
                    StringBuilder content = new StringBuilder();
                    while (line != null && !line.equals(".")) {
                        content.append(line).append("\r\n");
                        line = fromClient.readLine();
                    }
                    write(toServer, content.toString());
                    write(toClient, "250 2.0.0 Believe me\r\n");
                    LockSupport.parkNanos(moment.toNanos());
                    write(toServer, ".\r\n");
                    reply = reply(fromServer);
                } else {
                    write(toServer, line + "\r\n");
                    reply = reply(fromServer);
                    write(toClient, reply);
                }
            }
        } catch (IOException gone) {
            // One side has gone, the other is closed with it.
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    private static String reply(BufferedReader server) throws IOException {
        StringBuilder reply = new StringBuilder();
        String line = server.readLine();
        while (line != null && line.length() > 3 && line.charAt(3) == '-') {
            reply.append(line).append("\r\n");
            line = server.readLine();
        }
        if (line == null) {
            throw new IOException("the server has gone");
        }
        return reply.append(line).append("\r\n").toString();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    @Override
    public void close() {
        server.close();
    }
}
