package dev.inboxd.cli;

import dev.inboxd.cli.prepare.Preparation;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd prepare}: makes the cache with which Java starts fast. */
public final class PrepareCommand {
    private static final String CACHE = "--cache";
    private static final long MEGABYTE = 1_048_576;

    private PrepareCommand() {}

    public static Subcommand prepare() {
        Subcommand command =
                Subcommand.of("prepare", "Makes the cache with which the service starts fast.", PrepareCommand::run);
        command.spec()
                .addOption(OptionSpec.builder(CACHE)
                        .type(Path.class)
                        .paramLabel("FILE")
                        .description("The file to make; otherwise the one that the launcher uses.")
                        .build());
        command.spec()
                .usageMessage()
                .footer("%nTakes some ten seconds, for a trial start in a temporary folder. Run it after an upgrade;"
                        + "%na cache that is missing or of another version only makes starts slower.");
        return command;
    }

    private static int run(ParseResult arguments) {
        CommandLine commandLine = arguments.commandSpec().commandLine();
        @Nullable Path cache = arguments.matchedOptionValue(CACHE, Preparation.usualCache());
        if (cache == null) {
            commandLine.getErr().println("inboxd prepare: name the file of the cache with " + CACHE + ".");
            return CommandLine.ExitCode.USAGE;
        }
        try {
            long size = Preparation.make(cache);
            commandLine.getOut().println("Prepared: " + cache + ", " + size / MEGABYTE + " MB");
            return CommandLine.ExitCode.OK;
        } catch (IOException failed) {
            commandLine.getErr().println("inboxd prepare: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }
}
