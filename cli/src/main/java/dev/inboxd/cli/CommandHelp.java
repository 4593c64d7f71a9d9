package dev.inboxd.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Help on the command line: {@code help COMMAND}, {@code --help} everywhere, and what is said to a wrong command. */
public final class CommandHelp {
    private CommandHelp() {}

    /** Adds {@code -h} and {@code --help} to a command. */
    public static void addOption(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .arity("0")
                .type(boolean.class)
                .description("Prints this help.")
                .build());
    }

    /** {@code inboxd help}, {@code inboxd help serve}, {@code inboxd help org create}. */
    public static Subcommand command() {
        Subcommand help = Subcommand.of("help", "Prints the help of a command.", CommandHelp::print);
        help.spec()
                .addPositional(PositionalParamSpec.builder()
                        .index("0..*")
                        .arity("0..*")
                        .paramLabel("COMMAND")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("serve, for example, or org create.")
                        .build());
        return help;
    }

    private static int print(ParseResult arguments) {
        CommandLine shown = arguments.commandSpec().root().commandLine();
        for (String name : arguments.matchedPositionalValue(0, List.<String>of())) {
            CommandLine below = shown.getSubcommands().get(name);
            if (below == null) {
                throw new UnmatchedArgumentException(shown, List.of(name));
            }
            shown = below;
        }
        shown.usage(arguments.commandSpec().root().commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    /** Says what is wrong in one line, and where the help is in another. */
    public static int refuse(ParameterException wrong, String[] arguments) {
        CommandLine commandLine = wrong.getCommandLine();
        PrintWriter err = commandLine.getErr();
        String name = commandLine.getCommandSpec().qualifiedName();
        err.println(name + ": " + cause(wrong));
        err.println("Help: " + name.replaceFirst(" ", " help ") + (name.indexOf(' ') < 0 ? " help" : ""));
        return CommandLine.ExitCode.USAGE;
    }

    private static String cause(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return Objects.requireNonNullElse(wrong.getMessage(), "wrong arguments");
        }
        String first = unmatched.getUnmatched().getFirst();
        boolean isOption = first.startsWith("-");
        boolean hasCommands = !unmatched.getCommandLine().getSubcommands().isEmpty();
        String kind = isOption ? "there is no option " : hasCommands ? "there is no command " : "it takes no argument ";
        List<String> near = isOption || hasCommands ? unmatched.getSuggestions() : List.of();
        String meant = near.stream().limit(2).map(CommandHelp::last).collect(Collectors.joining(" or "));
        return kind
                + (isOption ? first.split("=", 2)[0] : first)
                + (meant.isEmpty() ? "" : "; did you mean " + meant + "?");
    }

    /** Suggestions are whole command lines, such as {@code inboxd serve}. */
    private static String last(String suggestion) {
        return suggestion.substring(suggestion.lastIndexOf(' ') + 1);
    }
}
