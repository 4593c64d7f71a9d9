package dev.inboxd.mail.report;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bounce in words. Servers that do not write RFC 3464 all say the same in some order: that a message was not
 * delivered, to which recipients, and the reply of the other server. So this class finds addresses by their place in
 * the text, and codes and words near them, and knows no particular servers.
 */
final class Notice {
    private static final int MOST = 100;
    /** Maximum number of lines of text about one recipient. */
    private static final int MAX_LINES = 12;

    private static final int MAX_SEGMENT = 4_000;
    private static final List<String> MACHINES = List.of(
            "mailer-daemon",
            "mailerdaemon",
            "postmaster",
            "mail delivery",
            "mail-daemon",
            "mdaemon",
            "mail administrator",
            "system administrator",
            "delivery subsystem",
            "mailer daemon",
            "no-reply",
            "noreply");

    private final ParsedMessage message;
    private final List<String> lines;
    private final String own;
    private final String said;
    private final DsnAction action;
    private @Nullable EnhancedStatus overallStatus;
    private boolean read;

    /** Places of an address, the best first. */
    private enum Place {
        AT_START,
        AFTER_WORD,
        WITHIN
    }

    /**
     * A notice.
     *
     * @param lines its text before the quoted message
     */
    Notice(ParsedMessage message, List<String> lines) {
        this.message = message;
        this.lines = lines;
        this.own = String.join("\n", lines);
        this.said = NoticePhrases.folded(Objects.requireNonNullElse(message.subject(), "") + "\n" + own);
        // The notice says either that attempts continue, or that they have ended.
        this.action = NoticePhrases.has("delayed", said) && !NoticePhrases.has("final", said)
                ? DsnAction.DELAYED
                : DsnAction.FAILED;
    }

    /** Whether the message is a notice, and no mail or automatic answer (RFC 3834) of a recipient. */
    boolean isOne() {
        String subject = NoticePhrases.folded(Objects.requireNonNullElse(message.subject(), ""));
        boolean byMachine = NoticePhrases.has("subject", subject)
                || MACHINES.stream().anyMatch(NoticePhrases.folded(String.join(" ", field("from")))::contains);
        return !field("x-failed-recipients").isEmpty()
                || (byMachine
                        && (NoticePhrases.has("failed", said)
                                || NoticePhrases.has("delayed", said)
                                || StatusCodes.reply(own) != 0
                                || StatusCodes.enhanced(own) != null));
    }

    private List<String> field(String name) {
        return message.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .toList();
    }

    /**
     * Its recipients, at least one, perhaps without an address.
     *
     * @param to recipients of the reported message, used when the notice names none
     */
    List<RecipientStatus> recipients(List<String> to) {
        Map<String, Integer> addresses = addresses();
        if (addresses.isEmpty()) {
            String only = to.size() == 1 ? to.getFirst() : null;
            return List.of(status(only, ofAll(), own));
        }
        Set<Integer> places = Set.copyOf(addresses.values());
        List<RecipientStatus> recipients = new ArrayList<>();
        addresses.forEach((address, line) -> {
            String segment = line < 0 ? "" : segment(line, places);
            recipients.add(status(address, status(segment), segment));
        });
        return recipients;
    }

    private RecipientStatus status(@Nullable String address, @Nullable EnhancedStatus status, String segment) {
        RecipientStatus recipient =
                new RecipientStatus(address, action, status, new RecipientStatus.Answer(diagnostic(segment), false));
        // Where the lines about the recipient say nothing, those above them may.
        boolean tells = StatusCodes.reply(segment) != 0 || StatusCodes.enhanced(segment) != null;
        boolean refuses = action == DsnAction.FAILED
                && (AddressRefusal.isMeantBy(null, segment, recipient.named())
                        || (!tells && AddressRefusal.isMeantBy(null, own, recipient.named())));
        return recipient.because(status, refuses);
    }

    /** The text about the recipient on a line: up to the next recipient. */
    private String segment(int line, Set<Integer> others) {
        int end = line + 1;
        while (end < lines.size() && end - line < MAX_LINES && !others.contains(end)) {
            end++;
        }
        String segment = String.join("\n", lines.subList(line, end));
        return segment.substring(0, Math.min(segment.length(), MAX_SEGMENT));
    }

