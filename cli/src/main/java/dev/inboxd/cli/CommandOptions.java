package dev.inboxd.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The three kinds of options that commands have. */
final class CommandOptions {
    private CommandOptions() {}

    /**
     * Adds an option with a value to a command.
     *
     * @param option with its hyphens, {@code --to}
     * @param label what the help names the value
     */
    static void add(CommandSpec command, String option, String label, String description) {
        command.addOption(valued(option, label, description).build());
    }

    /** Adds an option with a value that cannot be left out; see {@link #add}. */
    static void addRequired(CommandSpec command, String option, String label, String description) {
        command.addOption(valued(option, label, description).required(true).build());
    }

    /** Adds an option without a value. */
    static void addFlag(CommandSpec command, String option, String description) {
        command.addOption(OptionSpec.builder(option)
                .arity("0")
                .type(boolean.class)
                .description(description)
                .build());
    }

    private static OptionSpec.Builder valued(String option, String label, String description) {
        return OptionSpec.builder(option)
                .paramLabel("<" + label + ">")
                .type(String.class)
                .description(description);
    }
}
