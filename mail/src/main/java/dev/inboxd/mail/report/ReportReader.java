package dev.inboxd.mail.report;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.Body;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Detects reports and parses them. */
public final class ReportReader {
    private static final Set<String> STATUS = Set.of("message/delivery-status", "message/global-delivery-status");
    private static final String FEEDBACK = "message/feedback-report";
    private static final Set<String> ORIGINAL = Set.of(
            "message/rfc822",
            "text/rfc822-headers",
            "message/global",
            "message/global-headers",
            "message/rfc822-headers");
    private static final int MAX_PART = 128 * 1024;
    /**
     * Maximum number of parts opened. A report has a status or feedback, and a copy of the message; each may be read
     * twice.
     */
    private static final int MOST_OPENED = 6;

    private static final int MAX_TEXT = 64 * 1024;
    private static final int MAX_LINES = 2_000;
    private static final int MOST = 100;

    private final ParsedMessage message;
    private final Parts parts;
    private int opened;

    private ReportReader(ParsedMessage message, Parts parts) {
        this.message = message;
        this.parts = parts;
    }

    /** Opens the parts of the message. */
    @FunctionalInterface
    public interface Parts {
        /**
         * Opens one part, decoded; the reader closes it.
         *
         * @param index an {@link AttachmentPart#index}
         */
        InputStream open(int index) throws IOException;
    }

    /** Whether the message declares itself a report; examines only its parts. */
    public static boolean isDeclared(ParsedMessage message) {
        return message.body().attachments().stream()
                .anyMatch(part ->
                        STATUS.contains(part.mediaType()) || part.mediaType().equals(FEEDBACK));
    }

    /** Whether the message declares itself a feedback report. */
    public static boolean isFeedback(ParsedMessage message) {
        return message.body().attachments().stream()
                .anyMatch(part -> part.mediaType().equals(FEEDBACK));
    }

