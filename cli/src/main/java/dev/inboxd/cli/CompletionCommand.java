package dev.inboxd.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd completion}: prints what a shell needs to complete commands and flags. */
public final class CompletionCommand {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private CompletionCommand() {}

    public static Subcommand completion() {
        Subcommand command =
                Subcommand.of("completion", "Prints the completion of commands for a shell.", CompletionCommand::print);
        command.spec()
                .addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .arity("1")
                        .required(true)
                        .paramLabel("SHELL")
                        .type(String.class)
                        .completionCandidates(SHELLS)
                        .description("bash, zsh or fish.")
                        .build());
        command.spec()
                .usageMessage()
                .footer("%nIn bash and zsh: source <(inboxd completion bash)"
                        + "%nIn fish: inboxd completion fish | source");
        return command;
    }

    private static int print(ParseResult arguments) {
        CommandLine root = arguments.commandSpec().root().commandLine();
        String name = root.getCommandSpec().name();
        String shell = arguments.matchedPositionalValue(0, "");
        switch (shell) {
            // The script turns to zsh's own emulation where it runs there.
            case "bash", "zsh" -> root.getOut().print(AutoComplete.bash(name, root));
            case "fish" -> root.getOut().print(FishCompletion.of(root));
            default -> {
                root.getErr()
                        .println("inboxd completion: there is none for " + shell + "; bash, zsh and fish have one.");
                return CommandLine.ExitCode.USAGE;
            }
        }
        root.getOut().flush();
        return CommandLine.ExitCode.OK;
    }
}
