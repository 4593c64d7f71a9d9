package dev.inboxd.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** What Jazzer calls: one target, which its first argument names. */
public final class FuzzDriver {
    private static final AtomicReference<FuzzCorpus> TARGET = new AtomicReference<>(FuzzCorpus.MESSAGE);

    private FuzzDriver() {}

    /** Called once by Jazzer before the first input. */
    public static void fuzzerInitialize(String[] arguments) {
        TARGET.set(FuzzCorpus.valueOf(arguments[0]));
    }

    /** Called by Jazzer for each input. */
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.get().run(input);
    }

    /** Writes the seeds of all targets below a folder and prints the targets' names. */
    public static void main(String[] arguments) {
        try {
            for (FuzzCorpus each : FuzzCorpus.values()) {
                Path folder = Files.createDirectories(Path.of(arguments[0], each.name()));
                List<byte[]> seeds = each.seeds();
                for (int i = 0; i < seeds.size(); i++) {
                    Files.write(folder.resolve(String.format(Locale.ROOT, "seed-%02d", i)), seeds.get(i));
                }
                System.out.println(each.name());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
