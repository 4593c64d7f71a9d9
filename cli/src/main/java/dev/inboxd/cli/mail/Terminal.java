package dev.inboxd.cli.mail;

import dev.inboxd.base.json.Json;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command is given: what it reads and where it prints.
 *
 * @param environment its variables
 * @param in standard input
 * @param out standard output, as text and as bytes
 * @param err standard error
 */
public record Terminal(Map<String, String> environment, InputStream in, PrintStream out, PrintWriter err) {
    private static final int USUAL_WIDTH = 120;

    /** That of this process. */
    public static Terminal ofProcess() {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        return new Terminal(System.getenv(), System.in, out, new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    }

    /** The same with other variables. */
    Terminal with(Map<String, String> variables) {
        return new Terminal(variables, in, out, err);
    }

    /** Whether what this process prints is shown on a screen. */
    static boolean isScreen() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /** Characters in a line. */
    int width() {
        String columns = environment.getOrDefault("COLUMNS", "");
        boolean isNumber =
                columns.length() > 1 && columns.length() < 5 && columns.chars().allMatch(Character::isDigit);
        return isNumber ? Integer.parseInt(columns) : USUAL_WIDTH;
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** Prints JSON on a line. */
    void json(@Nullable Object value) {
        line(JsonOutput.safe(Json.text(value)));
    }

    /** What a file has, or standard input for {@code -}. */
    byte[] read(String file) {
        try {
            return file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (IOException | InvalidPathException unreadable) {
            throw CommandFailure.usage("the file " + file + " cannot be read");
        }
    }
}
