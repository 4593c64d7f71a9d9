package dev.inboxd.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** A line on a terminal that says what a long command is doing; nothing where no person looks. */
final class ProgressLine implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final long PAUSE = 200_000_000;

    private final @Nullable PrintWriter out;
    private long shownAt = System.nanoTime() - PAUSE;

    private ProgressLine(@Nullable PrintWriter out) {
        this.out = out;
    }

    /** On standard error, when that and standard output are a terminal and the answer is no JSON. */
    static ProgressLine of(ParseResult arguments) {
        boolean isSeen = Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent()
                && !arguments.hasMatchedOption("--json");
        return new ProgressLine(isSeen ? arguments.commandSpec().commandLine().getErr() : null);
    }

    /** Shows what is being done, a few times a second at most. */
    void show(String text) {
        long now = System.nanoTime();
        if (out != null && now - shownAt >= PAUSE) {
            shownAt = now;
            out.printf("\r%-" + WIDTH + "s", text.length() > WIDTH ? text.substring(0, WIDTH) : text);
            out.flush();
        }
    }

    /** Makes room for what is printed next. */
    void clear() {
        if (out != null) {
            out.printf("\r%" + WIDTH + "s\r", "");
            out.flush();
        }
    }

    @Override
    public void close() {
        clear();
    }
}
