package dev.inboxd.mail.reply;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a mail is in a conversation: it decides what a header block within the mail begins. */
public enum MailKind {
    /** An answer: a header block begins a quotation. */
    ANSWER,
    /** New mail, or a forward: a header block belongs to what is forwarded. */
    STANDALONE,
    /** A report of a mail system, which has no quotations. */
    REPORT;

    private static final int LONGEST_PREFIX = 8;
    private static final Set<String> ANSWERS =
            Set.of("re", "aw", "sv", "antw", "odp", "ynt", "r", "rif", "res", "回复", "回覆", "答复", "ответ");
    private static final Set<String> FORWARDS =
            Set.of("fw", "fwd", "wg", "tr", "rv", "enc", "i", "vs", "vl", "pd", "doorst", "转发", "轉寄", "пересл");

    /**
     * The kind of a mail that is no report.
     *
     * @param refers whether it names earlier mail, in In-Reply-To or References; programs that forward do that, too
     * @param subject null when there is none
     */
    public static MailKind of(boolean refers, @Nullable String subject) {
        String prefix = prefix(subject);
        return !FORWARDS.contains(prefix) && (refers || ANSWERS.contains(prefix)) ? ANSWER : STANDALONE;
    }

    /** What stands before the first colon of a subject, when it is short. */
    private static String prefix(@Nullable String subject) {
        String line = subject == null ? "" : subject.strip().replace('：', ':');
        int colon = line.indexOf(':');
        return colon < 0 || colon > LONGEST_PREFIX
                ? ""
                : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    }
}
