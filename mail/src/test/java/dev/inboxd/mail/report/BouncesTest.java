package dev.inboxd.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.PublishedCases;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Real notices of many servers. The rules were made while looking at the first, third, fifth … of them; what the others
 * come to says how they do on notices that nobody has looked at.
 */
class BouncesTest {
    private static final boolean SHOWN = Boolean.getBoolean("test.bounces.shown");
    private static final int FILES = 315;
    private static final Path READ_BY_HAND = Path.of("mail/src/test/resources/bounces.txt");

    @Test
    void atLeastNineOfTenAreUnderstoodInEitherHalf() throws IOException {
        List<Path> files = files();
        for (int half : new int[] {0, 1}) {
            List<Path> some = IntStream.range(0, files.size())
                    .filter(i -> i % 2 == half)
                    .mapToObj(files::get)
                    .toList();
            long understood =
                    some.stream().filter(file -> understood(file, half == 0)).count();
            System.out.println((half == 0 ? "notices looked at: " : "notices not looked at: ") + understood + " of "
                    + some.size() + " understood");
            assertThat(understood * 10).isGreaterThanOrEqualTo(9L * some.size());
        }
    }

    @Test
    void wordsAloneSayWhatTheFieldsSay() throws IOException {
        List<Path> files = files();
        for (int half : new int[] {0, 1}) {
            int[] counts = new int[4];
            for (int i = half; i < files.size(); i += 2) {
                compare(files.get(i), counts, half == 0);
            }
            System.out.println((half == 0 ? "looked at" : "not looked at") + ": by words alone, of " + counts[0]
                    + " recipients named in fields " + counts[1] + " found, of these " + counts[2]
                    + " with the same judgement, " + counts[3] + " with the opposite");
            assertThat(counts[1] * 10).isGreaterThanOrEqualTo(8 * counts[0]);
            assertThat(counts[3] * 8).isLessThanOrEqualTo(counts[1]); // a code can be odder than the words
        }
    }

    /** The other two hold the rules against themselves; here somebody has read what the notices say. */
    @Test
    void nineOfTenNameTheRecipientsAndTheirFateAsSomebodyReadThem() throws IOException {
        files();
        Map<String, Set<String>> read = new TreeMap<>();
        for (String line : Files.readAllLines(READ_BY_HAND)) {
            String[] columns = line.split(" ", 3);
            if (!line.startsWith("#")) {
                read.computeIfAbsent(columns[0], _ -> new TreeSet<>()).add(fate(columns[1], columns[2]));
            }
        }
        List<String> wrong = new ArrayList<>();
        read.forEach((file, fates) -> {
            Optional<Report> report = report(bytes(PublishedCases.file("bounces/" + file)));
            Set<String> found = report.map(BouncesTest::fates).orElse(Set.of());
            if (!found.equals(fates)) {
                wrong.add(file + " says " + fates + ", not " + found);
            }
        });
        System.out.println("notices read by hand: " + (read.size() - wrong.size()) + " of " + read.size() + " right");
        assertThat(read).hasSizeGreaterThan(30);
        assertThat(wrong.size() * 10).as(String.join("\n", wrong)).isLessThanOrEqualTo(read.size());
    }

    /** Every recipient with its fate, and nobody else: a recipient too many is as wrong as one too few. */
    private static Set<String> fates(Report report) {
        Stream<String> fates = switch (report) {
            case Report.Delivery delivery ->
                delivery.recipients().stream().map(each -> fate(String.valueOf(each.address()), fate(each)));
            case Report.Feedback feedback -> feedback.recipients().stream().map(each -> fate(each, feedback.type()));
        };
        return fates.collect(Collectors.toCollection(TreeSet::new));
    }

    private static String fate(String address, String kind) {
        return address.toLowerCase(Locale.ROOT) + " " + kind;
    }

    private static String fate(RecipientStatus status) {
        return status.action() != DsnAction.FAILED
                ? status.action().name().toLowerCase(Locale.ROOT)
                : status.status() == null ? "unknown" : status.status().kind() == 5 ? "permanent" : "transient";
    }

    private static List<Path> files() throws IOException {
        try (var files = Files.list(PublishedCases.file("bounces"))) {
            List<Path> notices = files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList();
            assertThat(notices).as("a share of nothing is no share").hasSize(FILES);
            return notices;
        }
    }

    private static boolean understood(Path file, boolean shown) {
        Optional<Report> report = report(bytes(file));
        boolean understood = report.isPresent()
                && switch (report.get()) {
                    case Report.Delivery delivery ->
                        delivery.recipients().stream().anyMatch(BouncesTest::isTold);
                    case Report.Feedback feedback -> !feedback.type().equals("other");
                };
        if (shown && (SHOWN || !understood)) {
            System.out.println((understood ? "  " : "? ") + file.getFileName() + " "
                    + report.map(BouncesTest::text).orElse("-"));
        }
        return understood;
    }

    private static boolean isTold(RecipientStatus status) {
        return status.address() != null && (status.status() != null || status.action() != DsnAction.FAILED);
    }

    /** Notices with fields are read as if they had none. */
    private static void compare(Path file, int[] counts, boolean shown) {
        byte[] raw = bytes(file);
        ParsedMessage message = MessageParser.parse(new ByteArrayInputStream(raw));
        if (!ReportReader.isDeclared(message) || !(report(raw).orElse(null) instanceof Report.Delivery fields)) {
            return;
        }
        List<RecipientStatus> words = ReportReader.words(message).orElse(List.of());
        for (RecipientStatus one : fields.recipients()) {
            if (one.address() == null || one.status() == null) {
                continue;
            }
            counts[0]++;
            List<RecipientStatus> same = words.stream()
                    .filter(each -> one.address().equalsIgnoreCase(each.address()))
                    .toList();
            counts[1] += same.isEmpty() ? 0 : 1;
            boolean agreed = same.stream().anyMatch(each -> judgement(each).equals(judgement(one)));
            boolean opposed = !agreed && same.stream().anyMatch(each -> each.status() != null);
            counts[2] += agreed ? 1 : 0;
            counts[3] += opposed ? 1 : 0;
            if (shown && !agreed) {
                System.out.println("  " + file.getFileName() + " fields " + text(fields) + " words "
                        + words.stream().map(BouncesTest::text).collect(Collectors.joining(", ")));
            }
        }
    }

    private static String judgement(RecipientStatus status) {
        return status.action() == DsnAction.DELAYED
                ? "delayed"
                : status.status() == null
                        ? "unknown"
                        : String.valueOf(status.status().kind());
    }

    private static String text(Report report) {
        return switch (report) {
            case Report.Delivery delivery ->
                delivery.recipients().stream().map(BouncesTest::text).collect(Collectors.joining(", ")) + " about "
                        + delivery.original().messageId();
            case Report.Feedback feedback ->
                feedback.type() + " " + feedback.recipients() + " "
                        + feedback.original().messageId() + " "
                        + feedback.original().returnPath();
        };
    }

    private static String text(RecipientStatus status) {
        return status.address() + " " + status.action().name().toLowerCase(Locale.ROOT) + " " + status.status();
    }

    private static Optional<Report> report(byte[] raw) {
        return ReportReader.read(
                MessageParser.parse(new ByteArrayInputStream(raw)),
                index -> PartReader.open(new ByteArrayInputStream(raw), index));
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
