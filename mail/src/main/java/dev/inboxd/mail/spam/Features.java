package dev.inboxd.mail.spam;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The features of a message, as hashes: words and pairs of words of its texts, sender, mail program, structure of its
 * HTML, targets of its links, and its {@link SpamRule}s. Each is there once, however often it occurs.
 */
public final class Features {
    /** Maximum number of features; the rest is left out, because people see first what comes first. */
    static final int MOST = 2_048;

    /** Characters read of the text, and of the HTML. */
    private static final int TEXT = 16 * 1024;

    private static final int HTML = 48 * 1024;
    private static final int FIELD = 512;
    private static final int MOST_FIELDS = 100;

    /**
     * Fields that depend on the route of a message rather than its content, and fields of other spam filters, which
     * anyone can forge.
     */
    private static final Set<String> TRACE = Set.of(
            "received",
            "return-path",
            "old-return-path",
            "delivered-to",
            "envelope-to",
            "x-envelope-to",
            "envelope-from",
            "x-envelope-from",
            "x-original-to",
            "authentication-results",
            "received-spf",
            "x-authentication-warning",
            "x-pyzor",
            "status",
            "x-status",
            "x-keywords",
            "x-vm-v5-data",
            "lines",
            "x-uidl",
            "x-mozilla-status",
            "x-mozilla-status2",
            "replied",
            "forwarded",
            "dkim-signature",
            "domainkey-signature");

    /** Characters of an id, a date or a boundary that are examined. */
    private static final int SHAPE = 40;

    private final int[] hashes;

    private Features(int[] hashes) {
        this.hashes = hashes;
    }

    /** Number of features. */
    public int size() {
        return hashes.length;
    }

    /** Passes each feature to the consumer. */
    public void forEach(IntConsumer taker) {
        for (int hash : hashes) {
            taker.accept(hash);
        }
    }

    /** Collects the features of one message. */
    static final class Collector {
        private final Hashes distinct = new Hashes(MOST);
        private final TextTokens tokens = new TextTokens(distinct::add);

        /** Receives the features; for those that the caller finds itself. */
        TextTokens tokens() {
            return tokens;
        }

        /**
         * Adds the features of a message.
         *
         * @return those of its HTML
         */
        HtmlTokens read(ParsedMessage message) {
            tokens.words("subject", text(message.subject(), FIELD));
            people(tokens, "from", message.addresses().from());
            people(tokens, "reply-to", message.addresses().replyTo());
            int recipients =
                    message.addresses().to().size() + message.addresses().cc().size();
            tokens.feature("recipients", String.valueOf(Math.min(3, recipients)));
            fields(tokens, message.headers());
            message.body().attachments().stream().limit(MOST_FIELDS).forEach(part -> attachment(tokens, part));
            tokens.words("", text(message.body().text(), TEXT));
            HtmlTokens html = new HtmlTokens(tokens);
            html.read(text(message.body().html(), HTML));
            return html;
        }

        Features features() {
            return new Features(distinct.toArray());
        }
    }

    private static String text(@Nullable String text, int most) {
        return text == null ? "" : text.length() > most ? text.substring(0, most) : text;
    }

    private static void people(TextTokens tokens, String field, List<MailAddress> people) {
        people.stream().limit(3).forEach(mailbox -> {
            tokens.words(field, text(mailbox.name(), FIELD));
            tokens.feature(field, mailbox.address());
            tokens.domain(field, mailbox.domain());
        });
    }

    /** Adds the traces of the mail program: the fields and their order, and the form of ids, dates and boundaries. */
    private static void fields(TextTokens tokens, List<HeaderField> fields) {
        String before = "";
        int left = MOST_FIELDS;
        for (HeaderField field : fields) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (TRACE.contains(name) || name.startsWith("x-spam") || name.startsWith("arc-")) {
                continue;
            }
            if (left-- == 0) {
                return;
            }
            tokens.asWritten("field", field.name());
            tokens.asWritten(before, field.name());
            before = field.name();
            field(tokens, name, text(field.value(), FIELD));
        }
    }

    private static void field(TextTokens tokens, String name, String value) {
        switch (name) {
            case "x-mailer",
                    "user-agent",
                    "list-id",
                    "precedence",
                    "organization",
                    "mime-version",
                    "content-transfer-encoding",
                    "x-priority",
                    "x-msmail-priority",
                    "importance" -> tokens.words(name, value);
            case "message-id", "date" -> tokens.asWritten(name, shape(value));
            case "content-type" -> {
                int boundary = value.toLowerCase(Locale.ROOT).indexOf("boundary");
                tokens.words(name, boundary < 0 ? value : value.substring(0, boundary));
                if (boundary >= 0) {
                    tokens.asWritten("boundary", shape(value.substring(boundary)));
                }
            }
            default -> {}
        }
    }

    /** The form of a value: a run of digits becomes 0, of letters a, of capitals A; the rest is unchanged. */
    private static String shape(String value) {
        StringBuilder shape = new StringBuilder();
        for (int i = 0; i < value.length() && shape.length() < SHAPE; i++) {
            char c = value.charAt(i);
            char kind = Character.isDigit(c) ? '0' : Character.isUpperCase(c) ? 'A' : Character.isLetter(c) ? 'a' : c;
            if (shape.isEmpty() || shape.charAt(shape.length() - 1) != kind) {
                shape.append(kind);
            }
        }
        return shape.toString();
    }

    private static void attachment(TextTokens tokens, AttachmentPart part) {
        tokens.feature("attachment", part.mediaType());
        String name = part.filename();
        if (name != null) {
            tokens.feature(
                    "extension", name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        }
    }

    /** A set of ints of fixed capacity. */
    private static final class Hashes {
        private final int[] table;
        private final int most;
        private int size;
        private boolean zero;

        Hashes(int most) {
            this.most = most;
            this.table = new int[2 * most];
        }

        void add(int hash) {
            if (hash == 0) {
                zero = true;
                return;
            }
            int at = hash & (table.length - 1);
            while (table[at] != 0 && table[at] != hash) {
                at = (at + 1) & (table.length - 1);
            }
            if (table[at] == 0 && size < most) {
                table[at] = hash;
                size++;
            }
        }

        int[] toArray() {
            int[] all = new int[size + (zero ? 1 : 0)];
            int next = 0;
            for (int hash : table) {
                if (hash != 0) {
                    all[next++] = hash;
                }
            }
            return all;
        }
    }
}
