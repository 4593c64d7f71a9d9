package dev.inboxd.mailbox.document;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.AttachmentTexts;
import dev.inboxd.mailbox.attachment.TextFormat;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extracts the text of attachments in the background, one at a time on each node. The rows tell what is due: a crash
 * repeats at most the document that was being read, and a second extraction changes nothing.
 */
public final class DocumentReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentReader.class);
    private static final String KIND = "texts";
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Due attachments looked up together; small documents are quick. */
    private static final int PAGE = 20;

    /** One organization at a time on each node. */
    private static final int AT_ONCE = 1;

    /** After this time without a document the process that reads them ends, with its memory. */
    private static final Duration IDLE = Duration.ofSeconds(2);
    /** After this time the next organization has its turn, so that none waits long for the documents of another. */
    private static final long TURN_NANOS = 1_000_000_000;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;
    private final DueWork due;
    private final PeriodicTask idle = new PeriodicTask("reader of documents", IDLE, this::endIdleReader);
    /** Held while a document is read. */
    private final Semaphore reading = new Semaphore(1);

    private volatile long used = System.nanoTime();
    private volatile @Nullable ReaderProcess reader;
    private volatile boolean stopping;

    /**
     * Extracts text of a database's attachments.
     *
     * @param due finds them, once it is started
     */
    public DocumentReader(Database database, Messages messages, MessageContents contents, DueWork due) {
        this.database = database;
        this.due = due;
        this.messages = messages;
        this.contents = contents;
        due.add(new WorkKind(KIND, AttachmentTexts.NEXT, WorkKind.Pace.of(INTERVAL, AT_ONCE), this::readDue));
    }

    /** Starts to watch over the process that reads. */
    public void start() {
        idle.start();
    }

    /** Abandons the document that is being read; after the next start it is read again when its claim has expired. */
    @Override
    public void close() {
        stopping = true;
        ReaderProcess running = reader;
        if (running != null) {
            running.close();
        }
        idle.close();
    }

    private void readDue(UUID organization) {
        View all = View.of(organization);
        long start = System.nanoTime();
        for (UUID attachment : database.read(tx -> AttachmentTexts.due(tx, all, PAGE))) {
            if (stopping) {
                return;
            }
            if (System.nanoTime() - start > TURN_NANOS) {
                break;
            }
            readOne(all, attachment);
        }
        if (!database.read(tx -> AttachmentTexts.due(tx, all, 1)).isEmpty()) {
            due.wake(KIND, organization); // once more, after the others
        }
    }

    /** A failure concerns this document alone: its claim expires, and it is tried twice more. */
    private void readOne(View view, UUID attachment) {
        UUID organization = view.organization();
        try {
            Optional<Attachment> claimed =
                    database.write(organization, tx -> AttachmentTexts.claim(tx, view, attachment));
            if (claimed.isPresent()) {
                String text = text(view, claimed.get());
                database.write(organization, tx -> {
                    if (text == null) {
                        AttachmentTexts.giveUp(tx, view, attachment);
                    } else {
                        AttachmentTexts.record(tx, view, attachment, text.isBlank() ? null : deflated(text));
                    }
                    return true;
                });
            }
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "attachment text extraction failed, retried later: attachment={} cause={}",
                    attachment,
                    failure.toString());
        }
    }

    /** Null when it cannot be read, now or later. */
    private @Nullable String text(View view, Attachment attachment) throws IOException {
        TextFormat format = TextFormat.of(attachment.mediaType(), attachment.filename(), attachment.size());
        Optional<FullMessage> message = messages.find(view, attachment.owner().message());
        if (format == null || message.isEmpty()) {
            return "";
        }
        try (InputStream in = contents.open(view.organization(), message.get().content(), attachment, 0)) {
            return switch (format) {
                case TEXT -> PlainText.text(in);
                case HTML -> PlainText.html(in);
                case PDF, DOCX, DOC, XLSX, PPTX, MAIL -> inReaderProcess(format, in, attachment.size());
            };
        }
    }

    private @Nullable String inReaderProcess(TextFormat format, InputStream document, long size) throws IOException {
        reading.acquireUninterruptibly();
        try {
            ReaderProcess running = reader;
            if (running == null) {
                running = new ReaderProcess();
                reader = running;
            }
            return running.read(format, document, size);
        } catch (ReaderProcess.ReaderCrashException hostile) {
            endReader();
            if (stopping) {
                throw hostile; // close() ended the reader
            }
            LOG.warn("attachment text given up: cause={}", hostile.getMessage());
            return null;
        } catch (IOException | RuntimeException failure) {
            endReader();
            throw failure;
        } finally {
            used = System.nanoTime();
            reading.release();
        }
    }

    private void endIdleReader() {
        if (System.nanoTime() - used > IDLE.toNanos() && reading.tryAcquire()) {
            try {
                endReader();
            } finally {
                reading.release();
            }
        }
    }

    private void endReader() {
        ReaderProcess running = reader;
        if (running != null) {
            running.close();
            reader = null;
        }
    }

    private static byte[] deflated(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