    /**
     * Parses a message that may be a report: by its fields (RFC 3464 §2, RFC 5965 §3), or by its words when it has
     * none.
     *
     * @param message the parsed message
     * @param parts opens a part of the same message; called six times at most
     * @return empty for every other message, such as people's automatic answers
     * @throws UncheckedIOException when a part cannot be read
     */
    public static Optional<Report> read(ParsedMessage message, Parts parts) {
        try {
            return Optional.ofNullable(new ReportReader(message, parts).read());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * The original message of a report: much cheaper than parsing the whole report.
     *
     * @param message the parsed message
     * @param parts opens a part of the same message
     * @return what the report quotes of it; without an id, a path and recipients when it quotes nothing
     * @throws UncheckedIOException when a part cannot be read
     */
    public static ReportedMessage original(ParsedMessage message, Parts parts) {
        try {
            return new ReportReader(message, parts).original(Text.of(message.body()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The recipients that the text of a notice names, whatever else it contains. */
    static Optional<List<RecipientStatus>> words(ParsedMessage message) {
        Notice notice = new Notice(message, Text.of(message.body()).own);
        return notice.isOne() ? Optional.of(notice.recipients(List.of())) : Optional.empty();
    }

    private @Nullable Report read() throws IOException {
        Text text = Text.of(message.body());
        ReportedMessage original = original(text);
        for (AttachmentPart part : message.body().attachments()) {
            if (part.mediaType().equals(FEEDBACK)) {
                return feedback(ReportFields.merged(text(part)), original);
            }
        }
        if (original.isOfProvider()) {
            return new Report.Feedback("abuse", original.to(), original);
        }
        List<RecipientStatus> written = new ArrayList<>();
        boolean declared = false;
        for (AttachmentPart part : message.body().attachments()) {
            if (STATUS.contains(part.mediaType()) && written.size() < MOST) {
                declared = true;
                written.addAll(StatusPart.recipients(text(part), MOST - written.size()));
            }
        }
        if (written.stream().anyMatch(status -> status.address() != null)) {
            return new Report.Delivery(atRcpt(explained(written, text), text), original);
        }
        Notice notice = new Notice(message, text.own);
        return declared || notice.isOne()
                ? new Report.Delivery(atRcpt(notice.recipients(original.to()), text), original)
                : null;
    }

    /** Completes statuses without a reason from the text above them. */
    private static List<RecipientStatus> explained(List<RecipientStatus> written, Text text) {
        if (written.stream().noneMatch(ReportReader::isUnexplained)) {
            return written;
        }
        String own = String.join("\n", text.own);
        EnhancedStatus telling = NoticePhrases.refined(null, own);
        return written.stream()
                .map(recipient -> isUnexplained(recipient)
                        ? recipient.because(
                                NoticePhrases.explained(recipient.status(), telling),
                                recipient.refusesAddress() || isRefusedBy(recipient, own))
                        : recipient)
                .toList();
    }

    /** Whether the text above a report without a reply says that the address was refused. */
    private static boolean isRefusedBy(RecipientStatus recipient, String text) {
        return recipient.action() == DsnAction.FAILED
                && StatusCodes.reply(recipient.diagnostic()) == 0
                && AddressRefusal.isMeantBy(recipient.status(), text, recipient.named());
    }

    /** No address is refused where the text says that another command was. */
    private static List<RecipientStatus> atRcpt(List<RecipientStatus> all, Text text) {
        boolean refuses = all.stream().anyMatch(RecipientStatus::refusesAddress);
        return refuses && AddressRefusal.isOfAnotherCommand(String.join("\n", text.own))
                ? all.stream()
                        .map(recipient -> recipient.because(recipient.status(), false))
                        .toList()
                : all;
    }

    private static boolean isUnexplained(RecipientStatus recipient) {
        boolean bad = recipient.action() == DsnAction.FAILED || recipient.action() == DsnAction.DELAYED;
        return bad && (recipient.status() == null || StatusCodes.isVague(recipient.status()));
    }

    private static Report.Feedback feedback(ReportFields fields, ReportedMessage original) {
        List<String> recipients = new ArrayList<>();
        fields.all("original-rcpt-to", "removal-recipient")
                .forEach(value -> recipients.addAll(Mentions.addresses(value, 1)));
        return new Report.Feedback(
                Objects.requireNonNullElse(fields.first("feedback-type"), "other"),
                recipients.stream().distinct().limit(MOST).toList(),
                original);
    }

    /** The reported message: a part of its own, or the end of the text. */
    private ReportedMessage original(Text text) throws IOException {
        ReportedMessage reported = ReportedMessage.UNKNOWN;
        for (AttachmentPart part : message.body().attachments()) {
            if (part.mediaType().equals(FEEDBACK)) {
                reported = mailFrom(ReportFields.merged(text(part))).or(reported);
            } else if (ORIGINAL.contains(part.mediaType()) && reported.messageId() == null) {
                reported = reported.or(QuotedOriginal.original(text(part)));
            }
        }
        return reported.or(text.copy.isEmpty() ? ReportedMessage.UNKNOWN : QuotedOriginal.original(text.copy));
    }

    private static ReportedMessage mailFrom(ReportFields feedback) {
        String field = Objects.requireNonNullElse(feedback.first("original-mail-from"), "");
        return new ReportedMessage(
                null, Mentions.addresses(field, 1).stream().findFirst().orElse(null), List.of(), false);
    }

    /**
     * The text of a part. Each call reads the mail from its first octet, so there are few calls. Characters that the
     * database cannot store are replaced.
     */
    private String text(AttachmentPart part) throws IOException {
        if (opened++ >= MOST_OPENED) {
            return "";
        }
        try (InputStream in = parts.open(part.index())) {
            return new String(in.readNBytes(MAX_PART), StandardCharsets.UTF_8).replace('\0', '\uFFFD');
        }
    }

    /** The text of a notice, split where its quote begins. */
    private record Text(List<String> own, String copy) {
        static Text of(Body body) {
            String text = body.text();
            if (text == null) {
                text = body.html() == null ? "" : HtmlText.render(body.html());
            }
            text = text.substring(0, Math.min(text.length(), MAX_TEXT)).replace("\r", "");
            List<String> lines = text.lines().limit(MAX_LINES).toList();
            int copy = QuotedOriginal.start(lines, text);
            return new Text(text.substring(0, copy).lines().limit(MAX_LINES).toList(), text.substring(copy));
        }
    }
}
