package dev.inboxd.cli;

import dev.inboxd.config.SettingTable;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * An operator's command below a noun: {@code create} of {@code inboxd org create}.
 *
 * @param spec its options and help
 * @param action returns the result to print: a {@link dev.inboxd.base.json.JsonObject}, a list of them, or text
 */
public record OperatorCommand(String name, CommandSpec spec, BiFunction<OperatorContext, ParseResult, Object> action) {
    /** A command with that help and the option {@code --json}. */
    public static OperatorCommand of(
            String name, String description, BiFunction<OperatorContext, ParseResult, Object> action) {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(description);
        CommandHelp.addOption(spec);
        CommandOptions.addFlag(spec, "--json", "Prints JSON instead of lines for people.");
        SettingOptions.add(spec, List.of(SettingTable.DATA_DIR, SettingTable.DATABASE_URL, SettingTable.DNS_SERVERS));
        return new OperatorCommand(name, spec, action);
    }

    /** Adds an option with a value. */
    public OperatorCommand option(String option, String description) {
        CommandOptions.add(spec, option, option.substring(2), description);
        return this;
    }

    /** Adds a required option with a value. */
    OperatorCommand required(String option, String description) {
        CommandOptions.addRequired(spec, option, option.substring(2), description);
        return this;
    }

    /** Adds an option without a value. */
    public OperatorCommand flag(String option, String description) {
        CommandOptions.addFlag(spec, option, description);
        return this;
    }

    /** Adds a required argument. */
    public OperatorCommand argument(String label, String description) {
        String place = String.valueOf(spec.positionalParameters().size());
        spec.addPositional(PositionalParamSpec.builder()
                .index(place)
                .arity("1")
                .required(true)
                .paramLabel("<" + label + ">")
                .type(String.class)
                .description(description)
                .build());
        return this;
    }

    /** The value of an option, or null. */
    public static @Nullable String value(ParseResult arguments, String option) {
        return arguments.matchedOptionValue(option, (String) null);
    }

    /** The first argument. */
    public static String argument(ParseResult arguments) {
        return argument(arguments, 0);
    }

    /** The argument at a place, counted from zero. */
    static String argument(ParseResult arguments, int place) {
        return arguments.matchedPositionalValue(place, "");
    }
}
