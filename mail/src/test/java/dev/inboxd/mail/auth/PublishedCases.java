package dev.inboxd.mail.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Cases made by others, which lie beside the checkout and are not part of it. */
public final class PublishedCases {
    private static final Path FOLDER = Path.of(System.getProperty("test.corpora", "../shared/corpora"));

    private PublishedCases() {}

    /** A file or folder of theirs; the test is reported as skipped, with the reason, when it is not here. */
    public static Path file(String name) {
        Path file = FOLDER.resolve(name);
        Assumptions.assumeTrue(Files.exists(file), "The cases of others are not here: " + name);
        return file;
    }

    /** The documents of a YAML file. */
    public static List<Map<String, Object>> documents(Path file) throws IOException {
        List<Map<String, Object>> documents = new ArrayList<>();
        // An empty text that begins with blanks, which this reader refuses.
        String text = Files.readString(file).replaceAll("\\|\n[ \n]+\n", "''\n");
        for (Object document :
                new Load(LoadSettings.builder().setAllowDuplicateKeys(true).build()).loadAllFromString(text)) {
            if (document instanceof Map<?, ?>) {
                documents.add(map(document));
            }
        }
        return documents;
    }

    /** An object as the mapping it is. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(@Nullable Object object) {
        return (Map<String, Object>) Objects.requireNonNull(object);
    }
}
