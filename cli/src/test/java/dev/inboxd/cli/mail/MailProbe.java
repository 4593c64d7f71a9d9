package dev.inboxd.cli.mail;

import dev.inboxd.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** A command line of {@code inboxd mail}, and what came of it. */
final class MailProbe {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment;
    private String input = "";
    private int status = -1;

    MailProbe(Map<String, String> environment) {
        this.environment = environment;
    }

    /** One that calls a server with a key. */
    static MailProbe at(int port, String key) {
        return new MailProbe(Map.of("INBOXD_URL", "http://127.0.0.1:" + port + "/", "INBOXD_KEY", key));
    }

    MailProbe typing(String text) {
        input = text;
        return this;
    }

    /** Runs {@code inboxd mail} with these words. */
    MailProbe run(String... words) {
        List<String> line = new ArrayList<>(List.of("mail"));
        line.addAll(List.of(words));
        String[] arguments = line.toArray(String[]::new);
        CommandLine commandLine = Main.mail(arguments, terminal())
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true));
        status = commandLine.execute(arguments);
        return this;
    }

    /** Where its commands are given. */
    Terminal terminal() {
        return new Terminal(
                environment,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintWriter(err, true));
    }

    int status() {
        return status;
    }

    /** What it printed so far. */
    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What it printed so far on standard error. */
    String err() {
        return err.toString();
    }
}
