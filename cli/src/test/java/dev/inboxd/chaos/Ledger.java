package dev.inboxd.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What was asked of the service and what it acknowledged. Each line is on the disk before the next step is taken, so
 * that the ledger of a run that was itself cut short can be read.
 */
final class Ledger implements AutoCloseable {
    /** Of which each takes 18 octets or so: beyond what is kept in rows. */
    private static final int LARGE_LINES = 20_000;
    /** What might be lost on its way. */
    private static final List<String> LINE_STARTS = List.of("", ".", "..", " ", "From ", "\u00fcn\u00ef ", "\t", "--");

    private final FileChannel file;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Deed, Boolean> deeds = new ConcurrentHashMap<>();

    /** A deed whose effect is looked for afterwards. */
    sealed interface Deed {}

    /**
     * A mail from outside.
     *
     * @param recipients each shall have it exactly once
     */
    record Mail(int number, List<String> recipients) implements Deed {
        Mail {
            recipients = List.copyOf(recipients);
        }

        /** What tells it from all other mails. */
        String subject() {
            return "chaos " + number;
        }

        /** Whether it is beyond what is kept in rows. */
        boolean isLarge() {
            return number % 40 == 0;
        }

        /** What it says, in lines that end in LF. That depends on its number alone, and no other says the same. */
        String text() {
            StringBuilder text = new StringBuilder("From: Load <load@elsewhere.test>\nTo: " + recipients.getFirst()
                    + "\nSubject: " + subject() + "\nMessage-ID: " + name() + "\n\n");
            Random random = new Random(number);
            int lines = isLarge() ? LARGE_LINES : 1 + random.nextInt(20);
            for (int i = 0; i < lines; i++) {
                String start = LINE_STARTS.get(random.nextInt(LINE_STARTS.size()));
                text.append(start)
                        .append(Long.toString(random.nextLong(), Character.MAX_RADIX))
                        .append('\n');
            }
            return text.toString();
        }

        /** As its client sends it, before dots are doubled. */
        byte[] octets() {
            return text().replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        }

        /** Its Message-ID, which is also its public id. */
        String name() {
            return "<" + number + "@elsewhere.test>";
        }
    }

    /** An inbox that shall exist exactly once. */
    record Inbox(String clientId) implements Deed {}

    /**
     * A display name given to an inbox by its only writer; names count upwards, so that an older one found later is a
     * loss.
     */
    record Rename(String inbox, int version) implements Deed {}

    /** A label put on a message that was acknowledged before. */
    record Relabel(String inbox, String message, String label) implements Deed {}

    /**
     * A mail sent by an agent.
     *
     * @param local a recipient on this server, who shall have it exactly once, a little later
     */
    record Send(String subject, String local) implements Deed {}

    Ledger(Path path) {
        try {
            file = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A number that no other deed has. */
    int next() {
        return numbers.incrementAndGet();
    }

    /** Before it is asked for. */
    void intend(Deed deed) {
        deeds.put(deed, false);
        append("intend " + deed);
    }

    /** When the service has said yes. */
    void acknowledge(Deed deed) {
        append("acknowledged " + deed);
        deeds.put(deed, true);
    }

    /** What is promised by now; what is being asked meanwhile may come true or not. */
    Set<Deed> acknowledged() {
        Set<Deed> acknowledged = ConcurrentHashMap.newKeySet();
        deeds.forEach((deed, yes) -> {
            if (yes) {
                acknowledged.add(deed);
            }
        });
        return acknowledged;
    }

    /** How many mails from outside are promised by now. */
    long mails() {
        return acknowledged().stream().filter(Mail.class::isInstance).count();
    }

    /** Everything that was ever asked for. */
    Set<Deed> intended() {
        return Set.copyOf(deeds.keySet());
    }

    private synchronized void append(String line) {
        try {
            file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
