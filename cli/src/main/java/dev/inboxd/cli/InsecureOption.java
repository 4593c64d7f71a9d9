package dev.inboxd.cli;

import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code --insecure}: lets a key go over the internet in clear text, as {@link ServerAddress#INSECURE} does. */
public final class InsecureOption {
    private static final String NAME = "--insecure";

    private InsecureOption() {}

    /** Adds it to a command and all below it. */
    public static void add(CommandSpec spec) {
        spec.addOption(OptionSpec.builder(NAME)
                .arity("0")
                .type(boolean.class)
                .description("Sends the key to an http:// address of the internet, too.")
                .build());
        for (CommandLine below : spec.subcommands().values()) {
            add(below.getCommandSpec());
        }
    }

    /** The environment with what the command line says. */
    public static Map<String, String> environment(Map<String, String> environment, ParseResult arguments) {
        for (ParseResult at = arguments; at != null; at = at.hasSubcommand() ? at.subcommand() : null) {
            if (at.hasMatchedOption(NAME)) {
                Map<String, String> said = new HashMap<>(environment);
                said.put(ServerAddress.INSECURE, "on");
                return said;
            }
        }
        return environment;
    }
}
