package dev.inboxd.mailbox.document;

import dev.inboxd.mailbox.attachment.TextFormat;
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
    private static final List<String> OPTIONS = List.of(
            "-Xmx160m",
            "-Xss1m",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xshare:auto",
            "-Djava.awt.headless=true");

    private final Process process;
    private final DataOutputStream out;
    private final DataInputStream in;
    /** Whether it has said that it runs: what ends it before is no document's doing. */
    private boolean ready;

    /** Starts one. */
    ReaderProcess() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
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
     * @throws ReaderCrashException when the process is gone, by itself or because the time was up: the same would happen
     *     again
     * @throws IOException when the document cannot be read or the process not be started; close this reader then
     */
    String read(TextFormat format, InputStream document, long size) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofVirtual().name("document deadline").start(() -> endUnless(done));
        try {
            if (!ready) {
                in.readByte();
                ready = true;
            }
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
        } catch (IOException failure) {
            throw ready && isGone() ? new ReaderCrashException(failure) : failure;
        } finally {
            done.countDown();
        }
    }

    /** What a document did to its reader: it took too long, or all the memory there was. */
    static final class ReaderCrashException extends IOException {
        private static final long serialVersionUID = 1;

        private ReaderCrashException(IOException cause) {
            super("its reader ended over it", cause);
        }
    }

    /** The streams of a process that ends are gone a little before it is. */
    private boolean isGone() {
        try {
            return process.waitFor(1, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
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
