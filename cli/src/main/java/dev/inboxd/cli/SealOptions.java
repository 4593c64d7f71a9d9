package dev.inboxd.cli;

import dev.inboxd.backup.SealRule;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that say which backups without a seal are taken. */
final class SealOptions {
    private static final String REQUIRE_SEAL = "--require-seal";
    private static final String UNSEALED = "--unsealed";

    private SealOptions() {}

    static void add(CommandSpec spec) {
        CommandOptions.addFlag(
                spec, REQUIRE_SEAL, "Takes no backup whose seal cannot be checked, as no master key is here.");
        CommandOptions.addFlag(
                spec,
                UNSEALED,
                "Also takes a backup without a seal: of an earlier version, or made without the master key.");
    }

    /** @throws IllegalArgumentException when both are given */
    static SealRule rule(ParseResult arguments) {
        boolean isRequired = arguments.hasMatchedOption(REQUIRE_SEAL);
        if (!arguments.hasMatchedOption(UNSEALED)) {
            return isRequired ? SealRule.REQUIRED : SealRule.USUAL;
        }
        if (isRequired) {
            throw new IllegalArgumentException("--require-seal refuses what --unsealed takes: leave out one of them.");
        }
        return SealRule.NONE;
    }
}
