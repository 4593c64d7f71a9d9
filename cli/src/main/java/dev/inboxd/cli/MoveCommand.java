package dev.inboxd.cli;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.config.ExternalDatabase;
import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsReader;
import dev.inboxd.move.MoveException;
import dev.inboxd.move.MovePlace;
import dev.inboxd.move.MoveProgress;
import dev.inboxd.move.MoveRun;
import dev.inboxd.move.MoveStep;
import dev.inboxd.move.OrganizationMove;
import dev.inboxd.server.MasterKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd move}: moves the installation to another database, while it runs. */
public final class MoveCommand {
    private static final List<Setting<?>> SETTINGS =
            List.of(SettingTable.DATA_DIR, SettingTable.DATABASE_URL, SettingTable.BLOB_URL, SettingTable.SECRET_KEY);

    private MoveCommand() {}

    /** The command. */
    public static Subcommand move() {
        Subcommand command = Subcommand.of(
                "move",
                "Moves the installation, or an organization, to another database while it runs.",
                MoveCommand::explained);
        CommandSpec spec = command.spec();
        CommandOptions.add(
                spec, "--to", "url", "The empty database to move to: postgres://user:password@host:port/database.");
        CommandOptions.add(
                spec, "--to-blob-url", "url", "Its blob store, an empty one; the source's goes over when left out.");
        CommandOptions.add(
                spec, "--to-key-file", "file", "A file with the master key of the target; the source's when left out.");
        CommandOptions.add(
                spec, "--organization", "id", "Moves this organization alone, to an installation of the same version.");
        CommandOptions.addFlag(spec, "--hold", "What is due stays held in the target until inboxd queue resume.");
        CommandOptions.addFlag(
                spec, "--abandon", "Moves nothing: lets the source go on after a move that was interrupted.");
        CommandOptions.addFlag(spec, "--json", "Prints JSON instead of lines for people.");
        SettingOptions.add(spec, SETTINGS);
        return command;
    }

    private static int explained(ParseResult arguments) {
        String words;
        try {
            return arguments.hasMatchedOption("--abandon") ? abandoned(arguments) : moved(arguments);
        } catch (Problem problem) {
            words = problem.message();
        } catch (OperatorException | DatabaseFailure | BlobException unusable) {
            words = String.valueOf(unusable.getMessage());
        }
        arguments.commandSpec().commandLine().getErr().println("inboxd move: " + words);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static int abandoned(ParseResult arguments) {
        try (CommandDatabase source = CommandDatabase.openAsIs(settings(arguments))) {
            abandon(source.database().location(), organization(arguments));
        }
        return CommandLine.ExitCode.OK;
    }

    private static int moved(ParseResult arguments) {
        String to = OperatorCommand.value(arguments, "--to");
        if (to == null) {
            throw new MoveException("Name the database to move to: --to postgres://user:password@host:port/database.");
        }
        Settings settings = settings(arguments);
        Settings targetSettings = targetSettings(arguments, settings, to);
        ExternalDatabase external = targetSettings.storage().database().orElseThrow();
        try (CommandDatabase source = CommandDatabase.openAsIs(settings);
                Blobs blobs = Blobs.at(settings.storage().blobs().toString());
                Blobs others = Blobs.at(targetSettings.storage().blobs().toString());
                ProgressLine line = ProgressLine.of(arguments)) {
            Steps steps = new Steps(arguments, line);
            Database.Location location = source.database().location();
            MovePlace sourcePlace = new MovePlace(location, "the source", blobs);
            MovePlace target = new MovePlace(ServeCommand.location(external), name(external), others);
            @Nullable UUID organization = organization(arguments);
            try {
                if (organization == null) {
                    new MoveRun(sourcePlace, target, vault(arguments, settings), steps)
                            .run(arguments.hasMatchedOption("--hold"));
                } else {
                    new OrganizationMove(sourcePlace, target, vault(arguments, settings), organization).run(steps);
                }
            } catch (RuntimeException failed) {
                abandon(location, organization, failed);
                throw failed;
            }
            line.clear();
            CommandOutput.print(
                    arguments.commandSpec().commandLine().getOut(),
                    JsonObject.of("moved_to", name(external))
                            .with("seconds", Steps.seconds(steps.begun))
                            .with("read_only_seconds", steps.readOnlySeconds),
                    arguments.hasMatchedOption("--json"));
            return CommandLine.ExitCode.OK;
        }
    }

    /** A move that fails must not leave a service that stands still. */
    private static void abandon(Database.Location source, @Nullable UUID organization, RuntimeException failed) {
        try {
            abandon(source, organization);
        } catch (RuntimeException away) {
            failed.addSuppressed(away);
        }
    }

    private static void abandon(Database.Location source, @Nullable UUID organization) {
        if (organization == null) {
            MoveRun.abandon(source);
        } else {
            OrganizationMove.abandon(source, organization);
        }
    }

    private static @Nullable UUID organization(ParseResult arguments) {
        String text = OperatorCommand.value(arguments, "--organization");
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw new MoveException("--organization takes the id of an organization, and not " + text + ".");
        }
    }

