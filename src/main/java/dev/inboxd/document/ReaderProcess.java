package dev.inboxd.document;

import dev.inboxd.attachment.TextFormat;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A Java of its own that reads documents, one after another. It has little memory, an empty environment and a deadline
 * for each document; whatever a document makes of it, this process goes on. Not for several threads.
 */
final class ReaderProcess implements AutoCloseable {
    /** A document that takes longer, the start included, has no text. */
    static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final int MOST_OCTETS = 4 * LimitedText.MOST;
    private static final List<String> OPTIONS = List.of("-Xmx160m", "-Xss1m", "-XX:MaxMetaspaceSize=96m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto",
            "-Djava.awt.headless=true");

    private final Process process;
    private final DataOutputStream out;
    private final DataInputStream in;

    /** Starts one. */
    ReaderProcess() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(OPTIONS);
        builder.command().addAll(List.of("-cp", System.getProperty("java.class.path"), ReaderProgram.class.getName()));
        builder.environment().clear(); // no secret of ours is there to be read
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        this.process = builder.start();
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.in = new DataInputStream(process.getInputStream());
    }

    /**
     * The text of a document; empty when there is none or it cannot be read.
     *
     * @param size its octets
     * @throws IOException when the process is gone, by itself or because the time was up; close it then
     */
    String read(TextFormat format, InputStream document, long size) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofVirtual().name("document deadline").start(() -> endUnless(done));
        try {
            out.writeUTF(format.name());
            out.writeInt(Math.toIntExact(size));
            if (document.transferTo(out) != size) {
                throw new IOException("the document has another size than announced");
            }
            out.flush();
            int length = in.readInt();
            if (length < 0 || length > MOST_OCTETS) {
                throw new IOException("an answer of " + length + " octets");
            }
            return new String(in.readNBytes(length), StandardCharsets.UTF_8);
        } finally {
            done.countDown();
        }
    }

    /** Ends the process, whatever it does. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void endUnless(CountDownLatch done) {
        try {
            if (!done.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
        }
    }
}
