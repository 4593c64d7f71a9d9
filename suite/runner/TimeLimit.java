import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a part of the tests that hangs, with all processes that it began, so that the command ends and says so. What the
 * threads of each Java did is in a file before that.
 */
final class TimeLimit {
    private static final Duration USUAL = Duration.ofMinutes(60);
    private static final Duration EVERYTHING = Duration.ofHours(4);

    private TimeLimit() {}

    /**
     * Watches a process.
     *
     * @param everything whether it runs in its long form
     * @param threads the file for what its threads did
     */
    static void watch(Process process, boolean everything, Path threads) {
        Duration limit = everything ? EVERYTHING : USUAL;
        Thread.ofPlatform().daemon().start(() -> {
            try {
                process.onExit().get(limit.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                System.out.println("ended after " + limit.toMinutes() + " minutes; its threads are in " + threads);
                end(process, threads);
            } catch (Exception stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void end(Process process, Path threads) {
        List<ProcessHandle> all = process.descendants().toList();
        for (ProcessHandle each : all) {
            if (each.info()
                    .command()
                    .filter(command -> command.endsWith("java"))
                    .isPresent()) {
                print(each.pid(), threads);
            }
        }
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void print(long pid, Path threads) {
        try {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(threads.toFile()))
                    .start()
                    .waitFor(20, TimeUnit.SECONDS);
        } catch (IOException | InterruptedException untold) {
            System.out.println("no threads of process " + pid + ": " + untold);
        }
    }
}
