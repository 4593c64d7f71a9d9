package dev.inboxd.mail.smtp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of one RCPT command: NOTIFY and ORCPT (RFC 3461). Each may occur once. */
final class RecipientParameters {
    private String conditions = "";
    private String orcpt = "";

    RecipientDsn dsn() {
        return new RecipientDsn(conditions, orcpt);
    }

    /**
     * Parses all parameters.
     *
     * @return null when all are valid, else the refusal
     */
    @Nullable
    SmtpReply read(String text) {
        return MailParameters.read(text, this::take);
    }

    private @Nullable SmtpReply take(String keyword, String value) {
        return switch (keyword) {
            case "NOTIFY" -> {
                boolean first = conditions.isEmpty();
                conditions = conditions(value.toUpperCase(Locale.ROOT));
                yield first && !conditions.isEmpty() ? null : MailParameters.BAD;
            }
            case "ORCPT" -> {
                boolean first = orcpt.isEmpty();
                orcpt = value;
                yield first && isAddress(value) ? null : MailParameters.BAD;
            }
            default -> MailParameters.UNKNOWN;
        };
    }

    /** RFC 3461 §4.1: NEVER alone, or a list of the others; empty when it is neither. */
    private static String conditions(String value) {
        if (value.equals(RecipientDsn.Notify.NEVER.name())) {
            return value;
        }
        Set<String> words = new LinkedHashSet<>(List.of(value.split(",", -1)));
        boolean valid = words.stream()
                .allMatch(word -> word.equals(RecipientDsn.Notify.SUCCESS.name())
                        || word.equals(RecipientDsn.Notify.FAILURE.name())
                        || word.equals(RecipientDsn.Notify.DELAY.name()));
        return valid ? String.join(",", words) : "";
    }

    /** RFC 3461 §4.2: an atom, a semicolon, and xtext; RFC 6533 §3 adds a type with UTF-8 addresses. */
    private static boolean isAddress(String value) {
        int semicolon = value.indexOf(';');
        if (semicolon < 1 || value.length() > RecipientDsn.LONGEST_ORCPT) {
            return false;
        }
        String type = value.substring(0, semicolon);
        String address = value.substring(semicolon + 1);
        boolean atom = type.chars().allMatch(c -> c < 0x80 && SmtpPath.isAtext((char) c));
        return atom && Xtext.decode(type.equalsIgnoreCase("utf-8") ? RecipientDsn.ascii(address) : address) != null;
    }
}
