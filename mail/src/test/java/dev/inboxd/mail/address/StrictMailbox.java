package dev.inboxd.mail.address;

/**
 * Reads one mailbox by the letter of RFC 5322 §3.4, with characters beyond ASCII (RFC 6532 §3.2) and dots in phrases
 * (RFC 5322 §4.1), as the strictest of other programs would. It shares nothing with the product's own readers.
 *
 * @param name without quotes; empty when there is none
 */
public record StrictMailbox(String name, String address) {
    /** The mailbox of a text, which must be exactly one. */
    public static StrictMailbox of(String text) {
        return new Reader(text).mailbox();
    }

    private static final class Reader {
        private static final String SPECIALS = "()<>[]:;@\\,.\"";

        private final String text;
        private int pos;

        Reader(String text) {
            this.text = text;
        }

        StrictMailbox mailbox() {
            int begin = pos;
            StringBuilder name = new StringBuilder();
            while (pos < text.length() && text.charAt(pos) != '<') {
                char c = text.charAt(pos);
                if (c == '@') {
                    pos = begin;
                    return ended(new StrictMailbox("", address()));
                }
                if (c == '"') {
                    name.append(quotedString());
                } else if (c == ' ' || c == '\t' || (c == '.' && pos > begin) || isAtom(c)) {
                    name.append(c);
                    pos++;
                } else {
                    throw fault();
                }
            }
            if (name.toString().isBlank()) {
                throw fault();
            }
            expect('<');
            String address = address();
            expect('>');
            return ended(new StrictMailbox(name.toString().strip(), address));
        }

        private StrictMailbox ended(StrictMailbox mailbox) {
            if (pos != text.length()) {
                throw fault();
            }
            return mailbox;
        }

        private String address() {
            int begin = pos;
            if (pos < text.length() && text.charAt(pos) == '"') {
                quotedString();
            } else {
                dotAtom();
            }
            expect('@');
            if (pos < text.length() && text.charAt(pos) == '[') {
                pos = text.indexOf(']', pos);
                expect(']');
            } else {
                dotAtom();
            }
            return text.substring(begin, pos);
        }

        private void dotAtom() {
            int begin = pos;
            while (pos < text.length() && (isAtom(text.charAt(pos)) || (text.charAt(pos) == '.' && pos > begin))) {
                pos++;
            }
            if (pos == begin
                    || text.charAt(pos - 1) == '.'
                    || text.substring(begin, pos).contains("..")) {
                throw fault();
            }
        }

        private String quotedString() {
            StringBuilder content = new StringBuilder();
            expect('"');
            while (pos < text.length() && text.charAt(pos) != '"') {
                pos += text.charAt(pos) == '\\' ? 1 : 0;
                if (pos == text.length() || (text.charAt(pos) < ' ' && text.charAt(pos) != '\t')) {
                    throw fault();
                }
                content.append(text.charAt(pos++));
            }
            expect('"');
            return content.toString();
        }

        private void expect(char c) {
            if (pos < 0 || pos >= text.length() || text.charAt(pos) != c) {
                throw fault();
            }
            pos++;
        }

        private static boolean isAtom(char c) {
            return c > ' ' && c != 0x7F && (c < 0x80 || c > 0x9F) && SPECIALS.indexOf(c) < 0;
        }

        private AssertionError fault() {
            return new AssertionError("not one mailbox, at " + pos + ": " + text);
        }
    }
}
