package dev.inboxd.cli;

import dev.inboxd.backup.BackupException;
import dev.inboxd.backup.BackupRun;
import dev.inboxd.backup.BackupStore;
import dev.inboxd.backup.Manifest;
import dev.inboxd.backup.PlaceCheck;
import dev.inboxd.backup.RestoreRun;
import dev.inboxd.backup.Seals;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsReader;
import dev.inboxd.server.MasterKeys;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd backup} and {@code inboxd restore}. */
public final class BackupCommands {
    private static final String VERSION =
            Objects.requireNonNullElse(BackupCommands.class.getPackage().getImplementationVersion(), "in development");
    private static final int FINGERPRINT = 8;
    private static final List<Setting<?>> SETTINGS =
            List.of(SettingTable.DATA_DIR, SettingTable.DATABASE_URL, SettingTable.BLOB_URL, SettingTable.SECRET_KEY);

    private BackupCommands() {}

    /** {@code inboxd backup}. */
    public static Subcommand backup() {
        Subcommand command =
                command("backup", "Makes a backup of the installation, also while it runs.", BackupCommands::backUp);
        CommandSpec spec = command.spec();
        CommandOptions.addRequired(
                spec, "--to", "place", "A folder, or s3://bucket/prefix; it keeps the backups of one installation.");
        CommandOptions.add(spec, "--keep", "number", "Afterwards deletes all backups there but so many, the newest.");
        CommandOptions.addFlag(
                spec, "--verify", "Makes none: reads the newest backup there, or that of --id, from beginning to end.");
        CommandOptions.addFlag(spec, "--list", "Makes none: lists the backups there, the newest first.");
        CommandOptions.add(spec, "--id", "id", "The backup to verify.");
        SealOptions.add(spec);
        return command;
    }

    /** {@code inboxd restore}. */
    public static Subcommand restore() {
        Subcommand command = command(
                "restore", "Makes an installation from a backup, in an empty database.", BackupCommands::restored);
        CommandSpec spec = command.spec();
        CommandOptions.addRequired(spec, "--from", "place", "Where the backups are, as inboxd backup --to names it.");
        CommandOptions.add(spec, "--id", "id", "The backup; the newest when left out.");
        CommandOptions.add(
                spec,
                "--source-key-file",
                "file",
                "A file with the master key of the original. Needed when the settings do not have it; where they have"
                        + " none, it becomes the master key here.");
        CommandOptions.addFlag(
                spec,
                "--replace",
                "The original is gone: what is due leaves from here, and its blob store may be used.");
        SealOptions.add(spec);
        return command;
    }

    private static int backUp(ParseResult arguments) {
        try (BackupStore store = BackupStore.at(required(arguments, "--to"))) {
            if (arguments.hasMatchedOption("--list")) {
                return list(arguments, store);
            }
            if (arguments.hasMatchedOption("--verify")) {
                return verify(arguments, store);
            }
            return backUp(arguments, store);
        }
    }

