package dev.inboxd.cli;

import dev.inboxd.base.database.embedded.EmbeddedPostgresException;
import dev.inboxd.base.database.embedded.VersionUpgrade;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd database}: the embedded one. */
public final class DatabaseCommand {
    private static final String DROP_OLD = "drop-old";

    private DatabaseCommand() {}

    /** The command. */
    public static Subcommand database() {
        Subcommand command =
                Subcommand.of("database", "Looks after the embedded database.", arguments -> run(arguments));
        CommandSpec drop = CommandSpec.create();
        drop.usageMessage().description("Deletes what upgrades to a later PostgreSQL have left behind.");
        CommandHelp.addOption(drop);
        SettingOptions.add(drop, List.of(SettingTable.DATA_DIR));
        command.spec().addSubcommand(DROP_OLD, drop);
        return command;
    }

    private static int run(ParseResult arguments) {
        CommandLine commandLine = arguments.commandSpec().commandLine();
        if (!arguments.hasSubcommand()) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        Path data = SettingsReader.readForCommand(
                        new SettingValues(System.getenv(), SettingOptions.values(arguments.subcommand())))
                .dataDirectory();
        try {
            List<Path> dropped = VersionUpgrade.dropOld(data);
            dropped.forEach(folder -> commandLine.getOut().println("deleted " + folder));
            return CommandLine.ExitCode.OK;
        } catch (EmbeddedPostgresException refused) {
            commandLine.getErr().println("inboxd database drop-old: " + refused.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }
}
