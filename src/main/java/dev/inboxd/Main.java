package dev.inboxd;

import dev.inboxd.cli.KeyCommands;
import dev.inboxd.cli.OperatorCommands;
import dev.inboxd.cli.SecretsCommands;
import dev.inboxd.cli.ServeCommand;
import dev.inboxd.cli.SettingOptions;
import dev.inboxd.cli.Subcommand;
import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command line. */
public final class Main {
    private Main() {}

    /** Runs one command and ends with its status: 0 for success, 1 for a failure, 2 for a wrong command line. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    public static CommandLine commandLine() {
        List<Subcommand> commands = List.of(
                Subcommand.of("serve", "Starts the service.", Main::serve).withSettings(),
                Subcommand.of("doctor", "Shows the settings and checks what a start needs.", Main::doctor)
                        .withSettings(),
                OperatorCommands.org(),
                KeyCommands.key(),
                OperatorCommands.domain(),
                OperatorCommands.queue(),
                SecretsCommands.secrets(),
                Subcommand.of("version", "Prints the version of inboxd and of the Java it runs on.", Main::version));
        CommandSpec inboxd = CommandSpec.create().name("inboxd");
        inboxd.usageMessage().description("The email inbox service for software agents that anyone can run.");
        inboxd.usageMessage().footer("%nIn a checkout, ./inboxd test runs every test there is.");
        commands.forEach(command -> inboxd.addSubcommand(command.name(), command.spec()));
        return new CommandLine(inboxd)
                .addSubcommand("help", new CommandLine.HelpCommand())
                .setExecutionStrategy(arguments -> run(commands, arguments));
    }

    private static int run(List<Subcommand> commands, ParseResult arguments) {
        Integer helped = CommandLine.executeHelpRequest(arguments);
        if (helped != null) {
            return helped;
        }
        CommandLine commandLine = arguments.commandSpec().commandLine();
        if (!arguments.hasSubcommand()) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        ParseResult given = arguments.subcommand();
        try {
            return commands.stream()
                    .filter(command -> command.name().equals(given.commandSpec().name()))
                    .findFirst()
                    .orElseThrow()
                    .action()
                    .applyAsInt(given);
        } catch (SettingsException e) {
            commandLine.getErr().println("inboxd cannot start: " + e.getMessage()); // for the reader: no stack trace
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static int serve(ParseResult arguments) {
        return ServeCommand.serve(Settings.read(System.getenv(), SettingOptions.given(arguments)));
    }

    private static int doctor(ParseResult arguments) {
        return Doctor.examine(new SettingValues(System.getenv(), SettingOptions.given(arguments)), System.out);
    }

    private static int version(ParseResult arguments) {
        // From the manifest of the jar; class folders, as tests use them, have none.
        String version = Main.class.getPackage().getImplementationVersion();
        System.out.println(
                "inboxd " + Objects.requireNonNullElse(version, "in development") + " on Java " + Runtime.version());
        return CommandLine.ExitCode.OK;
    }
}
