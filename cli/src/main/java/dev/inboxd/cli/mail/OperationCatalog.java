package dev.inboxd.cli.mail;

import dev.inboxd.reference.ApiDescription;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The commands, as lines of text that the build makes: reading the description itself would take longer than most
 * calls. Without that file, as among class folders, the description is read.
 */
public final class OperationCatalog {
    private static final String FILE = "operations.tsv";
    private static final String TAB = "\t";

    private OperationCatalog() {}

    private static final class Described {
        static final List<MailOperation> ALL = new DescriptionReader(ApiDescription.openApi()).operations();
    }

    /**
     * For the build: writes the file.
     *
     * @param arguments the folder of the classes
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0], "dev", "inboxd", "cli", "mail");
        Files.createDirectories(folder);
        Files.write(folder.resolve(FILE), lines(described()));
    }

    /** The commands, from the description. */
    static List<MailOperation> described() {
        return Described.ALL;
    }

    /** The resources, each with its verbs. */
    static Map<String, List<String>> names() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        try (Stream<String> lines = text()) {
            lines.filter(line -> !line.startsWith(TAB)).forEach(line -> {
                int end = line.indexOf('\t');
                String verb = line.substring(end + 1, line.indexOf('\t', end + 1));
                List<String> verbs = names.computeIfAbsent(line.substring(0, end), _ -> new ArrayList<>());
                if (!verbs.contains(verb)) {
                    verbs.add(verb);
                }
            });
        }
        return names;
    }

    /** The calls of a resource. */
    static List<MailOperation> of(String resource) {
        try (Stream<String> lines = text()) {
            return read(lines, resource + TAB);
        }
    }

    /** The call with that operation id, in the command that has it. */
    static MailOperation call(String resource, String operationId) {
        return of(resource).stream()
                .filter(operation -> operation.id().equals(operationId))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> text() {
        InputStream file = OperationCatalog.class.getResourceAsStream(FILE);
        if (file == null) {
            return lines(described()).stream();
        }
        BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
        return reader.lines().onClose(() -> {
            try {
                reader.close();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    /** A line for each call, and one behind it for each flag, which begins with a tab. */
    static List<String> lines(List<MailOperation> operations) {
        List<String> lines = new ArrayList<>();
        for (MailOperation operation : operations) {
            String open = operation.isOpen() ? "open" : "key";
            lines.add(String.join(
                    TAB,
                    List.of(
                            operation.resource(),
                            operation.verb(),
                            operation.id(),
                            operation.method(),
                            operation.path(),
                            operation.media(),
                            operation.items(),
                            open,
                            operation.summary())));
            for (MailFlag flag : operation.flags()) {
                lines.add(TAB
                        + String.join(
                                TAB,
                                List.of(
                                        flag.member(),
                                        flag.place().name(),
                                        flag.kind().name(),
                                        flag.isRepeated() ? "several" : "one",
                                        String.valueOf(flag.most()),
                                        flag.text())));
            }
        }
        return lines;
    }

    /** The calls whose line begins like that. */
    static List<MailOperation> read(Stream<String> lines, String beginning) {
        List<MailOperation> operations = new ArrayList<>();
        boolean[] isWanted = {false};
        lines.forEach(line -> {
            if (!line.startsWith(TAB)) {
                isWanted[0] = line.startsWith(beginning);
            }
            if (isWanted[0] && line.startsWith(TAB)) {
                operations.getLast().flags().add(flag(line.split(TAB, -1)));
            } else if (isWanted[0]) {
                operations.add(operation(line.split(TAB, -1)));
            }
        });
        return operations;
    }

    private static MailOperation operation(String[] part) {
        return new MailOperation(
                part[0],
                part[1],
                part[2],
                part[3],
                part[4],
                part[5],
                part[6],
                part[7].equals("open"),
                part[8],
                new ArrayList<>());
    }

    private static MailFlag flag(String[] part) {
        return new MailFlag(
                part[1],
                MailFlag.Place.valueOf(part[2]),
                MailFlag.Kind.valueOf(part[3]),
                part[4].equals("several"),
                Long.parseLong(part[5]),
                part[6]);
    }
}
