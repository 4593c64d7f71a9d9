import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The collections of attacks and of harmless texts: our own, and those of others where they are at hand. */
final class Collections {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path own;
    private final Path others;

    Collections(Path own, Path corpora) {
        this.own = own;
        this.others = corpora.resolve("injection");
    }

    /** Whether the collections of others are there. */
    boolean haveOthers() {
        return Files.isDirectory(others);
    }

    List<Attack> attacks() throws IOException {
        List<Attack> attacks = new ArrayList<>();
        for (String[] line : lines("attacks.txt")) {
            attacks.add(new Attack("own", line[0], true, line[2]));
        }
        if (haveOthers()) {
            purpleLlama(attacks);
            bipia(attacks);
        }
        return attacks;
    }

    private void purpleLlama(List<Attack> attacks) throws IOException {
        for (JsonNode one : JSON.readTree(Files.readString(others.resolve("purplellama/prompt_injection.json")))) {
            attacks.add(new Attack(
                    "purplellama",
                    one.get("injection_type").asString() + " "
                            + one.get("injection_variant").asString(),
                    one.get("risk_category").asString().startsWith("security"),
                    one.get("user_input").asString()));
        }
    }

    /** The last five kinds want to harm; the ten before ask for something harmless, and are told apart. */
    private void bipia(List<Attack> attacks) throws IOException {
        JsonNode kinds = JSON.readTree(Files.readString(others.resolve("bipia/text_attack_test.json")));
        int number = 0;
        for (String kind : kinds.propertyNames()) {
            boolean harmful = number++ >= 10;
            for (JsonNode text : kinds.get(kind)) {
                attacks.add(new Attack(harmful ? "bipia" : "bipia, harmless", kind, harmful, text.asString()));
            }
        }
    }

    /** Ordinary mails into which attacks are set, and which are no attack themselves. */
    List<String> plainMails() throws IOException {
        if (!haveOthers()) {
            return List.of("Hello Bob,\n\nthe minutes of Tuesday are attached.\n\nSee you at noon,\nAnn");
        }
        List<String> mails = new ArrayList<>();
        for (String line : Files.readAllLines(others.resolve("bipia/test.jsonl"))) {
            mails.add(JSON.readTree(line).get("context").asString());
        }
        return mails;
    }

    List<String> notInject() throws IOException {
        List<String> texts = new ArrayList<>();
        if (haveOthers()) {
            for (String part : List.of("one", "two", "three")) {
                Path file = others.resolve("notinject/NotInject_" + part + ".json");
                for (JsonNode one : JSON.readTree(Files.readString(file))) {
                    texts.add(one.get("prompt").asString());
                }
            }
        }
        return texts;
    }

    List<String> harmless() throws IOException {
        return lines("harmless.txt").stream().map(line -> line[2]).toList();
    }

    /** The mails of a folder and those below it. */
    static List<Path> mails(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> isMail(file.getFileName().toString().toLowerCase(Locale.ROOT)))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isMail(String name) {
        return name.endsWith(".eml") || name.endsWith(".msg") || name.endsWith(".txt");
    }

    private List<String[]> lines(String name) throws IOException {
        List<String[]> lines = new ArrayList<>();
        for (String line : Files.readAllLines(own.resolve(name))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" \\| ", 3);
                parts[2] = parts[2].replace("\\n", "\n");
                lines.add(parts);
            }
        }
        return lines;
    }
}
