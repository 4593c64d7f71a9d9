import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A mail of the collection with what has to be found in it.
 *
 * @param fields subject, code, backup, link
 * @param body of one form
 */
record LabelledMail(String name, Map<String, String> fields, boolean html, String body) {
    /** All mails of a folder. */
    static List<LabelledMail> in(Path folder) throws IOException {
        List<LabelledMail> mails = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (String block : Files.readString(file).split("(?m)^@ ")) {
                    if (!block.isBlank()) {
                        mails.add(of(block));
                    }
                }
            }
        }
        return mails;
    }

    private static LabelledMail of(String block) {
        List<String> lines = block.lines().toList();
        Map<String, String> fields = new LinkedHashMap<>();
        int at = 1;
        while (!lines.get(at).equals("text:") && !lines.get(at).equals("html:")) {
            String[] field = lines.get(at++).split(": ", 2);
            fields.put(field[0], field[1]);
        }
        String body = String.join("\n", lines.subList(at + 1, lines.size())).strip();
        return new LabelledMail(lines.getFirst().strip(), fields, lines.get(at).equals("html:"), body);
    }

    /** The language, by the first letters of the name. */
    String language() {
        return name.substring(0, 2);
    }

    /** Whether it is of the half that is not looked at while rules are written. */
    boolean isHeld() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return hash[0] % 2 != 0;
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    String subject() {
        return fields.getOrDefault("subject", "");
    }
}
