package dev.inboxd.sandbox.person;

import dev.inboxd.mail.address.AddrSpec;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The people below sandbox.test: their local part says what they do. */
final class SandboxAddress {
    private static final String DOMAIN = "sandbox.test";
    private static final String MINUTE = "PT1M";

    private SandboxAddress() {}

    /** Whether mail to that address is for one of them. */
    static boolean isOne(AddrSpec address) {
        String domain = address.domain().toLowerCase(Locale.ROOT);
        return domain.equals(DOMAIN) || domain.endsWith("." + DOMAIN);
    }

    /** What mail to one of them meets. */
    static Step step(AddrSpec address) {
        return StepMember.of(json(address.withoutDetail().localPart().toLowerCase(Locale.ROOT)));
    }

    private static String json(String local) {
        int dash = local.lastIndexOf('-');
        String delay = dash < 0 ? null : duration(local.substring(dash + 1));
        String name = delay == null ? local : local.substring(0, dash);
        String after = delay == null ? MINUTE : delay;
        return switch (name) {
            case "bounce" -> "{\"answer\":\"bounce\"}";
            case "full" -> """
                    {"answer":"delay","code":452,"enhanced":"4.2.2","text":"The mailbox is full"}""";
            case "delay" -> delay == null ? "{\"answer\":\"delay\"}" : """
                    {"answer":"delay","for":"%s"}""".formatted(delay);
            case "bounce-later" -> does(ReactionKind.BOUNCE, after);
            case "complain" -> does(ReactionKind.COMPLAIN, after);
            case "out-of-office" -> does(ReactionKind.OUT_OF_OFFICE, after);
            case "reply" -> """
                    {"then":[{"do":"reply","after":"%s","text":"Thank you, received."}]}""".formatted(after);
            case "open" -> does(ReactionKind.OPEN, after);
            case "accept-invitation" -> does(ReactionKind.ACCEPT, after);
            case "decline-invitation" -> does(ReactionKind.DECLINE, after);
            case "unsubscribe" -> does(ReactionKind.UNSUBSCRIBE, after);
            default -> bounce(local);
        };
    }

    /** A bounce with a status of its own, or nothing in particular. */
    private static String bounce(String local) {
        String status = local.startsWith("bounce-5.") ? local.substring("bounce-".length()) : "";
        return isStatus(status) ? """
                {"answer":"bounce","enhanced":"%s"}""".formatted(status) : "{}";
    }

    private static boolean isStatus(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) {
            return false;
        }
        for (String part : parts) {
            if (part.isEmpty() || part.length() > 3 || !isNumber(part)) {
                return false;
            }
        }
        return true;
    }

    private static String does(ReactionKind kind, String after) {
        return """
                {"then":[{"do":"%s","after":"%s"}]}""".formatted(kind.wireName(), after);
    }

    /** The duration of a suffix such as 30s, or null. */
    private static @Nullable String duration(String suffix) {
        int last = suffix.length() - 1;
        if (last < 1 || last > 6 || !isNumber(suffix.substring(0, last))) {
            return null;
        }
        int count = Integer.parseInt(suffix.substring(0, last));
        return switch (suffix.charAt(last)) {
            case 's' -> bounded(count, 1, "PT" + count + "S");
            case 'm' -> bounded(count, 60, "PT" + count + "M");
            case 'h' -> bounded(count, 3_600, "PT" + count + "H");
            case 'd' -> bounded(count, 86_400, "P" + count + "D");
            default -> null;
        };
    }

    private static @Nullable String bounded(long count, long seconds, String text) {
        return count == 0 || count * seconds > 400L * 86_400 ? null : text;
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
