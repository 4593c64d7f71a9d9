package dev.inboxd.mail.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the one-time code in a mail: the one that stands alone in a line beside words for it, else the one nearest to
 * such words in its line. A number that no such word is near is none.
 */
public final class MailedCode {
    private static final ChallengeWords CODE = ChallengeWords.of("code");
    private static final ChallengeWords OTHER = ChallengeWords.of("other");
    private static final ChallengeWords NUMBER = ChallengeWords.of("number");

    /** Most characters between a code and the word for it. */
    private static final int NEAR = 60;

    private static final int FAR = 10_000;

    private MailedCode() {}

    /**
     * The code of a mail, without the spaces and hyphens between groups of digits.
     *
     * @param mail its new text; the HTML is looked at when the text has no code
     * @return empty when there is none that is certain enough
     */
    public static Optional<String> find(ChallengeText mail) {
        return of(mail).or(() -> mail.html() == null ? Optional.empty() : of(mail.ofHtml()));
    }

    private static Optional<String> of(ChallengeText mail) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of(mail.title()));
        mail.lines().forEach(line -> lines.add(Line.of(line)));
        for (int i = 1; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.isAlone() && isAnnounced(lines, i)) {
                return Optional.of(line.tokens.getFirst().code());
            }
        }
        return lines.stream()
                .flatMap(line -> line.nearest().stream())
                .min(Comparator.comparingInt(Near::distance))
                .map(near -> near.token.code());
    }

    /** Whether one of the two lines before, the one behind, or the subject speaks of a code. */
    private static boolean isAnnounced(List<Line> lines, int at) {
        return lines.getFirst().speaks()
                || lines.get(at - 1).speaks()
                || (at > 1 && lines.get(at - 2).speaks())
                || (at + 1 < lines.size() && lines.get(at + 1).speaks());
    }

    /**
     * A code with its distance to the word for it.
     *
     * @param distance in characters; a code that follows is nearer than one before
     */
    private record Near(CodeToken token, int distance) {}

    /**
     * A line.
     *
     * @param words places of words for a code
     * @param tokens what looks like one
     */
    private record Line(String text, List<ChallengeWords.Place> words, List<CodeToken> tokens) {
        static Line of(String text) {
            String folded = ChallengeText.fold(text);
            List<ChallengeWords.Place> others = OTHER.in(folded);
            List<ChallengeWords.Place> words = CODE.in(folded).stream()
                    .filter(word -> others.stream()
                            .noneMatch(other -> other.start() <= word.start() && word.end() <= other.end()))
                    .toList();
            boolean sells = !others.isEmpty() && words.isEmpty();
            return new Line(text, words, sells ? List.of() : CodeToken.in(text));
        }

        boolean speaks() {
            return !words.isEmpty();
        }

        /** Whether it has a code and nothing else. */
        boolean isAlone() {
            if (tokens.size() != 1) {
                return false;
            }
            CodeToken only = tokens.getFirst();
            return isDecoration(text.substring(0, only.start())) && isDecoration(text.substring(only.end()));
        }

        private static boolean isDecoration(String text) {
            return text.codePoints().noneMatch(Character::isLetterOrDigit);
        }

        Optional<Near> nearest() {
            return tokens.stream()
                    .filter(token -> !NUMBER.end(before(token)))
                    .map(token -> new Near(token, distance(token)))
                    .filter(near -> near.distance < FAR)
                    .min(Comparator.comparingInt(Near::distance));
        }

        /** What stands before a code, without the signs right before it. */
        private String before(CodeToken token) {
            String before = ChallengeText.fold(text.substring(0, token.start()));
            int end = before.length();
            while (end > 0 && !Character.isLetter(before.charAt(end - 1))) {
                end--;
            }
            return before.substring(0, end);
        }

        private int distance(CodeToken token) {
            int least = FAR;
            for (ChallengeWords.Place word : words) {
                int gap = token.start() >= word.end() ? token.start() - word.end() : 1 + word.start() - token.end();
                boolean certain = token.isDigits() || (token.start() >= word.end() && isJoined(word, token));
                if (gap >= 0 && gap <= NEAR && certain) {
                    least = Math.min(least, gap);
                }
            }
            return least;
        }

        /** Whether nothing but a colon or one short word stands between: capitals and digits alone are too little. */
        private boolean isJoined(ChallengeWords.Place word, CodeToken token) {
            return token.start() - word.end() <= 8;
        }
    }
}
