package dev.inboxd;

import dev.inboxd.cli.AppCommands;
import dev.inboxd.cli.BackupCommands;
import dev.inboxd.cli.CommandHelp;
import dev.inboxd.cli.CompletionCommand;
import dev.inboxd.cli.DatabaseCommand;
import dev.inboxd.cli.DnsCommand;
import dev.inboxd.cli.KeyCommands;
import dev.inboxd.cli.MoveCommand;
import dev.inboxd.cli.OperatorCommands;
import dev.inboxd.cli.PrepareCommand;
import dev.inboxd.cli.QueueCommands;
import dev.inboxd.cli.SecretsCommands;
import dev.inboxd.cli.ServeCommand;
import dev.inboxd.cli.SettingOptions;
import dev.inboxd.cli.StandardOutput;
import dev.inboxd.cli.Subcommand;
import dev.inboxd.cli.SuppressionCommands;
import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.cli.mail.MailCommand;
import dev.inboxd.cli.mail.Terminal;
import dev.inboxd.cli.mcp.McpCommand;
import dev.inboxd.cli.payment.PaymentCommands;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line. */
public final class Main {
    private Main() {}

    /** Every command, in the order of the help. */
    private static final List<String> NAMES = List.of(
            "serve",
            "doctor",
            "org",
            "key",
            "domain",
            "queue",
            "suppression",
            "payment",
            "move",
            "database",
            "app",
            "mcp",
            "mail",
            "completion",
            "dns",
            "secrets",
            "backup",
            "restore",
            "prepare",
            "test",
            "package",
            "version",
            "help");

    /** These name all others. */
    private static final Set<String> NEEDING_ALL = Set.of("help", "completion");

