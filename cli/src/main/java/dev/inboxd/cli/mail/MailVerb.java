package dev.inboxd.cli.mail;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command for people, which makes several calls or prints what a call answers in a form of its own.
 *
 * @param name the word behind {@code inboxd mail}
 * @param text what it does
 * @param options its own flags
 * @param action does it
 */
record MailVerb(String name, String text, List<OptionSpec> options, BiConsumer<Terminal, ParseResult> action) {
    static final String INBOX = "--inbox-id";

    /** All of them, in the order of the help. */
    static List<MailVerb> all() {
        return List.of(
                MessageVerbs.waiting(),
                MessageVerbs.sending(),
                MessageVerbs.replying(),
                MessageVerbs.opening(),
                EventTail.verb(),
                EventRelay.verb());
    }

    CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(text);
        options.forEach(spec::addOption);
        OperationCommand.addUsual(spec);
        return spec;
    }

    static @Nullable String value(ParseResult flags, String option) {
        return flags.matchedOptionValue(option, (String) null);
    }

    static List<String> values(ParseResult flags, String option) {
        return flags.matchedOptionValue(option, List.<String>of());
    }

    /** The value of an option without which there is nothing to do. */
    static String required(ParseResult flags, String option) {
        String value = value(flags, option);
        if (value == null || value.isEmpty()) {
            throw CommandFailure.usage("it needs " + option);
        }
        return value;
    }

    /** A number of an option. */
    static long number(ParseResult flags, String option, long otherwise) {
        String value = value(flags, option);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 0 && number <= 1_000_000) {
                return number;
            }
        } catch (NumberFormatException notNumber) {
            // refused below
        }
        throw CommandFailure.usage(option + " must be a whole number up to a million, not " + value);
    }
}
