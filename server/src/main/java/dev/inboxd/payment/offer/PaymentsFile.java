package dev.inboxd.payment.offer;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.yaml.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which an operator writes offers and prices. It is read again when it changes. What is wrong in it at the
 * start ends the start; later it changes nothing, and is one line in the log. Safe for concurrent use.
 */
public final class PaymentsFile {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentsFile.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
    private static final String KIND = "payments";

    private final Path path;
    private final PaymentsUse use;
    private final PeriodicTask watch = new PeriodicTask("payments file", BETWEEN_LOOKS, this::reloadIfChanged);
    private volatile PaymentTerms terms;
    /** Of the content that was applied last; of the one thread that looks. */
    private byte[] digest;

    private String complaint = "";

    /**
     * The file at a path, which is read at once: nothing runs yet that a fault would have to stop.
     *
     * @throws Problem {@code validation_error} whose message has file, line and member of each fault
     */
    public PaymentsFile(Path path, PaymentsUse use) {
        byte[] content = YamlFile.read(path, KIND);
        this.path = path;
        this.use = use;
        this.terms = PaymentsDocument.read(path.toString(), content, use);
        this.digest = Digests.sha256().digest(content);
    }

    /**
     * Reads a file once, for a command.
     *
     * @throws Problem as the constructor
     */
    public static PaymentTerms read(Path path, PaymentsUse use) {
        return PaymentsDocument.read(path.toString(), YamlFile.read(path, KIND), use);
    }

    /** The terms of the file as it was when it was right last. */
    public PaymentTerms terms() {
        return terms;
    }

    /** Begins to watch the file. */
    public void start() {
        watch.start();
    }

    /** Ends the watch. */
    public void close() {
        watch.close();
    }

    /** Looks whether the file is another one than before, and applies it. */
    void reloadIfChanged() {
        try {
            byte[] content = YamlFile.read(path, KIND);
            byte[] now = Digests.sha256().digest(content);
            if (Arrays.equals(now, digest)) {
                return;
            }
            terms = PaymentsDocument.read(path.toString(), content, use);
            digest = now;
            complaint = "";
            LOG.info("The payments file {} has changed and is applied", path);
        } catch (Problem wrong) {
            // The same fault is told once.
            if (!wrong.message().equals(complaint)) {
                LOG.error("{}; offers and prices stay as they were", wrong.message());
            }
            complaint = wrong.message();
        }
    }
}
