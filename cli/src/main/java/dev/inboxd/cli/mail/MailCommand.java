package dev.inboxd.cli.mail;

import dev.inboxd.cli.CommandHelp;
import dev.inboxd.cli.InsecureOption;
import dev.inboxd.cli.Subcommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code inboxd mail}: every call of the API as a command, and those for people (docs/cli.md). Only what a command line
 * names is made, because a process lives as long as one call.
 */
public final class MailCommand {
    private final Terminal terminal;
    private final @Nullable List<String> words;

    private MailCommand(Terminal terminal, @Nullable List<String> words) {
        this.terminal = terminal;
        this.words = words;
    }

    /**
     * The command.
     *
     * @param words of the command line behind {@code mail}: what they do not name has no flags; null makes everything,
     *     as help and completion need it
     */
    public static Subcommand mail(Terminal terminal, @Nullable List<String> words) {
        MailCommand mail = new MailCommand(terminal, words);
        Subcommand command = Subcommand.of("mail", "Uses a server: reads, sends and waits for mail.", mail::run);
        MailVerb.all().forEach(verb -> command.spec().addSubcommand(verb.name(), verb.spec()));
        OperationCatalog.names().forEach((resource, verbs) -> {
            CommandSpec spec = CommandSpec.create();
            spec.usageMessage().description(String.join(", ", verbs) + ".");
            CommandHelp.addOption(spec);
            mail.commands(resource).forEach((verb, below) -> spec.addSubcommand(verb, below.spec()));
            command.spec().addSubcommand(resource, spec);
        });
        InsecureOption.add(command.spec());
        command.spec()
                .usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .footer(
                        "%n" + MailClient.URL + " names the server (http://127.0.0.1:8080 otherwise), and",
                        MailClient.KEY + " is an API key of it. A call is inboxd mail RESOURCE VERB:",
                        "inboxd mail messages list --help.",
                        "%nExit status: 0 done, 1 the output cannot be written, 2 wrong command line,",
                        "3 nothing came in time, 4 refused by the server, 5 the server failed or cannot be",
                        "reached.");
        return command;
    }

    /** The commands of a resource, by verb; none when the command line is about another. */
    private Map<String, OperationCommand> commands(String resource) {
        Map<String, OperationCommand> commands = new LinkedHashMap<>();
        if (words != null && !words.contains(resource)) {
            return commands;
        }
        Map<String, List<MailOperation>> calls = new LinkedHashMap<>();
        OperationCatalog.of(resource)
                .forEach(call -> calls.computeIfAbsent(call.verb(), _ -> new ArrayList<>())
                        .add(call));
        calls.forEach((verb, several) -> commands.put(verb, new OperationCommand(several)));
        return commands;
    }

    private int run(ParseResult arguments) {
        CommandLine mail = arguments.commandSpec().commandLine();
        if (!arguments.hasSubcommand()) {
            mail.usage(mail.getErr());
            return CommandFailure.USAGE;
        }
        ParseResult below = arguments.subcommand();
        String name = below.commandSpec().name();
        Terminal configured = terminal.with(InsecureOption.environment(terminal.environment(), arguments));
        try {
            for (MailVerb verb : MailVerb.all()) {
                if (verb.name().equals(name)) {
                    verb.action().accept(configured, below);
                    return 0;
                }
            }
            if (!below.hasSubcommand()) {
                CommandLine resource = below.commandSpec().commandLine();
                resource.usage(resource.getErr());
                return CommandFailure.USAGE;
            }
            ParseResult call = below.subcommand();
            OperationCommand command = commands(name).get(call.commandSpec().name());
            if (command != null) {
                command.run(configured, call);
            }
            return 0;
        } catch (CommandFailure failure) {
            boolean isJson = failure.getMessage().startsWith("{");
            terminal.err().println(isJson ? failure.getMessage() : "inboxd mail: " + failure.getMessage());
            return failure.status();
        }
    }
}
