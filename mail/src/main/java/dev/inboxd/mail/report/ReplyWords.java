package dev.inboxd.mail.report;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words of a server's reply, without case, accents, addresses and hosts. Sentences are apart.
 *
 * @param words in order; {@link #BREAK} stands between sentences
 * @param links the words of the links in it, which may say why
 * @param mentioned the addresses in it
 */
record ReplyWords(List<String> words, List<String> links, List<String> mentioned) {
    /** The end of a sentence. */
    static final String BREAK = "";

    private static final int MOST_WORDS = 1_000;
    private static final int MOST_ADDRESSES = 20;
    private static final String ENDS = ".;!?";
    private static final String APOSTROPHES = "'\u2019\u2018`\u00B4";
    private static final Set<String> JOINED = Set.of("mailbox", "localpart", "userid");

    /** Reads a reply, or lines of a notice. */
    static ReplyWords of(String text) {
        List<Mentions.Mention> mentions = Mentions.in(text, MOST_ADDRESSES);
        StringBuilder stripped = new StringBuilder(text);
        for (Mentions.Mention mention : mentions.reversed()) {
            stripped.replace(mention.start(), mention.end(), " ");
        }
        List<String> words = new ArrayList<>();
        List<String> links = new ArrayList<>();
        for (String token : plain(stripped.toString()).split("\\s+", MOST_WORDS)) {
            boolean isLink = token.contains("://") || token.startsWith("www.");
            if (isLink || !isHost(token)) {
                add(token, isLink ? links : words);
            }
        }
        return new ReplyWords(
                words, links, mentions.stream().map(Mentions.Mention::address).toList());
    }

    /** Words of a phrase as {@link #of} would read them. */
    static List<String> phrase(String text) {
        return of(text).words.stream().filter(word -> !word.equals(BREAK)).toList();
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (char c : Normalizer.normalize(text, Normalizer.Form.NFKD).toCharArray()) {
            int type = Character.getType(c);
            if (APOSTROPHES.indexOf(c) >= 0) {
                plain.append(isArticle(plain) ? " " : "");
            } else if (type != Character.NON_SPACING_MARK) {
                plain.append(base(Character.toLowerCase(c)));
            }
        }
        // Hangul is taken apart by the decomposition of accents; the syllables are what people write.
        return Normalizer.normalize(plain, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }

    /** Whether the text ends with an elided article: l'adresse. */
    private static boolean isArticle(StringBuilder text) {
        int last = text.length() - 1;
        return last >= 0
                && text.charAt(last) == 'l'
                && (last == 0 || !Character.isLetterOrDigit(text.charAt(last - 1)));
    }

    /** Letters that Unicode does not take apart. */
    private static String base(char c) {
        return switch (c) {
            case '\u0142' -> "l";
            case '\u00F8' -> "o";
            case '\u0111' -> "d";
            case '\u0131' -> "i";
            case '\u00DF' -> "ss";
            case '\u00E6' -> "ae";
            default -> String.valueOf(c);
        };
    }

    private static void add(String token, List<String> words) {
        int start = 0;
        for (int i = 0; i <= token.length(); i++) {
            if (i == token.length() || !Character.isLetterOrDigit(token.charAt(i))) {
                if (i > start) {
                    join(token.substring(start, i), words);
                }
                boolean ends = i < token.length() && ENDS.indexOf(token.charAt(i)) >= 0;
                if (ends && !words.isEmpty() && !words.getLast().equals(BREAK)) {
                    words.add(BREAK);
                }
                start = i + 1;
            }
        }
    }

    /** Adds a word; what is written apart as well as together is put together: e-mail, mail box, local part. */
    private static void join(String word, List<String> words) {
        String last = words.isEmpty() ? BREAK : words.getLast();
        if (!last.equals(BREAK) && isOneWord(last, word)) {
            words.removeLast();
            words.add(last + word);
        } else {
            words.add(word);
        }
    }

    private static boolean isOneWord(String last, String word) {
        return JOINED.contains(last + word) || (last.equals("e") && word.startsWith("mail"));
    }

    /** Whether it is the name of a host: labels with dots, of which the last is a word. */
    private static boolean isHost(String token) {
        int end = token.length();
        while (end > 0 && !Character.isLetterOrDigit(token.charAt(end - 1))) {
            end--;
        }
        int dot = token.lastIndexOf('.', end - 1);
        return dot > 0
                && end - dot > 2
                && Character.isLetterOrDigit(token.charAt(dot - 1))
                && token.chars().limit(end).allMatch(c -> c < 128)
                && token.substring(dot + 1, end).chars().allMatch(Character::isLetter);
    }
}
