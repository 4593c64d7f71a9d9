package dev.inboxd.mail.message;

import dev.inboxd.mail.address.AddressHeader;
import dev.inboxd.mail.address.MailAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses a message of any sender (RFC 5322, MIME). Never fails on content; memory and time are bounded for any input.
 */
public final class MessageParser {
    /** Octets at either end of a field in which its ids are looked for. */
    private static final int MOST_IDS = 64 * 1024;

    private final Set<Defect> defects = EnumSet.noneOf(Defect.class);
    private final List<HeaderField> headers = new ArrayList<>(24);
    private final List<MailAddress> from = new ArrayList<>(1);
    private final List<MailAddress> to = new ArrayList<>(1);
    private final List<MailAddress> cc = new ArrayList<>(0);
    private final List<MailAddress> bcc = new ArrayList<>(0);
    private final List<MailAddress> replyTo = new ArrayList<>(0);
    private final List<String> fieldNames = new ArrayList<>(8);
    private @Nullable String subject;
    private @Nullable Instant date;
    private @Nullable String messageId;
    private List<String> inReplyTo = List.of();
    private List<String> references = List.of();

    private MessageParser() {}

    /**
     * Parses a message. Attachments are counted and discarded while reading, so a large message needs little memory.
     *
     * @param raw the message from its first octet; read as far as needed, not closed
     * @return the message, with what was cut or is ambiguous in {@link ParsedMessage#defects}
     * @throws UncheckedIOException when the stream itself fails
     */
    public static ParsedMessage parse(InputStream raw) {
        return parse(raw, MediaTypeCheck.NONE);
    }

    /**
     * Parses a message whose attachments will be shown.
     *
     * @param raw the message from its first octet; read as far as needed, not closed
     * @param check called once for each attachment
     * @throws UncheckedIOException when the stream itself fails
     */
    public static ParsedMessage parse(InputStream raw, MediaTypeCheck check) {
        try {
            return new MessageParser().read(raw, check);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Parses the header of a message whose body is known.
     *
     * @param raw the message from its first octet; read not much further than its header, not closed
     * @param body becomes the body of the result as it is
     * @throws UncheckedIOException when the stream itself fails
     */
    public static ParsedMessage parse(InputStream raw, Body body) {
        try {
            var parser = new MessageParser();
            parser.readHeader(new EntityWalk(raw, parser.defects).header());
            return parser.message(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ParsedMessage read(InputStream raw, MediaTypeCheck check) throws IOException {
        var walk = new EntityWalk(raw, defects);
        var body = new BodyCollector(defects, check);
        while (walk.next()) {
            body.add(walk);
        }
        // The texts say in which charset the sender writes, in the header too.
        var shown = body.body();
        readHeader(walk.header().readIn(body.charset()));
        return message(shown);
    }

    private void readHeader(HeaderBlock header) {
        for (int i = 0; i < header.size(); i++) {
            readField(header, i);
        }
    }

    private ParsedMessage message(Body body) {
        return new ParsedMessage(
                headers, subject, date, new AddressFields(from, to, cc, bcc, replyTo), identification(), body, defects);
    }

    /** What the message says of others: its own id, and a correspondent's address in a sentence, name none. */
    private Identification identification() {
        List<String> parents = inReplyTo;
        if (parents.size() > 1) {
            var addresses = Stream.of(from, to, cc, bcc, replyTo)
                    .flatMap(List::stream)
                    .map(address -> address.address().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            var ids = parents.stream()
                    .filter(id ->
                            !addresses.contains(id.substring(1, id.length() - 1).toLowerCase(Locale.ROOT)))
                    .toList();
            parents = ids.isEmpty() ? parents : ids;
        }
        return new Identification(messageId, others(parents), others(references));
    }

    private List<String> others(List<String> ids) {
        var own = messageId;
        return own == null || !ids.contains(own)
                ? ids
                : ids.stream().filter(id -> !id.equals(own)).toList();
    }

    private void readField(HeaderBlock header, int i) {
        var name = header.name(i);
        var value = header.value(i, defects);
        headers.add(new HeaderField(name, value));
        if (name.length() > 11) {
            return;
        }
        switch (name.toLowerCase(Locale.ROOT)) {
            case "from" -> addAddresses(from, "from", header, i);
            case "to" -> addAddresses(to, "to", header, i);
            case "cc" -> addAddresses(cc, "cc", header, i);
            case "bcc" -> addAddresses(bcc, "bcc", header, i);
            case "reply-to" -> addAddresses(replyTo, "reply-to", header, i);
            case "sender" -> isFirst("sender");
            case "subject" -> subject = isFirst("subject") ? value : subject;
            case "date" -> date = isFirst("date") ? DateTimes.parse(value) : date;
            case "message-id" -> messageId = isFirst("message-id") ? MessageIds.first(ids(header, i)) : messageId;
            case "in-reply-to" -> addParents(header, i);
            case "references" -> references = isFirst("references") ? MessageIds.all(ids(header, i)) : references;
            default -> {}
        }
    }

    /** Every field counts, the first one first (ruling 140): programs that answer several messages write several. */
    private void addParents(HeaderBlock header, int i) {
        isFirst("in-reply-to");
        if (inReplyTo.size() < MessageIds.MAX_IDS) {
            inReplyTo = Stream.concat(inReplyTo.stream(), MessageIds.all(ids(header, i)).stream())
                    .distinct()
                    .limit(MessageIds.MAX_IDS)
                    .toList();
        }
    }

    /** Of a very long field its ends: the first id and the last ones are wanted. */
    private String ids(HeaderBlock header, int i) {
        String raw = header.raw(i);
        int length = raw.length();
        return HeaderText.folded(
                length <= 2 * MOST_IDS ? raw : raw.substring(0, MOST_IDS) + "\r\n " + raw.substring(length - MOST_IDS),
                defects);
    }

    // RFC 5322 §3.6: each of these fields occurs once; receivers disagree on which of two counts.
    private boolean isFirst(String name) {
        if (fieldNames.contains(name)) {
            defects.add(Defect.DUPLICATE_FIELD);
            return false;
        }
        return fieldNames.add(name);
    }

    private void addAddresses(List<MailAddress> addresses, String field, HeaderBlock header, int i) {
        isFirst(field);
        var parsed = AddressField.read(header.octets(i), header.charset(), defects);
        int room = Math.max(0, AddressHeader.MAX_ADDRESSES - addresses.size());
        if (parsed.size() >= room) {
            defects.add(Defect.TOO_MANY_ADDRESSES);
        }
        addresses.addAll(parsed.subList(0, Math.min(room, parsed.size())));
    }
}
