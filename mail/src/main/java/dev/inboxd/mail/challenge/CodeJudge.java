package dev.inboxd.mail.challenge;

import dev.inboxd.mail.challenge.CodeToken.Shape;
import dev.inboxd.mail.link.WordTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says how sure it is that what looks like a code is the one that a mail brings. */
final class CodeJudge {
    private static final List<String> LABELS = List.of("code", "number", "other", "use");
    private static final List<String> BEHIND = List.of("code", "number", "other", "purpose");
    private static final List<String> USE = List.of("use");
    /** Most characters between a code and the word for it. */
    private static final int NEAR = 60;

    private static final int LABEL = 45;
    private static final int JOINED = 25;
    private static final int SHORT_LINE = 60;

    private final CodeLines lines;

    CodeJudge(CodeLines lines) {
        this.lines = lines;
    }

    /** How sure, from 0 to 1. */
    double of(int at, CodeToken token, boolean alone) {
        CodeLine line = lines.get(at);
        boolean priced = hasPercent(line) || hasPercent(lines.subject());
        if (lines.subject().has("sell")
                || line.has("sell")
                || (priced && !token.isDigits())
                || isCounted(line, token)) {
            return 0;
        }
        if (token.isWeak() && line.isLinked()) {
            return 0;
        }
        double inLine = inLine(at, line, token);
        return alone && inLine >= 0 ? Math.max(inLine, alone(at, token)) : Math.max(0, inLine);
    }