    /** Tells the steps, and counts the seconds in which nothing was written. */
    private static final class Steps implements MoveProgress {
        private final ParseResult arguments;
        private final ProgressLine line;
        private final long begun = System.nanoTime();
        private long readOnly;
        private long readOnlySeconds;

        Steps(ParseResult arguments, ProgressLine line) {
            this.arguments = arguments;
            this.line = line;
        }

        @Override
        public void step(MoveStep step) {
            if (step == MoveStep.READ_ONLY) {
                readOnly = System.nanoTime();
            }
            if (step == MoveStep.OPENED && readOnly != 0) {
                readOnlySeconds = seconds(readOnly);
            }
            line.clear();
            arguments.commandSpec().commandLine().getErr().println("inboxd move: " + step.next());
        }

        @Override
        public void show(String text) {
            line.show(text);
        }

        private static long seconds(long since) {
            return Math.round((System.nanoTime() - since) / 1e9);
        }
    }

    private static Settings settings(ParseResult arguments) {
        return SettingsReader.readForCommand(new SettingValues(System.getenv(), SettingOptions.values(arguments)));
    }

    /** The settings of the target, of which only the places are asked. */
    private static Settings targetSettings(ParseResult arguments, Settings source, String to) {
        Map<String, String> values = new HashMap<>();
        values.put("INBOXD_DATA_DIR", source.dataDirectory().toString());
        values.put("INBOXD_DATABASE_URL", to);
        values.put(
                "INBOXD_BLOB_URL",
                Objects.requireNonNullElse(
                        OperatorCommand.value(arguments, "--to-blob-url"),
                        source.storage().blobs().toString()));
        SettingValues all = new SettingValues(values, Map.of());
        List<String> faults = SettingsReader.faults(all);
        if (!faults.isEmpty()) {
            throw new MoveException(String.join(" ", faults)
                    .replace("INBOXD_DATABASE_URL", "--to")
                    .replace("INBOXD_BLOB_URL", "--to-blob-url"));
        }
        return SettingsReader.readForCommand(all);
    }

    /** Opens the secrets of the source, and seals them for the target. */
    private static Vault vault(ParseResult arguments, Settings source) {
        List<String> keys = new ArrayList<>();
        @Nullable String key = MasterKeys.read(OperatorCommand.value(arguments, "--to-key-file"));
        if (key != null) {
            keys.add(key);
        }
        keys.addAll(MasterKeys.present(source));
        return new Vault(keys);
    }

    /** Host and database, without options and who logs in. */
    private static String name(ExternalDatabase external) {
        String url = external.jdbcUrl().replaceFirst("^jdbc:postgresql:", "postgres:");
        int options = url.indexOf('?');
        return options < 0 ? url : url.substring(0, options);
    }
}
