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
import org.jspecify.annotations.Nullable;

/**
 * A Java process that extracts text from documents, one after another. It has little memory, an empty environment and a
 * deadline for each document, so a hostile document can end the reader but not this process. Not thread-safe.
 */
final class ReaderProcess implements AutoCloseable {
    /** The time for one document, the start included; a document that takes longer has no text. */
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
    /** Whether the process has reported that it runs. A process that ends earlier was not ended by a document. */
    private boolean ready;

    /** Starts the process. */
    ReaderProcess() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(OPTIONS);
        builder.command().addAll(List.of("-cp", System.getProperty("java.class.path"), ReaderProgram.class.getName()));
        builder.environment().clear(); // the service's secrets are not for the reader
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        this.process = builder.start();
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.in = new DataInputStream(process.getInputStream());
    }

    /**
     * The text of a document; empty when it has none, null when it cannot be read.
     *
     * @param size octets of the document
     * @throws ReaderCrashException when the process ended, by itself or by the deadline: a second attempt would end
     *     alike
     * @throws IOException when the document cannot be read or the process did not start; close this reader then
     */
    @Nullable
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
            if (length == ReaderProgram.UNREADABLE) {
                return null;
            }
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

    /** A document ended its reader: it exceeded the deadline or the memory. */
    static final class ReaderCrashException extends IOException {
        private static final long serialVersionUID = 1;

        private ReaderCrashException(IOException cause) {
            super("the reader process ended: deadline or memory exceeded", cause);
        }
    }

    /** The streams of an ending process close a little before the process ends. */
    private boolean isGone() {
        try {
            return process.waitFor(1, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the process at once. */
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
