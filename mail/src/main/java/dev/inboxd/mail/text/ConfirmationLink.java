package dev.inboxd.mail.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the link by which a mail asks to confirm, to sign in or to begin: the one whose words say so, else the one
 * whose address does, else the only one of a mail that asks for it. Links to unsubscribe, to help and the like are
 * none.
 */
public final class ConfirmationLink {
    private static final ChallengeWords ACT = ChallengeWords.of("act");
    private static final ChallengeWords BESIDE = ChallengeWords.of("beside");
    private static final int MOST_LINKS = 500;
    private static final int LONGEST_URL = 4_000;
    private static final int LONGEST_LABEL = 300;

    private ConfirmationLink() {}

    /**
     * The link of a mail, as it is written there: http or https.
     *
     * @param mail its new text, and its HTML as a person sees it
     * @return empty when there is none that is certain enough
     */
    public static Optional<String> find(ChallengeText mail) {
        List<Link> links = links(mail).stream().filter(link -> !link.isBeside()).toList();
        Optional<Link> best = links.stream()
                .filter(link -> link.worth() > 0)
                .max(Comparator.comparingInt(Link::worth).thenComparingInt(link -> -links.indexOf(link)));
        boolean only = links.stream().map(Link::url).distinct().count() == 1;
        return best.or(() -> only && isAsked(mail) ? Optional.of(links.getFirst()) : Optional.empty())
                .map(Link::url);
    }

    private static boolean isAsked(ChallengeText mail) {
        return ACT.isIn(ChallengeText.fold(mail.title()))
                || mail.lines().stream().anyMatch(line -> ACT.isIn(ChallengeText.fold(line)));
    }

    /**
     * A link.
     *
     * @param label its words, or those in front of it, folded
     */
    private record Link(String url, String label) {
        boolean isBeside() {
            return BESIDE.isIn(label) || (!ACT.isIn(label) && BESIDE.isIn(words()));
        }

        int worth() {
            return ACT.isIn(label) ? 2 : ACT.isIn(words()) ? 1 : 0;
        }

        /** The path and the query, as words. */
        private String words() {
            int path = url.indexOf('/', url.indexOf("//") + 2);
            String rest = path < 0 ? "" : url.substring(path);
            StringBuilder words = new StringBuilder();
            for (int i = 0; i < rest.length(); i++) {
                words.append(Character.isLetterOrDigit(rest.charAt(i)) ? rest.charAt(i) : ' ');
            }
            return words.toString().toLowerCase(Locale.ROOT);
        }
    }

    private static List<Link> links(ChallengeText mail) {
        List<Link> links = new ArrayList<>();
        if (mail.html() != null) {
            for (ShownLink link : ShownLink.in(mail.html())) {
                if (isWeb(link.target()) && links.size() < MOST_LINKS) {
                    links.add(new Link(link.target(), label(link.words())));
                }
            }
        }
        if (links.isEmpty()) {
            readText(mail.lines(), links);
        }
        return links;
    }

    private static void readText(List<String> lines, List<Link> links) {
        String before = "";
        for (String line : lines) {
            int from = 0;
            for (int at = start(line, 0); at >= 0 && links.size() < MOST_LINKS; at = start(line, from)) {
                int end = end(line, at);
                String url = line.substring(at, end);
                String words = line.substring(from, at);
                if (isWeb(url)) {
                    links.add(
                            new Link(url, label(words.isBlank() || words.strip().length() < 3 ? before : words)));
                }
                from = end;
            }
            before = from == 0 ? line : "";
        }
    }

    private static String label(String words) {
        return ChallengeText.fold(words.substring(0, Math.min(words.length(), LONGEST_LABEL)));
    }

    private static int start(String line, int from) {
        int plain = line.indexOf("http://", from);
        int secure = line.indexOf("https://", from);
        return plain < 0 || secure < 0 ? Math.max(plain, secure) : Math.min(plain, secure);
    }

    /** Signs at the end of a sentence, and brackets around an address, are none of it (RFC 3986 appendix C). */
    private static int end(String line, int start) {
        int end = start;
        while (end < line.length() && line.charAt(end) > ' ' && "<>\"\u00A0\u3000".indexOf(line.charAt(end)) < 0) {
            end++;
        }
        while (end > start && ".,;:!?)]}'*".indexOf(line.charAt(end - 1)) >= 0) {
            end--;
        }
        return Math.max(end, start + 1);
    }

    private static boolean isWeb(String url) {
        String start = url.substring(0, Math.min(url.length(), 8)).toLowerCase(Locale.ROOT);
        return url.length() <= LONGEST_URL
                && (start.startsWith("http://") || start.equals("https://"))
                && url.length() > 8
                && url.chars().noneMatch(c -> c <= ' ');
    }
}
