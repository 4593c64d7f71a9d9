package dev.inboxd.server;

import dev.inboxd.config.Settings;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.outbound.Routing;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The developer's terminal, where captured mail is shown; a file or a pipe in its place gets nothing (ruling 31). */
final class SandboxConsole {
    private static final int LINES = 20;

    private final @Nullable Console console;

    private SandboxConsole(@Nullable Console console) {
        this.console = console;
    }

    /** The terminal of a service in development; in production none. */
    static SandboxConsole of(Settings settings) {
        Console console = settings.mode() == Settings.Mode.DEV ? System.console() : null;
        return new SandboxConsole(console != null && console.isTerminal() ? console : null);
    }

    /** Shows a captured message's beginning; what could act on the terminal is left out. */
    void show(Routing.CapturedMessage captured) {
        if (console == null) {
            return;
        }
        try (InputStream in = captured.raw().open()) {
            ParsedMessage parsed = MessageParser.parse(in);
            String text = parsed.body().text() == null ? "" : parsed.body().text();
            console.printf(
                    "%n  Captured mail to %s%n  Subject: %s%n",
                    clean(captured.recipient()), clean(String.valueOf(parsed.subject())));
            text.lines().limit(LINES).forEach(line -> console.printf("  | %s%n", clean(line)));
            console.flush();
        } catch (IOException | RuntimeException unreadable) {
            console.printf("  Captured mail to %s cannot be read%n", clean(captured.recipient()));
        }
    }

    private static String clean(String line) {
        return line.codePoints()
                .filter(c -> !Character.isISOControl(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