    /** A damaged one hides no other. */
    private static int list(ParseResult arguments, BackupStore store) {
        List<JsonObject> good = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        store.all().reversed().forEach(key -> {
            try {
                good.add(shown(store.manifest(key)));
            } catch (BackupException unreadable) {
                faults.add(String.valueOf(unreadable.getMessage()));
            }
        });
        print(arguments, good);
        faults.forEach(fault -> err(arguments).println("inboxd backup: " + fault));
        return faults.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static Optional<Vault> vault(List<String> keys) {
        return keys.isEmpty() ? Optional.empty() : Optional.of(new Vault(keys));
    }

    private static int backUp(ParseResult arguments, BackupStore store) {
        Settings settings = settings(arguments);
        int backupsToKeep = backupsToKeep(arguments);
        long begun = System.nanoTime();
        try (CommandDatabase database = CommandDatabase.openAsIs(settings);
                ProgressLine progress = ProgressLine.of(arguments);
                Blobs blobs = Blobs.at(settings.storage().blobs().toString())) {
            List<String> keys = MasterKeys.present(settings);
            BackupRun.Origin origin =
                    new BackupRun.Origin(database.database(), blobs, VERSION, fingerprints(keys), vault(keys));
            List<String> sentences = new ArrayList<>();
            BackupRun.Outcome done = new BackupRun(origin, store, progress::show, sentences::add).run(backupsToKeep);
            progress.clear();
            print(
                    arguments,
                    shown(done.manifest())
                            .with("chunks", done.chunks())
                            .with("new_chunks", done.newChunks())
                            .with("new_blobs", done.newBlobs())
                            .with("bytes_written", done.written())
                            .with("faults", done.faults())
                            .with("seconds", (System.nanoTime() - begun) / 1_000_000_000));
            sentences.forEach(sentence -> err(arguments).println("inboxd backup: " + sentence));
            if (!done.unknown().isEmpty()) {
                err(arguments)
                        .println("inboxd backup: damaged backups are kept (" + String.join(", ", done.unknown())
                                + "), so nothing but old manifests was deleted.");
            }
            List<String> missing = done.manifest().missingBlobs();
            missing.forEach(path -> err(arguments)
                    .println("inboxd backup: the blob " + path + " is missing in the store;"
                            + " everything else is in the backup."));
            return missing.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static int verify(ParseResult arguments, BackupStore store) {
        PlaceCheck.Verdict verdict;
        try (ProgressLine progress = ProgressLine.of(arguments)) {
            verdict = new PlaceCheck(store, vault(MasterKeys.present(settings(arguments))), progress::show)
                    .run(
                            Objects.requireNonNullElse(OperatorCommand.value(arguments, "--id"), ""),
                            SealOptions.rule(arguments));
        }
        Manifest manifest = verdict.manifest();
        Manifest lastGood = verdict.lastGood();
        JsonObject shown = manifest == null ? JsonObject.of("backup_id", verdict.id()) : shown(manifest);
        print(
                arguments,
                shown.with("faults", verdict.faults())
                        .with("last_good", lastGood == null ? null : lastGood.id())
                        .with("also_damaged", verdict.damaged()));
        verdict.sentences().forEach(fault -> err(arguments).println("inboxd backup: " + fault));
        if (verdict.hint() != null) {
            err(arguments).println("inboxd backup: " + verdict.hint());
        }
        if (verdict.faults() == 0) {
            return CommandLine.ExitCode.OK;
        }
        err(arguments)
                .println("inboxd backup: what is damaged does not count as there any more: the next backup writes it"
                        + " again. "
                        + (lastGood == null
                                ? "No backup there is good."
                                : "The last good backup is " + lastGood.id() + " of " + lastGood.at() + "."));
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static int restored(ParseResult arguments) {
        Settings settings = settings(arguments);
        try (BackupStore store = BackupStore.at(required(arguments, "--from"))) {
            Manifest manifest =
                    store.manifest(Objects.requireNonNullElse(OperatorCommand.value(arguments, "--id"), ""));
            @Nullable String sourceKey = MasterKeys.read(OperatorCommand.value(arguments, "--source-key-file"));
            List<String> own = MasterKeys.present(settings);
            List<String> all = new ArrayList<>(own);
            if (sourceKey != null) {
                all.add(sourceKey);
            }
            Vault vault = new Vault(all);
            manifest.require(vault);
            requireSeal(arguments, store, manifest, vault);
            try (CommandDatabase database = CommandDatabase.forCopy(settings);
                    ProgressLine progress = ProgressLine.of(arguments);
                    Blobs blobs = Blobs.at(settings.storage().blobs().toString())) {
                RestoreRun.Target target = new RestoreRun.Target(
                        database.database().location(), blobs, vault, arguments.hasMatchedOption("--replace"));
                new RestoreRun(store, manifest, target, progress::show).run(() -> {
                    if (own.isEmpty() && sourceKey != null) {
                        MasterKeys.keep(settings, sourceKey);
                    }
                });
            }
            print(arguments, shown(manifest).with("restored_from", required(arguments, "--from")));
            return CommandLine.ExitCode.OK;
        }
    }

    private static void requireSeal(ParseResult arguments, BackupStore store, Manifest manifest, Vault vault) {
        String unsealed;
        try {
            unsealed = new Seals(store, Optional.of(vault), SealOptions.rule(arguments)).hint(manifest);
        } catch (BackupException refused) {
            throw new BackupException(refused.getMessage() + " Nothing was written.");
        }
        if (unsealed != null) {
            err(arguments).println("inboxd restore: " + unsealed);
        }
    }

    private static JsonObject shown(Manifest manifest) {
        return JsonObject.of("backup_id", manifest.id())
                .with("at", manifest.at())
                .with("version", manifest.version())
                .with("rows", manifest.rows())
                .with("row_bytes", manifest.bytes())
                .with("blobs", manifest.blobCount())
                .with("blob_bytes", manifest.blobBytes());
    }

    private static Settings settings(ParseResult arguments) {
        return SettingsReader.readForCommand(new SettingValues(System.getenv(), SettingOptions.values(arguments)));
    }

    /** Names a key without telling anything of it. */
    private static List<String> fingerprints(List<String> keys) {
        return new Vault(keys)
                .deriveAll("backup fingerprint").stream()
                        .map(bytes -> HexFormat.of().formatHex(bytes, 0, FINGERPRINT))
                        .toList();
    }

    private static int backupsToKeep(ParseResult arguments) {
        String text = OperatorCommand.value(arguments, "--keep");
        if (text == null) {
            return 0;
        }
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new BackupException("--keep takes a number from 1, and not " + text + ".");
        }
        return Integer.parseInt(text);
    }

    private static Subcommand command(String name, String description, ToIntFunction<ParseResult> action) {
        Subcommand command = Subcommand.of(name, description, arguments -> explained(arguments, action));
        CommandOptions.addFlag(command.spec(), "--json", "Prints JSON instead of lines for people.");
        SettingOptions.add(command.spec(), SETTINGS);
        return command;
    }

    private static int explained(ParseResult arguments, ToIntFunction<ParseResult> action) {
        String words;
        try {
            return action.applyAsInt(arguments);
        } catch (Problem problem) {
            words = problem.message();
        } catch (IllegalArgumentException malformed) {
            words = String.valueOf(malformed.getMessage());
        } catch (OperatorException | DatabaseFailure unusable) {
            words = String.valueOf(unusable.getMessage());
        }
        err(arguments).println("inboxd " + arguments.commandSpec().name() + ": " + words);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void print(ParseResult arguments, Object json) {
        CommandOutput.print(arguments.commandSpec().commandLine().getOut(), json, arguments.hasMatchedOption("--json"));
    }

    private static PrintWriter err(ParseResult arguments) {
        return arguments.commandSpec().commandLine().getErr();
    }

    private static String required(ParseResult arguments, String option) {
        return Objects.requireNonNull(OperatorCommand.value(arguments, option), option);
    }
}
