package dev.inboxd.app.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.yaml.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which an operator registers apps. What is wrong in it at the start ends the start; later it changes
 * nothing, and is one line in the log.
 */
public final class AppsFile {
    private static final Logger LOG = LoggerFactory.getLogger(AppsFile.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

    private final Path path;
    private final FileApps apps;
    private final UnaryOperator<@Nullable String> environment;
    private final PeriodicTask watch = new PeriodicTask("apps file", BETWEEN_LOOKS, this::reloadIfChanged);
    /** Of the content that was applied or refused last. */
    private byte[] digest = new byte[0];

    private String complaint = "";

    /**
     * The file at a path, with secrets in the variables of this process.
     *
     * @throws Problem {@code validation_error} that says file, line and member
     */
    public static AppsFile at(Path path, Database database, InstantSource clock) {
        return new AppsFile(path, new FileApps(database, clock), System::getenv);
    }

    /**
     * The file at a path, which is read at once: nothing runs yet that a fault would have to stop.
     *
     * @param environment the variables of the process, where secrets may be
     * @throws Problem {@code validation_error} that says file, line and member
     */
    AppsFile(Path path, FileApps apps, UnaryOperator<@Nullable String> environment) {
        this.path = path;
        this.apps = apps;
        this.environment = environment;
        var _ = AppsDocument.of(path.toString(), read()).registrations(environment);
    }

    /** Applies the file, and begins to watch it. */
    public void start() {
        apply(read());
        watch.start();
    }

    /** Ends the watch. */
    public void close() {
        watch.close();
    }

    /** Applies the file, whether it has changed or not. */
    public synchronized void lookAnew() {
        digest = new byte[0];
        reloadIfChanged();
    }

    /** Looks whether the file is another one than before, and applies it. */
    synchronized void reloadIfChanged() {
        try {
            byte[] content = read();
            if (Arrays.equals(digest(content), digest)) {
                return;
            }
            apply(content);
            complaint = "";
            LOG.info("The apps file {} has changed and is applied", path);
        } catch (Problem problem) {
            complain(problem);
        }
    }

    /** A fault stays the same until somebody changes the file; a database that is away does not. */
    private void complain(Problem problem) {
        if (!problem.message().equals(complaint)) {
            LOG.error("{}; the apps stay as they were", problem.message());
        }
        complaint = problem.code() == ErrorCode.VALIDATION_ERROR ? problem.message() : "";
    }

    private void apply(byte[] content) {
        AppsDocument document = AppsDocument.of(path.toString(), content);
        List<AppRegistration> registrations = document.registrations(environment);
        document.explained(() -> apps.apply(registrations));
        digest = digest(content);
    }

    private static byte[] digest(byte[] content) {
        return Digests.sha256().digest(content);
    }

    private byte[] read() {
        return read(path);
    }

    /** The bytes of a file, and at most one more than a document may have. */
    static byte[] read(Path path) {
        return YamlFile.read(path, "apps");
    }
}
