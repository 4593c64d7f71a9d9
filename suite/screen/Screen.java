import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.screen.MailScreen;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.screening.ScreenSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Measures the screen, and holds the figures against {@code figures.txt}. */
public final class Screen {
    private static final int ROUNDS = 12;

    private final Collections collections;
    private final Path ham;
    private final Path corpora;
    private final boolean verbose;
    private final Map<String, Double> figures = new LinkedHashMap<>();

    private Screen(Path own, Path ham, Path corpora, boolean verbose) {
        collections = new Collections(own, corpora);
        this.ham = ham;
        this.corpora = corpora;
        this.verbose = verbose;
    }

    /** Arguments: the folder of this suite, that of the labelled mail, and that of the collections of others. */
    public static void main(String[] arguments) throws IOException {
        Path own = Path.of(arguments[0]);
        Screen screen = new Screen(own, Path.of(arguments[1]), Path.of(arguments[2]), arguments.length > 3);
        System.out.println(MailScreen.MODEL);
        screen.detection();
        screen.falseAlarms();
        screen.cost();
        screen.compare(own.resolve("figures.txt"));
    }

    private void detection() throws IOException {
        List<Attack> attacks = collections.attacks();
        List<String> mails = collections.plainMails();
        Map<Attack, Boolean> found = new LinkedHashMap<>();
        for (int i = 0; i < attacks.size(); i++) {
            found.put(
                    attacks.get(i),
                    isReviewed(
                            setInto(mails.get(i % mails.size()), attacks.get(i).text(), i % 3)));
        }
        System.out.println("detection, the half that is not looked at:");
        sources(found, true);
        System.out.println("detection, the half that was looked at while the rules were written:");
        sources(found, false);
        System.out.println("detection by kind or language, both halves (held / seen):");
        Map<String, int[]> groups = new TreeMap<>();
        found.forEach((attack, isFound) -> {
            int[] counts = groups.computeIfAbsent(attack.source() + ": " + attack.group(), _ -> new int[4]);
            int at = attack.isHeld() ? 0 : 2;
            counts[at] += isFound ? 1 : 0;
            counts[at + 1]++;
        });
        groups.forEach((group, counts) -> System.out.printf(
                "  %-60s %3d of %3d / %3d of %3d%n", group, counts[0], counts[1], counts[2], counts[3]));
    }

    private void sources(Map<Attack, Boolean> found, boolean held) {
        String half = held ? "held " : "seen ";
        for (String source : List.of("purplellama", "bipia", "own", "bipia, harmless")) {
            share(
                    half + source,
                    found,
                    attack -> attack.isHeld() == held && attack.source().equals(source));
        }
        share(
                half + "purplellama security",
                found,
                attack -> attack.isHeld() == held && attack.source().equals("purplellama") && attack.severe());
    }

    private void share(String name, Map<Attack, Boolean> found, Predicate<Attack> which) {
        long all = found.keySet().stream().filter(which).count();
        long reviewed = found.entrySet().stream()
                .filter(one -> which.test(one.getKey()) && one.getValue())
                .count();
        report(name, reviewed, all);
    }

    private void report(String name, long count, long all) {
        if (all == 0) {
            System.out.printf("  %-30s not here%n", name);
            return;
        }
        figures.put(name, 100.0 * count / all);
        System.out.printf(Locale.ROOT, "  %-30s %5d of %5d  %6.2f %%%n", name, count, all, 100.0 * count / all);
    }

    /** Sets a text into a mail: before it, behind its middle, or behind it. */
    private static String setInto(String mail, String text, int place) {
        int middle = mail.indexOf('\n', mail.length() / 2);
        return switch (middle < 0 && place == 1 ? 2 : place) {
            case 0 -> text + "\n\n" + mail;
            case 1 -> mail.substring(0, middle) + "\n\n" + text + "\n\n" + mail.substring(middle);
            default -> mail + "\n\n" + text;
        };
    }

    private static boolean isReviewed(String text) {
        return MailScreen.judge(new ScreenInput("Your account", "Ann", text, null, List.of(), List.of(), ""))
                .review();
    }

