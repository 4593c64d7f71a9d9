package dev.inboxd.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;

/** What the parts of a suite came to, printed as they end. */
final class SuiteReport {
    private int passed;
    private int failed;

    /** Tells one part. */
    void add(String what, boolean good, String detail) {
        passed += good ? 1 : 0;
        failed += good ? 0 : 1;
        System.out.println((good ? "ok      " : "FAILED  ") + what + ": " + detail);
    }

    boolean isGood() {
        return failed == 0;
    }

    /**
     * Prints the closing line.
     *
     * @param folder what is left of the run, removed when all went well
     * @return the exit status of the process
     */
    int close(Path folder) throws IOException {
        if (isGood()) {
            try (Stream<Path> paths = Files.walk(folder)) {
                for (Path path : paths.sorted(Collections.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        } else {
            System.out.println("What is left lies in " + folder);
        }
        System.out.println(passed + " passed, " + failed + " failed");
        return isGood() ? 0 : 1;
    }
}
