package dev.inboxd.mail.address;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One mailbox of an address field (RFC 5322 §3.4), for display.
 *
 * @param name the display name, decoded and unquoted, without controls but tabs; null when there is none, or none that
 *     can be seen
 * @param address the addr-spec, its domain in lower case, its local part as written
 */
public record MailAddress(@Nullable String name, String address) {
    public MailAddress {
        name = name == null ? null : withoutControls(name);
        address = withLowerCaseDomain(address);
    }

    /**
     * Parses one mailbox, as people and programs write it in requests, and as this service shows it. What stands before
     * a closing {@code <addr>} is the name, whatever it holds: the text is never more than one mailbox. Blanks and
     * invisible characters around it and around the address are no part of it (ruling 130).
     *
     * @param text an address, or a name and an address in angle brackets
     * @throws AddressSyntaxException when there is no address; the message quotes the text and names the fault
     */
    public static MailAddress parse(String text) {
        String mailbox = AddressText.trimmed(text);
        int open = openingBracket(mailbox);
        try {
            if (open < 0 && mailbox.endsWith(">")) {
                throw new AddressSyntaxException("A > needs its <: Name <local-part@domain>");
            }
            String address = open < 0 ? mailbox : mailbox.substring(open + 1, mailbox.length() - 1);
            String name =
                    open < 0 ? null : withoutQuotes(mailbox.substring(0, open).strip());
            return new MailAddress(
                    name, AddrSpec.parse(AddressText.trimmed(address)).toString());
        } catch (AddressSyntaxException fault) {
            throw AddressSyntaxException.in(mailbox, fault);
        }
    }

    /** The address alone of a mailbox as this service shows it. */
    public static String bare(String shown) {
        int open = openingBracket(shown);
        return open < 0 ? shown : shown.substring(open + 1, shown.length() - 1);
    }

    /** The mailboxes among these as they are shown, in order; what no mail can be sent to is left out. */
    public static List<String> shown(List<MailAddress> all) {
        return all.stream()
                .map(MailAddress::mailbox)
                .filter(Objects::nonNull)
                .map(MailAddress::toString)
                .toList();
    }

    /**
     * This mailbox with its address in the plainest spelling, so that every reader finds the address that was
     * authenticated.
     *
     * @return null when it has no address that mail can be sent to
     */
    public @Nullable MailAddress mailbox() {
        try {
            String plain = AddrSpec.parse(address).toString();
            String local = plain.substring(0, plain.lastIndexOf('@') + 1);
            String domain = DomainName.inItsScript(domain());
            return new MailAddress(name, domain == null ? plain : local + domain);
        } catch (AddressSyntaxException unusable) {
            return null;
        }
    }

    /** The part after the last {@code @}, or an empty string for an address without one. */
    public String domain() {
        return address.substring(address.lastIndexOf('@') + 1 + (address.indexOf('@') < 0 ? address.length() : 0));
    }

    /**
     * {@code addr}, {@code Name <addr>} or {@code "Name" <addr>}, the form of the API. A name is quoted when a reader
     * of RFC 5322 §3.4 would not take it for one phrase.
     */
    @Override
    public String toString() {
        return name == null ? address : (isPhrase(name) ? name : quoted(name)) + " <" + address + ">";
    }

    /** RFC 5322 §3.2.5 and §4.1: dots may stand in a phrase, but not at its start. */
    private static boolean isPhrase(String name) {
        return name.charAt(0) != '.' && name.chars().noneMatch(c -> "<>()[],;:@\\\"".indexOf(c) >= 0);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The name in a quoted string (RFC 5322 §3.2.4); any other name is itself. */
    private static String withoutQuotes(String name) {
        if (name.length() < 2 || name.charAt(0) != '"' || !name.endsWith("\"")) {
            return name;
        }
        int last = name.length() - 1;
        StringBuilder content = new StringBuilder(last);
        for (int i = 1; i < last; i++) {
            char c = name.charAt(i);
            if (c == '"' || (c == '\\' && ++i == last)) {
                return name; // the quotes are part of it
            }
            content.append(name.charAt(i));
        }
        return content.toString();
    }

    /**
     * Where the closing {@code <addr>} of a mailbox begins, or -1. The last @ stands before the domain. Before it is a
     * dot-atom or a quoted string, which may contain brackets too.
     */
    private static int openingBracket(String mailbox) {
        int at = mailbox.endsWith(">") ? mailbox.lastIndexOf('@') : -1;
        if (at > 2 && mailbox.charAt(at - 1) == '"') {
            return mailbox.lastIndexOf("<\"", at - 3);
        }
        return mailbox.endsWith(">") ? mailbox.lastIndexOf('<', at < 0 ? mailbox.length() : at) : -1;
    }

    private static @Nullable String withoutControls(String name) {
        String clean = name;
        for (int i = 0; i < clean.length(); i++) {
            if (isControl(clean.charAt(i))) {
                clean = clean.replace(clean.charAt(i), ' ');
            }
        }
        String trimmed = AddressText.trimmed(clean);
        return trimmed.isEmpty() ? null : trimmed;
    }

    private static boolean isControl(char c) {
        return c != '\t' && Character.isISOControl(c);
    }

    private static String withLowerCaseDomain(String address) {
        int domain = address.lastIndexOf('@') + 1;
        for (int i = domain; domain > 0 && i < address.length(); i++) {
            char c = address.charAt(i);
            if ((c >= 'A' && c <= 'Z') || c >= 0x80) {
                return address.substring(0, domain) + address.substring(domain).toLowerCase(Locale.ROOT);
            }
        }
        return address;
    }
}
