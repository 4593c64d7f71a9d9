package dev.inboxd.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion of the command line for the shell fish, which picocli does not write. */
final class FishCompletion {
    private final StringBuilder script = new StringBuilder();

    private FishCompletion() {}

    /** The script for a command and all below it. */
    static String of(CommandLine root) {
        FishCompletion completion = new FishCompletion();
        String name = root.getCommandSpec().name();
        completion.script.append("""
                # Completion of %1$s for fish: %1$s completion fish | source
                function __%1$s_is
                    set -l words (commandline -opc | string match -v -- '-*')
                    test "$words[2..-1]" = "$argv"
                end
                function __%1$s_in
                    set -l words (commandline -opc | string match -v -- '-*')
                    set -l last (math (count $argv) + 1)
                    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
                end
                """.formatted(name));
        completion.script.append("complete -c ").append(name).append(" -f\n");
        completion.add(name, root, List.of());
        return completion.script.toString();
    }

    private void add(String name, CommandLine command, List<String> path) {
        String at = String.join(" ", path);
        String is = "complete -c " + name + " -n " + quoted("__" + name + "_is " + at);
        String in = "complete -c " + name + " -n " + quoted(path.isEmpty() ? "true" : "__" + name + "_in " + at);
        for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
            script.append(is)
                    .append(" -a ")
                    .append(below.getKey())
                    .append(described(below.getValue().getCommandSpec()))
                    .append('\n');
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            script.append(in).append(" -l ").append(option.longestName().substring(2));
            script.append(option.arity().max() == 0 ? "" : " -r");
            script.append(text(option.description())).append('\n');
        }
        command.getSubcommands().forEach((word, below) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(word);
            add(name, below, longer);
        });
    }

    private static String described(CommandSpec spec) {
        return text(spec.usageMessage().description());
    }

    private static String text(String[] description) {
        if (description.length == 0) {
            return "";
        }
        String plain = description[0].replace("%n", " ").replace("%%", "%");
        int end = plain.indexOf(". ");
        return " -d " + quoted(end < 0 ? plain : plain.substring(0, end));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
