package dev.inboxd.mail.challenge;

import dev.inboxd.mail.challenge.CodeToken.Shape;
import dev.inboxd.mail.link.MailPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the codes that a mail brings: those that stand alone in a line below words for a code, those that such words
 * name in their line, and those that are to be used or entered to verify or to sign in. A number that no such word is
 * near is none.
 */
public final class MailedCodes {
    private static final int MOST = 10;
    private static final int LONGEST_LINE = 160;
    private static final double LEAST = 0.5;
    private static final double CERTAIN = 0.9;
    private static final double UNCERTAIN = 0.8;
    private static final double BACKUP = 0.9;
    private static final double SURE = 0.7;
    private static final double STEP = 0.01;

    /** Of a code that another one replaces. */
    private static final double REPLACED = 0.55;

    private final Map<String, MailedCode> codesByText = new LinkedHashMap<>();
    private final Map<String, CodeAge> ages = new HashMap<>();

    private MailedCodes() {}

    /** The codes of a mail, the surest first: those that are surer than not, at most 10. */
    public static List<MailedCode> in(ChallengeText mail) {
        MailedCodes codes = new MailedCodes();
        if (mail.html() != null) {
            codes.read(CodeLines.of(mail.title(), mail.html().own()), MailPlace.HTML);
        }
        if (mail.text() != null) {
            codes.read(CodeLines.of(mail.title(), mail.text().own()), MailPlace.TEXT);
        }
        if (mail.html() == null && mail.text() == null) {
            codes.read(CodeLines.of(mail.title(), List.of()), MailPlace.TEXT);
        }
        return codes.ordered();
    }

    private void read(CodeLines lines, MailPlace place) {
        List<BackupCodes.Listing> backups = BackupCodes.in(lines);
        for (BackupCodes.Listing listing : backups) {
            String line = lines.get(listing.from()).text();
            listing.codes()
                    .forEach(code -> add(new MailedCode(
                            code, MailedCode.Kind.BACKUP, BACKUP, place, around(line, 0, line.length()))));
        }
        CodeJudge judge = new CodeJudge(lines);
        for (int i = 0; i < lines.size(); i++) {
            int at = i;
            if (backups.stream().noneMatch(listing -> at >= listing.from() && at < listing.to())) {
                read(lines, at, judge, at == 0 ? MailPlace.SUBJECT : place);
            }
        }
    }

    private void read(CodeLines lines, int at, CodeJudge judge, MailPlace place) {
        CodeLine line = lines.get(at);
        CodeToken alone = line.alone();
        List<CodeToken> tokens = alone == null ? line.tokens() : List.of(alone);
        for (CodeToken token : tokens) {
            if (alone == null && !line.speaks() && !token.isDigits() && token.shape() != Shape.MIXED) {
                continue; // any word
            }
            double sure = judge.of(at, token, alone != null);
            if (sure >= LEAST) {
                boolean bare = token.shape() == Shape.PREFIXED && lines.nameDigits();
                String code = bare ? token.digits() : token.code();
                ages.merge(code, CodeAge.of(lines, at, token, alone != null), MailedCodes::said);
                add(new MailedCode(
                        code, MailedCode.Kind.ONE_TIME, sure, place, around(line.text(), token.start(), token.end())));
            }
        }
    }

    private static CodeAge said(CodeAge first, CodeAge second) {
        return first == CodeAge.UNSAID || second == CodeAge.NEW ? second : first;
    }

    private void add(MailedCode code) {
        codesByText.merge(code.code(), code, MailedCodes::surer);
    }

    /** Letters in front are none of a code that stands somewhere without them. */
    private void joinPrefixed() {
        for (MailedCode code : List.copyOf(codesByText.values())) {
            String bare = code.code().substring(code.code().lastIndexOf('-') + 1);
            MailedCode unprefixed = bare.equals(code.code()) ? null : codesByText.get(bare);
            if (unprefixed != null && code.kind() == unprefixed.kind()) {
                codesByText.remove(code.code());
                codesByText.put(bare, unprefixed.withConfidence(Math.max(code.confidence(), unprefixed.confidence())));
            }
        }
    }

    /** A code that is said to be old counts less where another one is sure, and one that is not said to be new. */
    private void withoutReplaced() {
        for (CodeAge least : List.of(CodeAge.NEW, CodeAge.UNSAID)) {
            boolean replaced = codesByText.values().stream()
                    .anyMatch(code -> code.kind() == MailedCode.Kind.ONE_TIME
                            && code.confidence() >= SURE
                            && age(code).compareTo(least) >= 0);
            if (replaced) {
                codesByText.replaceAll((_, code) -> age(code).compareTo(least) >= 0
                                || code.kind() != MailedCode.Kind.ONE_TIME
                                || code.confidence() <= REPLACED
                        ? code
                        : code.withConfidence(REPLACED));
                return;
            }
        }
    }

    private CodeAge age(MailedCode code) {
        return ages.getOrDefault(code.code(), CodeAge.UNSAID);
    }

    private static MailedCode surer(MailedCode first, MailedCode second) {
        boolean body = first.place() == MailPlace.SUBJECT && second.place() != MailPlace.SUBJECT;
        if (first.kind() != second.kind()) {
            return first.kind() == MailedCode.Kind.BACKUP ? first : second;
        }
        MailedCode shown =
                body || (second.confidence() > first.confidence() && second.place() == first.place()) ? second : first;
        return shown.withConfidence(Math.max(first.confidence(), second.confidence()));
    }

    /** What is surer lets the others be less sure; of those that are equal the first counts. */
    private List<MailedCode> ordered() {
        joinPrefixed();
        withoutReplaced();
        double best = codesByText.values().stream()
                .filter(code -> code.kind() == MailedCode.Kind.ONE_TIME)
                .mapToDouble(MailedCode::confidence)
                .max()
                .orElse(0);
        List<MailedCode> sorted = new ArrayList<>(codesByText.values());
        sorted.sort(Comparator.comparingDouble((MailedCode code) -> -code.confidence()));
        List<MailedCode> ordered = new ArrayList<>();
        double before = 2;
        for (MailedCode code : sorted) {
            boolean oneTime = code.kind() == MailedCode.Kind.ONE_TIME;
            double sure = oneTime && best >= CERTAIN && code.confidence() <= UNCERTAIN
                    ? code.confidence() - 0.35
                    : code.confidence();
            sure = oneTime ? Math.min(sure, before - STEP) : sure;
            before = oneTime ? sure : before;
            if (sure >= LEAST && ordered.size() < MOST) {
                ordered.add(code.withConfidence(sure));
            }
        }
        ordered.sort(Comparator.comparingDouble((MailedCode code) -> -code.confidence()));
        return ordered;
    }

    private static String around(String line, int start, int end) {
        int spare = Math.max(0, LONGEST_LINE - (end - start)) / 2;
        int from =
                line.length() <= LONGEST_LINE ? 0 : Math.max(0, Math.min(start - spare, line.length() - LONGEST_LINE));
        int to = Math.min(line.length(), from + LONGEST_LINE);
        return line.substring(from, to).replace('\t', ' ').strip();
    }
}
