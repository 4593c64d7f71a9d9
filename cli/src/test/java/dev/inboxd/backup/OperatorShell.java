package dev.inboxd.backup;

import dev.inboxd.Main;
import dev.inboxd.base.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The commands of an operator on one installation.
 *
 * @param settings that each of them gets, as options
 */
record OperatorShell(List<String> settings) {
    /** What a command said. */
    record Reply(int status, String out, String err) {
        Map<?, ?> json() {
            return (Map<?, ?>) Objects.requireNonNull(Json.stored(out), err);
        }

        long number(String member) {
            return ((Number) Objects.requireNonNull(json().get(member), out)).longValue();
        }

        String text(String member) {
            return String.valueOf(json().get(member));
        }
    }

    Reply run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(settings);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        return new Reply(status, out.toString(), err.toString());
    }
}
