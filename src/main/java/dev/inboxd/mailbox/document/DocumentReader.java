package dev.inboxd.mailbox.document;

import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.AttachmentTexts;
import dev.inboxd.mailbox.attachment.TextFormat;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.PeriodicTask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
    private static final Duration REST = Duration.ofSeconds(1);
    /** Due attachments looked up of each organization; small documents are quick. */
    private static final int OF_EACH = 20;

    /** Due attachments looked up of all organizations together. */
    private static final int AT_ONCE = 1_000;
    /** After this time the next organization has its turn, so that none waits long for the documents of another. */
    private static final long TURN_NANOS = 1_000_000_000;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;
    private final PeriodicTask task = new PeriodicTask("attachment texts", REST, this::readDue);
    private volatile @Nullable ReaderProcess reader;
    private volatile boolean stopping;

    /** Extracts text of a database's attachments; nothing runs before {@link #start}. */
    public DocumentReader(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /** Starts the periodic task. */
    public void start() {
        task.start();
    }

    /** Abandons the document that is being read; after the next start it is read again when its claim has expired. */
    @Override
    public void close() {
        stopping = true;
        ReaderProcess running = reader;
        if (running != null) {
            running.close();
        }
        task.close();
    }

    private void readDue() {
        try {
            List<AttachmentTexts.DueAttachment> due;
            do {
                due = database.read(tx -> AttachmentTexts.due(tx, OF_EACH, AT_ONCE));
                readInTurns(due);
            } while (!due.isEmpty() && !stopping);
        } finally {
            endReader(); // its memory is needed only while there is work
        }
    }

    private void readInTurns(List<AttachmentTexts.DueAttachment> due) {
        Map<UUID, Long> spent = new HashMap<>();
        for (AttachmentTexts.DueAttachment each : due) {
            if (!stopping && spent.getOrDefault(each.organization(), 0L) < TURN_NANOS) {
                long start = System.nanoTime();
                readOne(each);
                spent.merge(each.organization(), System.nanoTime() - start, Long::sum);
            }
        }
    }

    /** A failure concerns this document alone: its claim expires, and it is tried twice more. */
    private void readOne(AttachmentTexts.DueAttachment due) {
        View view = View.of(due.organization());
        try {
            Optional<Attachment> claimed =
                    database.write(due.organization(), tx -> AttachmentTexts.claim(tx, view, due.attachment()));
            if (claimed.isPresent()) {
                String text = text(view, claimed.get());
                database.write(due.organization(), tx -> {
                    AttachmentTexts.record(tx, view, due.attachment(), text.isBlank() ? null : deflated(text));
                    return true;
                });
            }
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "attachment text extraction failed, retried later: attachment={} cause={}",
                    due.attachment(),
                    failure.toString());
        }
    }

    private String text(View view, Attachment attachment) throws IOException {
        TextFormat format = TextFormat.of(attachment.mediaType(), attachment.filename(), attachment.size());
        Optional<Messages.FullMessage> message =
                messages.find(view, attachment.owner().message());
        if (format == null || message.isEmpty()) {
            return "";
        }
        try (InputStream in = contents.open(view.organization(), message.get().content(), attachment, 0)) {
            return switch (format) {
                case TEXT -> PlainText.text(in);
                case HTML -> PlainText.html(in);
                case PDF, DOCX, DOC, XLSX -> inReaderProcess(format, in, attachment.size());
            };
        }
    }

    private String inReaderProcess(TextFormat format, InputStream document, long size) throws IOException {
        ReaderProcess running = reader;
        if (running == null) {
            running = new ReaderProcess();
            reader = running;
        }
        try {
            return running.read(format, document, size);
        } catch (ReaderProcess.ReaderCrashException hostile) {
            endReader();
            if (stopping) {
                throw hostile; // close() ended the reader
            }
            LOG.warn("attachment text given up: cause={}", hostile.getMessage());
            return "";
        } catch (IOException | RuntimeException gone) {
            endReader();
            throw gone;
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
