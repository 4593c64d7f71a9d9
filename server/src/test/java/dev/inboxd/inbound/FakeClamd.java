package dev.inboxd.inbound;

import dev.inboxd.testing.LoopbackServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A clamd for tests: takes INSTREAM, keeps what it was sent, and answers as it is told. */
public final class FakeClamd implements AutoCloseable {
    /** The test file of EICAR, in two halves so that no scanner minds this one. */
    public static final String EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD" + "-ANTIVIRUS-TEST-FILE!$H+H*";

    private final LoopbackServer server = new LoopbackServer(this::serve);
    private final BlockingQueue<String> scanned = new LinkedBlockingQueue<>();
    private volatile @Nullable String answer;

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** What was scanned, in its order. */
    public BlockingQueue<String> scanned() {
        return scanned;
    }

    /** From now on it says this, whatever it is sent; nothing at all when that is empty. */
    public FakeClamd saying(String always) {
        answer = always;
        return this;
    }

    @Override
    public void close() {
        server.close();
    }

    private void serve(Socket client) {
        try {
            DataInputStream in = new DataInputStream(client.getInputStream());
            String command = new String(in.readNBytes(10), StandardCharsets.US_ASCII);
            ByteArrayOutputStream octets = new ByteArrayOutputStream();
            for (int length = in.readInt(); length > 0; length = in.readInt()) {
                octets.write(in.readNBytes(length));
            }
            String text = octets.toString(StandardCharsets.UTF_8);
            scanned.add(text);
            String said = answer;
            String verdict =
                    said != null ? said : text.contains(EICAR) ? "stream: Eicar-Test-Signature FOUND" : "stream: OK";
            if (command.equals("zINSTREAM\0") && !verdict.isEmpty()) {
                OutputStream out = client.getOutputStream();
                out.write((verdict + "\0").getBytes(StandardCharsets.UTF_8));
            } else {
                in.read(); // until the client gives up
            }
        } catch (IOException gone) {
            scanned.add("broken");
        }
    }
}
