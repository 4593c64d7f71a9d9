package dev.inboxd.cli;

import java.util.List;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * A subcommand of {@code inboxd}.
 *
 * @param name its name
 * @param spec its options and help
 * @param action runs it and returns the exit status of the process
 */
public record Subcommand(String name, CommandSpec spec, ToIntFunction<ParseResult> action) {
    public static Subcommand of(String name, String description, ToIntFunction<ParseResult> action) {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(description);
        CommandHelp.addOption(spec);
        return new Subcommand(name, spec, action);
    }

    /** Adds commands below it. */
    Subcommand withCommands(List<OperatorCommand> verbs) {
        verbs.forEach(verb -> spec.addSubcommand(verb.name(), verb.spec()));
        return this;
    }

    /** Adds every setting as an option. */
    public Subcommand withSettings() {
        SettingOptions.add(spec, name);
        return this;
    }
}
