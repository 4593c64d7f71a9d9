package dev.inboxd.cli.mail;

import dev.inboxd.cli.CommandHelp;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * One command for a call at each of its levels: the flags of the path say which is meant.
 *
 * @param calls at least one
 */
record OperationCommand(List<MailOperation> calls) {
    static final String JSON = "--json";
    static final String FIELDS = "--fields";
    static final String DRY_RUN = "--dry-run";
    private static final String ALL = "--all";
    private static final String BODY = "--body";
    private static final String LIMIT = "limit";

    /** Its flags and help. */
    CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        MailOperation first = calls.getFirst();
        spec.usageMessage().description(escaped(first.summary()) + ".");
        spec.usageMessage()
                .footer(calls.stream()
                        .map(call -> escaped(call.method() + " " + call.path()))
                        .toArray(String[]::new));
        flags().values().forEach(flag -> spec.addOption(option(flag)));
        if (calls.stream().anyMatch(call -> !call.media().isEmpty())) {
            spec.addOption(text(BODY, "<json>", "The whole body as JSON, or @FILE (@- is standard input)."));
        }
        if (!first.items().isEmpty()) {
            spec.addOption(flag(ALL, "Every page, instead of the first."));
        }
        addUsual(spec);
        spec.addOption(flag(DRY_RUN, "Prints the call as a command of curl, and does not make it."));
        return spec;
    }

    /** The flags that every command of a call has. */
    static void addUsual(CommandSpec spec) {
        spec.addOption(flag(JSON, "Prints JSON instead of text for people."));
        spec.addOption(text(FIELDS, "<names>", "The members that are printed as text, as subject,from."));
        CommandHelp.addOption(spec);
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .arity("0")
                .type(boolean.class)
                .description(escaped(description))
                .build();
    }

    static OptionSpec text(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(escaped(description))
                .build();
    }

    static OptionSpec texts(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(escaped(description) + " Can be given several times.")
                .build();
    }

    /** Descriptions are formats of Java, in which names in braces behind a dollar are variables. */
    private static String escaped(String text) {
        return text.replace("%", "%%").replace("${", "$ {");
    }

    private static OptionSpec option(MailFlag flag) {
        String label = "<" + flag.name().substring(2) + ">";
        if (flag.isRepeated()) {
            return texts(flag.name(), label, flag.text());
        }
        OptionSpec.Builder option = OptionSpec.builder(flag.name())
                .paramLabel(label)
                .type(String.class)
                .description(escaped(flag.text()));
        if (flag.kind() == MailFlag.Kind.BOOLEAN) {
            option.arity("0..1").fallbackValue("true");
        }
        return option.build();
    }

    /** The flags of all levels, by member. */
    private Map<String, MailFlag> flags() {
        Map<String, MailFlag> flags = new LinkedHashMap<>();
        calls.forEach(call -> call.flags().forEach(flag -> flags.putIfAbsent(flag.member(), flag)));
        return flags;
    }

    /** Makes the call that was meant. */
    void run(Terminal terminal, ParseResult arguments) {
        FlagValues values = values(arguments);
        MailOperation operation = meant(values.members());
        AnswerOutput output = output(terminal, arguments);
        MailClient client = new MailClient(terminal.environment());
        OperationCall call = values.call(operation, terminal);
        if (arguments.hasMatchedOption(DRY_RUN)) {
            terminal.line(call.curl(client.server()));
        } else if (hasPages(operation, arguments, values)) {
            String limit = values.first(LIMIT);
            long most = limit == null ? 0 : Math.max(1, Long.parseLong(limit));
            output.pages(client, call, operation, most);
        } else {
            ServerAnswer answer = client.send(call);
            output.print(answer, operation.items());
            boolean isShort = !operation.items().isEmpty() && answer.json().has("next_page_token");
            if (isShort && !output.asJson()) {
                terminal.err().println("There is more: --all prints all of it, --limit the first so many.");
            }
        }
    }

    private static boolean hasPages(MailOperation operation, ParseResult arguments, FlagValues values) {
        return !operation.items().isEmpty()
                && values.first("page_token") == null
                && (values.first(LIMIT) != null || arguments.hasMatchedOption(ALL));
    }

    /** How an answer is printed. */
    static AnswerOutput output(Terminal terminal, ParseResult arguments) {
        String fields = arguments.matchedOptionValue(FIELDS, (String) null);
        boolean asJson = arguments.hasMatchedOption(JSON);
        if (fields != null && asJson) {
            throw CommandFailure.usage(FIELDS + " chooses what text has; --json prints all of it, for jq for example");
        }
        List<String> names = fields == null
                ? List.of()
                : Stream.of(fields.split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList();
        return new AnswerOutput(terminal, asJson, names);
    }

    private FlagValues values(ParseResult arguments) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        flags().forEach((member, flag) -> {
            @Nullable Object value = arguments.matchedOptionValue(flag.name(), null);
            if (value instanceof List<?> list) {
                values.put(member, list.stream().map(String::valueOf).toList());
            } else if (value != null) {
                values.put(member, List.of(value.toString()));
            }
        });
        return new FlagValues(values, arguments.matchedOptionValue(BODY, (String) null));
    }

    /** The call whose path takes exactly the values that a path could take. */
    private MailOperation meant(Set<String> members) {
        Set<String> inPaths =
                calls.stream().flatMap(call -> call.pathMembers().stream()).collect(Collectors.toSet());
        inPaths.retainAll(members);
        return calls.stream()
                .filter(call -> inPaths.containsAll(call.pathMembers()))
                .max(Comparator.comparingInt(call -> call.pathMembers().size()))
                .filter(call -> call.pathMembers().containsAll(inPaths))
                .orElseThrow(() -> CommandFailure.usage("it takes "
                        + calls.stream().map(OperationCommand::path).distinct().collect(Collectors.joining(", or "))));
    }

    private static String path(MailOperation call) {
        String flags = call.flags().stream()
                .filter(flag -> flag.place() == MailFlag.Place.PATH)
                .map(MailFlag::name)
                .collect(Collectors.joining(" and "));
        return flags.isEmpty() ? "no level" : flags;
    }
}