    private void falseAlarms() throws IOException {
        System.out.println("false alarms:");
        texts("false notinject", collections.notInject());
        texts("false own", collections.harmless());
        if (collections.haveOthers()) {
            texts("false bipia", collections.plainMails());
        }
        for (String folder : List.of("replies", "bounces", "mime")) {
            mails("false " + folder, Collections.mails(corpora.resolve(folder)));
        }
        List<Path> labelled = new ArrayList<>();
        for (String folder : List.of("easy-ham-1", "easy-ham-2", "hard-ham-1")) {
            labelled.addAll(Collections.mails(ham.resolve(folder)));
        }
        mails("false spamassassin", labelled);
    }

    private void texts(String name, List<String> texts) {
        List<String> reviewed = texts.stream().filter(Screen::isReviewed).toList();
        tell(reviewed);
        report(name, reviewed.size(), texts.size());
    }

    private void mails(String name, List<Path> files) throws IOException {
        List<String> reviewed = new ArrayList<>();
        for (Path file : files) {
            ScreenVerdict verdict = judged(octets(file));
            if (verdict.review()) {
                reviewed.add(file + " " + verdict.reasons());
            }
        }
        tell(reviewed);
        report(name, reviewed.size(), files.size());
    }

    private void tell(List<String> reviewed) {
        if (verbose) {
            reviewed.forEach(one -> System.out.println("    " + one));
        }
    }

    private static byte[] octets(Path file) throws IOException {
        byte[] octets = Files.readAllBytes(file);
        int start = 0;
        if (octets.length > 5 && new String(octets, 0, 5, StandardCharsets.ISO_8859_1).equals("From ")) {
            while (start < octets.length && octets[start] != '\n') {
                start++;
            }
            start++;
        }
        return Arrays.copyOfRange(octets, Math.min(start, octets.length), octets.length);
    }

    private static ParsedMessage parse(byte[] octets) {
        return MessageParser.parse(new ByteArrayInputStream(octets));
    }

    /** What the service gives the screen. */
    private static ScreenInput input(ParsedMessage message, byte[] octets) {
        try {
            return ScreenSource.of(message, () -> new ByteArrayInputStream(octets));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ScreenVerdict judged(byte[] octets) {
        return MailScreen.judge(input(parse(octets), octets));
    }

    /** Processor time of parsing mails of about 4 KB and of judging them, in the best of several rounds. */
    private void cost() throws IOException {
        List<byte[]> mails = new ArrayList<>();
        for (String folder : List.of("easy-ham-1", "hard-ham-1")) {
            for (Path file : Collections.mails(ham.resolve(folder))) {
                byte[] octets = octets(file);
                if (octets.length > 3_500 && octets.length < 4_700) {
                    mails.add(octets);
                }
            }
        }
        long parsing = Long.MAX_VALUE;
        long judging = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && !mails.isEmpty(); round++) {
            long start = time();
            List<ParsedMessage> messages = mails.stream().map(Screen::parse).toList();
            long parsed = time();
            long reviewed = 0;
            for (int i = 0; i < mails.size(); i++) {
                reviewed +=
                        MailScreen.judge(input(messages.get(i), mails.get(i))).review() ? 1 : 0;
            }
            parsing = Math.min(parsing, parsed - start);
            judging = Math.min(judging, time() - parsed + reviewed / Integer.MAX_VALUE);
        }
        if (!mails.isEmpty()) {
            double count = 1000.0 * mails.size();
            figures.put("cost", 100.0 * judging / parsing);
            System.out.printf(
                    Locale.ROOT,
                    "cost of %d mails of 4 KB: parsing %.1f us each, judging %.1f us: %.2f times%n",
                    mails.size(),
                    parsing / count,
                    judging / count,
                    (double) judging / parsing);
        }
    }

    private static long time() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void compare(Path table) throws IOException {
        int passed = 0;
        int failed = 0;
        for (String line : Files.readAllLines(table)) {
            int at = line.indexOf(" at ");
            if (line.startsWith("#") || at < 0) {
                continue;
            }
            String name = line.substring(0, at).strip();
            String[] bound = line.substring(at).strip().split(" +", 3);
            Double figure = figures.get(name);
            if (figure == null) {
                System.out.println("not run: " + name);
                continue;
            }
            double limit = Double.parseDouble(bound[2]);
            boolean holds = bound[1].equals("least") ? figure >= limit : figure <= limit;
            System.out.printf(
                    Locale.ROOT, "%s %s: %.2f, at %s %s%n", holds ? "ok" : "FAILED", name, figure, bound[1], bound[2]);
            passed += holds ? 1 : 0;
            failed += holds ? 0 : 1;
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }
}