    /** The status of one recipient, or else of the whole notice. */
    private @Nullable EnhancedStatus status(String segment) {
        EnhancedStatus status = NoticePhrases.refined(null, segment);
        return status != null && !StatusCodes.isVague(status) ? status : NoticePhrases.explained(status, ofAll());
    }

    /** The status in the whole notice, computed once for all recipients. */
    private @Nullable EnhancedStatus ofAll() {
        if (!read) {
            read = true;
            overallStatus = NoticePhrases.refined(null, own);
            if (overallStatus == null && action == DsnAction.DELAYED) {
                overallStatus = new EnhancedStatus(4, 0, 0);
            } else if (overallStatus == null && NoticePhrases.has("final", said)) {
                overallStatus = new EnhancedStatus(5, 0, 0);
            }
        }
        return overallStatus;
    }

    private static String diagnostic(String segment) {
        return segment.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** The recipients, each with the line of its first mention; below 0 when the header names it. */
    private Map<String, Integer> addresses() {
        Map<String, Integer> named = new LinkedHashMap<>();
        field("x-failed-recipients")
                .forEach(value -> Mentions.addresses(value, MOST).forEach(address -> named.putIfAbsent(address, -1)));
        Map<Place, Map<String, Integer>> places = places();
        if (!named.isEmpty()) {
            places.values()
                    .forEach(place -> place.forEach((address, line) ->
                            named.computeIfPresent(address, (_, earlier) -> earlier < 0 ? line : earlier)));
            return named;
        }
        Set<String> aside = aside();
        for (boolean all : new boolean[] {false, true}) {
            for (Place place : Place.values()) {
                Map<String, Integer> recipients = new LinkedHashMap<>(Objects.requireNonNull(places.get(place)));
                recipients.keySet().removeIf(address -> !all && aside.contains(address));
                if (!recipients.isEmpty()) {
                    return recipients;
                }
            }
        }
        return Map.of();
    }

    /** Addresses of the notice's sender and receiver, which are seldom the failed recipient. */
    private Set<String> aside() {
        Set<String> aside = new LinkedHashSet<>();
        message.addresses().to().stream().map(MailAddress::address).forEach(aside::add);
        message.addresses().from().stream().map(MailAddress::address).forEach(aside::add);
        return aside;
    }

    private Map<Place, Map<String, Integer>> places() {
        Map<Place, Map<String, Integer>> places = new LinkedHashMap<>();
        for (Place place : Place.values()) {
            places.put(place, new LinkedHashMap<>());
        }
        int count = 0;
        for (int i = 0; i < lines.size() && count < MOST; i++) {
            String line = lines.get(i);
            if (line.indexOf('@') < 0 || isOfTheSender(line)) {
                continue;
            }
            for (Mentions.Mention mention : Mentions.in(line, MOST - count)) {
                Objects.requireNonNull(places.get(place(line, mention))).putIfAbsent(mention.address(), i);
                count++;
            }
        }
        return places;
    }

    /** Whether the line names the sender of the message, or an id. */
    private static boolean isOfTheSender(String line) {
        String start = NoticePhrases.folded(line).strip();
        return List.of(
                        "from:",
                        "from ",
                        "sender",
                        "original sender",
                        "reply-to",
                        "return-path",
                        "message-id",
                        "received",
                        "mail from",
                        ">>> mail from",
                        "message id",
                        "references",
                        "in-reply-to",
                        "x-postfix-sender",
                        "delivered-to",
                        "by ",
                        "id ",
                        "for further assistance",
                        "for more information")
                .stream()
                .anyMatch(start::startsWith);
    }

    private static Place place(String line, Mentions.Mention mention) {
        String before = NoticePhrases.folded(line.substring(0, mention.start()));
        int end = before.length();
        while (end > 0 && " <\"'`([*>#-\u2022;".indexOf(before.charAt(end - 1)) >= 0) {
            end--;
        }
        String words = before.substring(0, end).strip();
        if (words.isEmpty() || isNumber(words)) {
            return Place.AT_START;
        }
        if (words.startsWith("<")) { // <<< 550 5.1.1 <address>
            return Place.AFTER_WORD;
        }
        boolean labelled = words.endsWith(":") || words.endsWith("=");
        int space = words.lastIndexOf(' ');
        String last = words.substring(space + 1);
        return labelled || NoticePhrases.is("about", last) ? Place.AFTER_WORD : Place.WITHIN;
    }

    private static boolean isNumber(String words) {
        return words.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.' || c == ')' || c == ' ');
    }
}