    /** Whether a sum is taken off a price in it. */
    private static boolean hasPercent(CodeLine line) {
        String text = line.text();
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
            boolean before = at > 0 && CodeText.isDigit(text.charAt(at - 1));
            boolean spaced = at > 1 && text.charAt(at - 1) == ' ' && CodeText.isDigit(text.charAt(at - 2));
            if (before || spaced || (at + 1 < text.length() && CodeText.isDigit(text.charAt(at + 1)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCounted(CodeLine line, CodeToken token) {
        WordTable.Place unit = line.after(token.end(), 2, List.of("unit"));
        return unit != null && line.text().substring(token.end(), unit.start()).isBlank();
    }

    /** By the words of its own line; below 0 when they say that it is none. */
    private double inLine(int at, CodeLine line, CodeToken token) {
        boolean solid =
                token.shape() == Shape.DIGITS || token.shape() == Shape.PREFIXED || token.shape() == Shape.MIXED;
        if (solid && new CodeSentence(line, token).isProof()) {
            return 0.9;
        }
        WordTable.Place before = line.before(token.start(), LABEL, LABELS);
        WordTable.Place behind = line.after(token.end(), NEAR, BEHIND);
        if (isOther(line, before, token) || new CodeSentence(line, token).isClock()) {
            return -1;
        }
        String label = before == null ? "" : before.list();
        if (label.equals("code") && before != null) {
            boolean strict = line.isJoined(before.end(), token.start())
                    && (token.shape() != Shape.DATED
                            || before.end() + 1 < token.start()
                            || line.before(before.start(), JOINED, USE) != null);
            if (token.shape() == Shape.MIXED && new CodeSentence(line, token).isConclusion()) {
                return 0.9;
            }
            boolean close = token.start() - before.end() <= JOINED && line.words(before.end(), token.start()) <= 3;
            return strict ? strict(token) : loose(token, close, token.start() - before.end());
        }
        if (behind != null && isOtherBehind(line, behind, token) && !label.equals("use")) {
            return -1;
        }
        if (behind != null && behind.list().equals("code")) {
            double sure = behind(line, behind, token);
            if (sure > 0) {
                return sure;
            }
        }
        boolean titled =
                at == 0 && token.shape() == Shape.DIGITS && new CodeSentence(line, token).isTitle() && lines.speak();
        boolean concluded = (solid || token.shape() == Shape.LOOSE) && new CodeSentence(line, token).isConclusion();
        double inferred = concluded ? 0.9 : titled ? 0.72 : 0;
        return Math.max(inferred, Math.max(used(at, line, token, before), near(line, token)));
    }

    /** A word for a number of another sort stands before it, with little between. */
    private static boolean isOther(CodeLine line, WordTable.@Nullable Place before, CodeToken token) {
        if (before == null || !(before.list().equals("number") || before.list().equals("other"))) {
            return false;
        }
        return !line.isWithin(before.end(), token.start(), ",，、)）") && line.words(before.end(), token.start()) <= 4;
    }

    private static boolean isOtherBehind(CodeLine line, WordTable.Place behind, CodeToken token) {
        return (behind.list().equals("number") || behind.list().equals("other"))
                && !line.isWithin(token.end(), behind.start(), ",，、")
                && line.words(token.end(), behind.start()) <= 2;
    }

    private static double strict(CodeToken token) {
        return switch (token.shape()) {
            case DIGITS, DATED, PREFIXED -> 0.97;
            case MIXED -> 0.95;
            case LOOSE -> 0.9;
            case CAPITALS -> isPlain(token) ? 0 : 0.82;
            case WORD, PHRASE -> 0;
        };
    }

    private static double loose(CodeToken token, boolean close, int distance) {
        return switch (token.shape()) {
            case DIGITS, PREFIXED -> close ? 0.93 : 0.85;
            case MIXED -> distance <= 8 ? 0.9 : 0;
            case DATED, LOOSE, CAPITALS, WORD, PHRASE -> 0;
        };
    }

    /** The word for it follows: "482913 is your code". */
    private static double behind(CodeLine line, WordTable.Place code, CodeToken token) {
        int distance = code.start() - token.end();
        boolean first = line.words(0, token.start()) == 0;
        boolean plain = token.shape() == Shape.DIGITS || token.shape() == Shape.PREFIXED;
        boolean near = distance <= JOINED || first;
        if (plain) {
            return near ? 0.95 : 0.85;
        }
        boolean mixed = token.shape() == Shape.MIXED || token.shape() == Shape.DATED;
        return mixed && (distance <= 2 || (first && distance <= 40)) ? 0.9 : 0;
    }

    /** "Use 771204 to verify your account", where the line has no word for a code. */
    private double used(int at, CodeLine line, CodeToken token, WordTable.@Nullable Place before) {
        boolean instructed =
                before != null && before.list().equals("use") && line.words(before.end(), token.start()) <= 3;
        WordTable.Place behind = line.after(token.end(), 15, List.of("use"));
        boolean asks = instructed || behind != null;
        if (!asks || !(token.isDigits() || token.shape() == Shape.MIXED)) {
            return 0;
        }
        int gap = instructed && before != null ? token.start() - before.end() : 0;
        if (token.shape() == Shape.DATED && gap > 1) {
            return 0;
        }
        if (line.has("purpose")) {
            return 0.92;
        }
        return lines.speak()
                ? 0.88
                : lines.have("purpose", at - 1, at + 1) || lines.subject().has("purpose") ? 0.8 : 0;
    }

    /** Digits in a line that speaks of a code, somewhere. */
    private static double near(CodeLine line, CodeToken token) {
        if (token.shape() != Shape.DIGITS && token.shape() != Shape.PREFIXED) {
            return 0;
        }
        boolean above = line.of("code").stream()
                .anyMatch(word -> token.start() >= word.end() && token.start() - word.end() <= NEAR);
        return above || line.after(token.end(), NEAR, List.of("code")) != null ? 0.8 : 0;
    }

    /** By the lines around it, as it stands alone in its own. */
    private double alone(int at, CodeToken token) {
        if (at == 0) {
            return token.shape() == Shape.DIGITS && lines.speak() ? 0.75 : 0;
        }
        if (lines.have("sell", at - 2, at + 2) || (isPlain(token) && token.isWeak()) || isLabelled(at)) {
            return 0;
        }
        CodeLine above = lines.get(at - 1);
        boolean announced = at > 1 && above.speaks();
        if (token.isWeak()) {
            return announced ? weak(above, token) : 0;
        }
        boolean others = above.speaksOfOthers() && at > 1;
        if (announced) {
            return token.shape() == Shape.LOOSE ? 0.9 : 0.96;
        }
        if (others || token.shape() == Shape.DATED) {
            return !others && lines.subject().speaks() && above.has("use") ? 0.85 : 0;
        }
        return unannounced(at, token);
    }

    private static double weak(CodeLine above, CodeToken token) {
        String line = above.text().strip();
        boolean colon = line.endsWith(":");
        return switch (token.shape()) {
            case CAPITALS -> colon || line.length() <= SHORT_LINE ? 0.88 : 0.75;
            case PHRASE -> colon ? 0.85 : 0.72;
            default -> colon ? 0.72 : 0;
        };
    }

    private double unannounced(int at, CodeToken token) {
        boolean around = (at > 2 && lines.get(at - 2).speaks())
                || (at + 1 < lines.size() && lines.get(at + 1).speaks());
        boolean solid = token.isDigits() || token.shape() == Shape.MIXED;
        if (around) {
            return solid ? 0.93 : 0.72;
        }
        if (lines.subject().speaks()) {
            return solid ? 0.92 : 0.72;
        }
        if (!solid) {
            return 0;
        }
        boolean purposeful =
                lines.have("purpose", at - 2, at + 1) || lines.subject().has("purpose");
        return lines.speak() ? 0.76 : purposeful && token.isDigits() ? 0.74 : 0;
    }

    /** Whether the line above says that the number below is of another sort. */
    private boolean isLabelled(int at) {
        CodeLine above = lines.get(at - 1);
        String text = above.text().strip();
        if (at == 1 || above.speaks() || above.has("use") || text.length() > SHORT_LINE || endsSentence(text)) {
            return false;
        }
        WordTable.Place label = above.before(above.text().length(), 30, List.of("number", "other"));
        return label != null && above.text().length() - label.end() <= 14;
    }

    private static boolean endsSentence(String text) {
        return !text.isEmpty() && ".!?。！？".indexOf(text.charAt(text.length() - 1)) >= 0;
    }

    /** Whether it is a word that stands in lines of its own. */
    private static boolean isPlain(CodeToken token) {
        CodeLine word = CodeLine.of(token.code(), false, () -> false);
        return token.shape() != Shape.PHRASE
                && (word.has("plain") || word.has("use") || word.has("purpose") || word.has("number"));
    }
}
