package dev.inboxd.mail.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.ObjectMapper;

/** Prints the leaves of each message named by its arguments as inboxd sees them, one JSON object in a line. */
final class Trees {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Trees() {}

    /** Arguments: a file that names the messages, one in a line. */
    public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
        for (String file : Files.readAllLines(Path.of(arguments[0]))) {
            byte[] raw = Files.readAllBytes(Path.of(file));
            ParsedMessage message = MessageParser.parse(new ByteArrayInputStream(raw));
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("file", file);
            tree.put("subject", message.subject() == null ? "" : message.subject());
            tree.put(
                    "from",
                    message.addresses().from().stream().map(Object::toString).toList());
            tree.put(
                    "to",
                    message.addresses().to().stream().map(Object::toString).toList());
            tree.put("leaves", leaves(raw));
            System.out.println(JSON.writeValueAsString(tree));
        }
    }

    private static List<Map<String, String>> leaves(byte[] raw) throws IOException, NoSuchAlgorithmException {
        EntityWalk walk = new EntityWalk(new ByteArrayInputStream(raw), EnumSet.noneOf(Defect.class));
        List<Map<String, String>> leaves = new ArrayList<>();
        while (walk.next()) {
            Entity leaf = walk.leaf();
            String type = leaf.mediaType();
            String name = leaf.filename() == null ? "" : leaf.filename();
            byte[] octets = walk.content().readAllBytes();
            leaves.add(
                    Map.of("type", type, "name", name, "content", type.startsWith("message/") ? "" : digest(octets)));
        }
        return leaves;
    }

    private static String digest(byte[] octets) throws NoSuchAlgorithmException {
        return octets.length + " "
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets), 0, 8);
    }
}