    private static Subcommand command(String name) {
        return switch (name) {
            case "serve" ->
                Subcommand.of(name, "Starts the service.", Main::serve).withSettings();
            case "doctor" -> doctorCommand();
            case "org" -> OperatorCommands.org();
            case "key" -> KeyCommands.key();
            case "domain" -> DnsCommand.domain();
            case "queue" -> QueueCommands.queue();
            case "suppression" -> SuppressionCommands.suppression();
            case "payment" -> PaymentCommands.payment();
            case "move" -> MoveCommand.move();
            case "database" -> DatabaseCommand.database();
            case "app" -> AppCommands.app();
            case "mcp" -> McpCommand.mcp();
            case "mail" -> MailCommand.mail(Terminal.ofProcess(), null);
            case "completion" -> CompletionCommand.completion();
            case "dns" -> DnsCommand.dns();
            case "secrets" -> SecretsCommands.secrets();
            case "backup" -> BackupCommands.backup();
            case "restore" -> BackupCommands.restore();
            case "prepare" -> PrepareCommand.prepare();
            case "test" -> test();
            case "package" -> pack();
            case "version" ->
                Subcommand.of(name, "Prints the version of inboxd and of the Java it runs on.", Main::version);
            case "help" -> CommandHelp.command();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Runs one command and ends with its status: 0 for success, 1 for a failure, 2 for a wrong command line. */
    public static void main(String[] arguments) {
        String name = arguments.length > 0 ? arguments[0] : "";
        boolean isMail = name.equals("mail");
        if (name.equals("serve")) { // serves on whatever becomes of its output
            System.exit(commandLine(arguments).execute(arguments));
        }
        StandardOutput output = StandardOutput.install(isMail || name.equals("mcp"));
        int status = (isMail ? mail(arguments, Terminal.ofProcess()) : commandLine(arguments)).execute(arguments);
        System.out.flush();
        System.exit(output.status(status));
    }

    /** The command line for {@code inboxd mail} alone, which begins faster than the whole one. */
    public static CommandLine mail(String[] arguments, Terminal terminal) {
        return commandLine(List.of(MailCommand.mail(terminal, List.of(arguments)), CommandHelp.command()));
    }

    /** The command line for what some arguments ask for: making all commands takes longer than most of them run. */
    static CommandLine commandLine(String[] arguments) {
        String name = arguments.length > 0 ? arguments[0] : "";
        boolean isAlone = NAMES.contains(name) && !NEEDING_ALL.contains(name);
        return isAlone ? commandLine(List.of(command(name), CommandHelp.command())) : commandLine();
    }

    /** The whole command line. */
    public static CommandLine commandLine() {
        return commandLine(NAMES.stream().map(Main::command).toList());
    }

    private static CommandLine commandLine(List<Subcommand> commands) {
        CommandSpec inboxd = CommandSpec.create().name("inboxd").versionProvider(() -> new String[] {version()});
        inboxd.usageMessage()
                .description("The email inbox service for software agents that anyone can run.")
                .synopsisSubcommandLabel("COMMAND")
                .footer("%nBegin with: inboxd serve");
        CommandHelp.addOption(inboxd);
        inboxd.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .arity("0")
                .type(boolean.class)
                .description("Prints the version.")
                .build());
        commands.forEach(command -> inboxd.addSubcommand(command.name(), command.spec()));
        return new CommandLine(inboxd)
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .setExpandAtFiles(false) // @ begins the name of a file with a body
                .setParameterExceptionHandler(CommandHelp::refuse)
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
        ParseResult subcommand = arguments.subcommand();
        try {
            return commands.stream()
                    .filter(command ->
                            command.name().equals(subcommand.commandSpec().name()))
                    .findFirst()
                    .orElseThrow()
                    .action()
                    .applyAsInt(subcommand);
        } catch (SettingsException e) {
            commandLine.getErr().println("inboxd cannot start: " + e.getMessage()); // for the reader: no stack trace
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static int serve(ParseResult arguments) {
        return ServeCommand.serve(Settings.read(System.getenv(), SettingOptions.values(arguments)));
    }

    private static Subcommand doctorCommand() {
        Subcommand doctor = Subcommand.of("doctor", "Shows the settings and checks what a start needs.", Main::doctor);
        doctor.spec()
                .addOption(OptionSpec.builder("--deep")
                        .arity("0")
                        .type(boolean.class)
                        .description("Looks for every blob that a row names, too.")
                        .build());
        return doctor.withSettings();
    }

    private static int doctor(ParseResult arguments) {
        SettingValues values = new SettingValues(System.getenv(), SettingOptions.values(arguments));
        return Doctor.examine(values, System.out, arguments.hasMatchedOption("--deep"));
    }

    /** The launcher of a checkout runs the tests; here is their help. */
    private static Subcommand test() {
        Subcommand test = ofCheckout("test", "Builds a checkout and runs its tests.");
        test.spec()
                .addOption(OptionSpec.builder("--everything")
                        .arity("0")
                        .type(boolean.class)
                        .description("Runs what takes longer, too: PostgreSQL 15, long chaos, long fuzzing.")
                        .build());
        test.spec()
                .usageMessage()
                .footer("%nTakes a quarter of an hour on two processors, and needs Maven and Node.%n"
                        + "The last line is \"N passed, M failed\".");
        return test;
    }

    /** As {@link #test}: the launcher of a checkout packs it. */
    private static Subcommand pack() {
        Subcommand pack = ofCheckout("package", "Packs a checkout with Java and PostgreSQL into one archive.");
        pack.spec()
                .usageMessage()
                .footer("%nMakes target/inboxd-VERSION-linux-PROCESSOR.tar.gz for machines like this one, which need"
                        + "%nno Java. Two runs for one commit give the same bytes.");
        return pack;
    }

    private static Subcommand ofCheckout(String name, String description) {
        return Subcommand.of(name, description, arguments -> {
            arguments
                    .commandSpec()
                    .commandLine()
                    .getErr()
                    .println("inboxd " + name + ": only ./inboxd in a checkout can do that.");
            return CommandLine.ExitCode.USAGE;
        });
    }

    private static int version(ParseResult arguments) {
        arguments.commandSpec().commandLine().getOut().println(version());
        return CommandLine.ExitCode.OK;
    }

    private static String version() {
        // From the manifest of the jar; class folders, as tests use them, have none.
        String version = Main.class.getPackage().getImplementationVersion();
        return "inboxd " + Objects.requireNonNullElse(version, "in development") + " on Java " + Runtime.version();
    }
}
