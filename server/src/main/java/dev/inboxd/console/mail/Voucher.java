package dev.inboxd.console.mail;

import dev.inboxd.base.json.JsonTree;

/** Who vouches for the author of a message, in words. */
public final class Voucher {
    private Voucher() {}

    /** Words about the message; empty for one that was sent from here. */
    public static String words(JsonTree message) {
        if (message.texts("labels").contains("sent")) {
            return "";
        }
        JsonTree checks = message.get("authentication");
        if (checks.isEmpty()) {
            return "Sent from this server";
        }
        if (!checks.is("aligned")) {
            return "Unverified sender";
        }
        return checks.list("dkim").stream()
                .filter(signature -> signature.text("result").equals("pass"))
                .findFirst()
                .map(signature -> "Signed by " + signature.text("domain"))
                .orElseGet(() -> "Sent by a server of " + checks.get("spf").text("domain"));
    }
}
