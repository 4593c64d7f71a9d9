package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs short programs to their end, without the environment of this process. */
final class ProcessRunner {
    private ProcessRunner() {}

    /** A process builder whose environment contains no locale, no PG… variable and no secret of this process. */
    static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("PATH", "TMPDIR"));
        environment.put("LC_ALL", Platform.current().environmentLocale());
        environment.put("TZ", "UTC");
        // A working folder that every user may enter; the user of the command may not be able to enter the caller's.
        return builder.directory(Path.of("/").toFile()).redirectErrorStream(true);
    }

    /** True when the command can be started and ends with status 0. */
    static boolean succeeds(List<String> command) {
        try {
            return finish(builder(command).start(), "").status == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs a command with text on its standard input.
     *
     * @throws EmbeddedPostgresException with the command's output when it fails
     */
    static void run(List<String> command, String input) throws IOException {
        Result result = finish(builder(command).start(), input);
        if (result.status != 0) {
            throw new EmbeddedPostgresException(
                    FreeSpace.isShort(result.output)
                            ? "The disk is full. Free some of it, or choose another one with INBOXD_DATA_DIR."
                            : String.join(" ", command) + " ended with status " + result.status + ":\n"
                                    + result.output.strip());
        }
    }

    private static Result finish(Process process, String input) throws IOException {
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(InterruptibleWait.forExit(process), output);
    }

    private record Result(int status, String output) {}
}
