package dev.inboxd.mail.dkim;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks a relaxed/relaxed rsa-sha256 signature the slow and obvious way, sharing no code with the signer. */
final class DkimVerifier {
    private DkimVerifier() {}

    /** Whether the first field of the message is a signature that holds under the key of the DNS record. */
    static boolean verifies(byte[] message, String dnsRecord) throws Exception {
        var text = new String(message, StandardCharsets.ISO_8859_1);
        int split = text.indexOf("\r\n\r\n");
        var fields = new ArrayList<>(List.of(text.substring(0, split)
                .replace("\r\n ", " ")
                .replace("\r\n\t", " ")
                .split("\r\n")));
        var signature = fields.removeFirst();
        var tags = tags(signature.substring(signature.indexOf(':') + 1));
        var hash = MessageDigest.getInstance("SHA-256").digest(body(text.substring(split + 4)));
        if (!Base64.getEncoder().encodeToString(hash).equals(tags.get("bh"))) {
            return false;
        }
        var signed = new StringBuilder();
        for (var name : tags.getOrDefault("h", "").split(":", -1)) {
            for (int i = fields.size() - 1; i >= 0; i--) {
                if (fields.get(i)
                        .toLowerCase(Locale.ROOT)
                        .startsWith(name.strip().toLowerCase(Locale.ROOT) + ":")) {
                    signed.append(relaxed(fields.remove(i))).append("\r\n");
                    break;
                }
            }
        }
        signed.append(relaxed(signature.substring(0, signature.lastIndexOf("b=") + 2)));
        var key = Base64.getDecoder().decode(tags(dnsRecord).get("p"));
        var rsa = Signature.getInstance("SHA256withRSA");
        rsa.initVerify(KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(key)));
        rsa.update(signed.toString().getBytes(StandardCharsets.ISO_8859_1));
        return rsa.verify(Base64.getDecoder().decode(tags.getOrDefault("b", "")));
    }

    static Map<String, String> tags(String list) {
        var tags = new HashMap<String, String>();
        for (var tag : list.split(";", -1)) {
            int equals = tag.indexOf('=');
            if (equals < 0) {
                continue; // after the last semicolon
            }
            tags.put(tag.substring(0, equals).strip(), tag.substring(equals + 1).replaceAll("\\s", ""));
        }
        return tags;
    }

    private static String relaxed(String field) {
        int colon = field.indexOf(':');
        return field.substring(0, colon).strip().toLowerCase(Locale.ROOT) + ":"
                + field.substring(colon + 1).replaceAll("[ \t]+", " ").strip();
    }

    private static byte[] body(String body) {
        var lines = new ArrayList<String>();
        for (var line : body.split("\r\n", -1)) {
            lines.add(line.replaceAll("[ \t]+", " ").replaceAll(" $", ""));
        }
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        var text = lines.isEmpty() ? "" : String.join("\r\n", lines) + "\r\n";
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
