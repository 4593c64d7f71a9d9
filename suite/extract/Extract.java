import dev.inboxd.mail.challenge.Challenge;
import dev.inboxd.mail.challenge.ChallengeText;
import dev.inboxd.mail.challenge.MailBodies;
import dev.inboxd.mail.challenge.MailedCode;
import dev.inboxd.mail.challenge.MailedCodes;
import dev.inboxd.mail.link.MailLink;
import dev.inboxd.mail.reply.ExtractedReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what is found of the codes and links of a labelled collection. */
public final class Extract {
    private static final double LEAST_RIGHT = 0.97;
    private static final int MOST_WRONG = 2;

    private final boolean verbose;
    private final Map<String, int[]> counts = new TreeMap<>();
    private int failed;
    private int passed;

    private enum Outcome {
        RIGHT,
        MISSED,
        WRONG
    }

    private Extract(boolean verbose) {
        this.verbose = verbose;
    }

    /** Arguments: the folder of the mails; {@code --verbose} names those of the open half that are not right. */
    public static void main(String[] arguments) throws IOException {
        Extract extract = new Extract(arguments.length > 1);
        List<LabelledMail> mails = LabelledMail.in(Path.of(arguments[0]));
        mails.forEach(extract::count);
        extract.print(mails.size());
    }

    private void count(LabelledMail mail) {
        Outcome outcome = outcome(mail);
        for (String group : List.of(mail.isHeld() ? "held" : "open", "language " + mail.language(), "all")) {
            counts.computeIfAbsent(group, _ -> new int[Outcome.values().length])[outcome.ordinal()]++;
        }
    }

    private Outcome outcome(LabelledMail mail) {
        String own = mail.html() ? null : ExtractedReply.textOf(mail.body(), null, false);
        ChallengeText text = ChallengeText.of(
                mail.subject(),
                new MailBodies(mail.html() ? null : mail.body(), own, mail.html() ? mail.body() : null, false),
                null);
        List<MailedCode> codes = MailedCodes.in(text);
        List<MailLink> links = text.links();
        String wanted = mail.fields().get("backup");
        Outcome code = wanted != null ? backups(wanted, codes) : code(mail, text, codes);
        Outcome link = link(mail, text, links);
        Outcome outcome = code.compareTo(link) > 0 ? code : link;
        if (verbose && outcome != Outcome.RIGHT && !mail.isHeld()) {
            System.out.printf(
                    "  %-7s %s: wanted %s, found %s, %s%n", outcome, mail.name(), mail.fields(), codes, links);
        }
        return outcome;
    }

    private static Outcome backups(String wanted, List<MailedCode> codes) {
        String found = codes.stream()
                .filter(code -> code.kind() == MailedCode.Kind.BACKUP)
                .map(MailedCode::code)
                .collect(Collectors.joining(" "));
        boolean others = codes.stream().anyMatch(code -> code.kind() != MailedCode.Kind.BACKUP);
        return others
                ? Outcome.WRONG
                : found.equals(wanted) ? Outcome.RIGHT : found.isEmpty() ? Outcome.MISSED : Outcome.WRONG;
    }

    private static Outcome code(LabelledMail mail, ChallengeText text, List<MailedCode> codes) {
        String wanted = mail.fields().getOrDefault("code", "-");
        if (wanted.equals("-")) {
            return codes.isEmpty() ? Outcome.RIGHT : Outcome.WRONG;
        }
        String found = Challenge.CODE.in(text).orElse("-");
        return found.equals(wanted) ? Outcome.RIGHT : found.equals("-") ? Outcome.MISSED : Outcome.WRONG;
    }

    private static Outcome link(LabelledMail mail, ChallengeText text, List<MailLink> links) {
        String wanted = mail.fields().getOrDefault("link", "-");
        String found = Challenge.LINK.in(text).orElse("-");
        if (wanted.equals("-")) {
            return found.equals("-") ? Outcome.RIGHT : Outcome.WRONG;
        }
        String[] target = wanted.split(" ", 2);
        boolean kind = links.isEmpty() || links.getFirst().kind().word().equals(target[1]);
        return found.equals("-") ? Outcome.MISSED : found.equals(target[0]) && kind ? Outcome.RIGHT : Outcome.WRONG;
    }

    private void print(int mails) {
        counts.forEach((group, count) -> System.out.printf(
                Locale.ROOT,
                "%-12s %4d mails, %4d right (%.1f %%), %d missed, %d wrong%n",
                group,
                count[0] + count[1] + count[2],
                count[0],
                100.0 * count[0] / (count[0] + count[1] + count[2]),
                count[1],
                count[2]));
        for (String half : List.of("held", "open")) {
            int[] count = counts.getOrDefault(half, new int[3]);
            check(half + " right", count[0] >= LEAST_RIGHT * (count[0] + count[1] + count[2]));
        }
        check("over 400 mails", mails > 400);
        check("wrong", counts.get("all")[Outcome.WRONG.ordinal()] <= MOST_WRONG);
        System.out.printf("%d passed, %d failed%n", passed, failed);
        System.exit(failed == 0 ? 0 : 1);
    }

    private void check(String what, boolean holds) {
        if (holds) {
            passed++;
        } else {
            failed++;
            System.out.println("not held: " + what);
        }
    }
}
