package dev.inboxd.cli;

import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings as options of a command. */
public final class SettingOptions {
    private SettingOptions() {}

    /** Adds an option for every setting to the command of the given name. */
    static void add(CommandSpec command, String name) {
        command.usageMessage()
                .sortOptions(false)
                .width(110)
                .customSynopsis("inboxd " + name + " [--SETTING=VALUE ...]%n")
                .footer("%nEvery option is also a variable: INBOXD_HTTP_PORT for --http-port. The option wins.");
        for (Setting<?> setting : SettingTable.ALL) {
            command.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("<" + setting.flag().substring(2) + ">")
                    .type(String.class)
                    .description(
                            escaped(setting.description()),
                            escaped("Allowed: " + setting.form().allowed() + "."),
                            escaped("Default: " + setting.shownDefault() + "."))
                    .build());
            addFile(command, setting);
        }
    }

    /** Adds options for some settings; the others are read from variables. */
    static void add(CommandSpec command, List<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            command.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("<" + setting.flag().substring(2) + ">")
                    .type(String.class)
                    .description(escaped(setting.description()))
                    .build());
            addFile(command, setting);
        }
    }

    private static void addFile(CommandSpec command, Setting<?> setting) {
        setting.fileFlag()
                .ifPresent(flag -> command.addOption(OptionSpec.builder(flag)
                        .paramLabel("<file>")
                        .type(String.class)
                        .description("A file with the value of " + setting.flag() + ".")
                        .build()));
    }

    /** The values of the given options. */
    public static Map<String, String> values(ParseResult arguments) {
        Map<String, String> flags = new HashMap<>();
        for (Setting<?> setting : SettingTable.ALL) {
            if (arguments.hasMatchedOption(setting.flag())) {
                flags.put(setting.flag(), arguments.matchedOptionValue(setting.flag(), ""));
            }
            setting.fileFlag()
                    .filter(arguments::hasMatchedOption)
                    .ifPresent(flag -> flags.put(flag, arguments.matchedOptionValue(flag, "")));
        }
        return flags;
    }

    /** Escapes a help text, which the library reads as a format string. */
    private static String escaped(String text) {
        return text.replace("%", "%%");
    }
}
