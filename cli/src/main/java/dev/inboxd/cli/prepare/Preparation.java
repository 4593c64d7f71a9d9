package dev.inboxd.cli.prepare;

import dev.inboxd.base.database.embedded.EmbeddedPostgresException;
import dev.inboxd.base.database.embedded.PreparedPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ahead-of-time cache of the running program, and keeps PostgreSQL's unpacked programs beside it. Both are
 * aids alone: without them, or with those of another program or Java, the service starts slower and does the same.
 */
public final class Preparation {
    /** The system property with which the launchers name the file of the cache. */
    public static final String PROPERTY = "inboxd.cache";

    private Preparation() {}

    /** The file that the launcher named; null without a launcher. */
    public static @Nullable Path usualCache() {
        String named = System.getProperty(PROPERTY);
        return named == null ? null : Path.of(named);
    }

    /**
     * Makes the cache, which takes some ten seconds. A cache that is there is replaced by one rename, and is left as it
     * is when this fails. Where none is, an empty file then marks the attempt, which no start repeats.
     *
     * @return octets of the new cache
     * @throws IOException when there is none; the message says why
     */
    public static long make(Path cache) throws IOException {
        Path target = cache.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null || !Files.isWritable(Files.createDirectories(folder))) {
            throw new IOException("The folder " + folder + " cannot be written to");
        }
        try {
            return make(target, target.resolveSibling(target.getFileName() + ".new"));
        } catch (IOException failed) {
            if (!Files.exists(target)) {
                Files.createFile(target);
            }
            throw failed;
        }
    }

    private static long make(Path target, Path unfinished) throws IOException {
        keepPrograms();
        try (TrialServer trial = TrialServer.start()) {
            new Rehearsal(trial.awaitReady()).run();
            Path cache = trial.stop();
            Files.copy(cache, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            return Files.size(target);
        }
    }

    private static void keepPrograms() {
        try {
            PreparedPrograms.keep();
        } catch (EmbeddedPostgresException slower) {
            // The trial, and each first start, unpacks its own.
        }
    }

    /**
     * Begins to make the cache beside the service when there is none yet and there can be one: by a process of the
     * lowest priority, which the caller ends with the service.
     *
     * @return the process; null when there is nothing to make
     */
    public static @Nullable Process beginWhenMissing() {
        Path cache = usualCache();
        if (cache == null || Files.exists(cache) || !Files.isWritable(cache.resolveSibling("."))) {
            return null;
        }
        List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
        command.addAll(TrialServer.java());
        command.addAll(List.of("-jar", TrialServer.jar(), "prepare", "--cache", cache.toString()));
        try {
            return TrialServer.quiet(command).start();
        } catch (IOException slower) {
            return null;
        }
    }
}
