package dev.inboxd.mail.link;

import java.net.IDN;
import java.util.Locale;

/** The host of an address, and the one that the words of a link name. */
final class NamedHost {
    private static final int LONGEST = 253;
    private static final int MOST_WORDS = 40;
    private static final String ENDS = "<>()[]\"'“”«»,;|";

    private NamedHost() {}

    /** The host of a web address in small letters, as ASCII; empty when there is none. */
    static String of(String url) {
        int start = url.indexOf("//") + 2;
        int end = start;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String authority = url.substring(start, end);
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        int port = host.startsWith("[") ? host.indexOf(':', host.indexOf(']') + 1) : host.indexOf(':');
        return ascii(port < 0 ? host : host.substring(0, port));
    }

    private static String ascii(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        try {
            return host.length() > LONGEST || lower.chars().allMatch(c -> c < 0x80)
                    ? lower
                    : IDN.toASCII(lower, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException notAName) {
            return lower;
        }
    }

    /** Whether words name a host that is neither this one, nor above or below it, nor beside it in its domain. */
    static boolean isOther(String words, String host) {
        if (words.indexOf('.') < 0 && !words.contains("//")) {
            return false;
        }
        String folded = words.toLowerCase(Locale.ROOT);
        int count = 0;
        for (int start = 0, end = 0; end < folded.length() && count < MOST_WORDS; start = end + 1) {
            end = endOfWord(folded, start);
            if (end == start) {
                continue;
            }
            count++;
            String word = folded.substring(start, end);
            boolean address = word.startsWith("http://") || word.startsWith("https://");
            String bare = address ? "" : bare(word);
            String named = address ? of(word) : bare.indexOf('.') > 0 ? ascii(bare) : "";
            if ((address || isName(word, named)) && !named.isEmpty() && !isSame(named, host)) {
                return true;
            }
        }
        return false;
    }

    private static int endOfWord(String text, int start) {
        int end = start;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && ENDS.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static String bare(String word) {
        int path = word.indexOf('/');
        String host = path < 0 ? word : word.substring(0, path);
        int end = host.length();
        while (end > 0 && ".:!?…".indexOf(host.charAt(end - 1)) >= 0) {
            end--;
        }
        return host.substring(0, end);
    }

    /** Whether a word without a scheme is the name of a host: not a file, a version or a mail address. */
    private static boolean isName(String word, String host) {
        int dot = host.lastIndexOf('.');
        if (dot <= 0 || word.indexOf('@') >= 0 || host.length() > LONGEST || host.contains("..")) {
            return false;
        }
        String last = host.substring(dot + 1);
        boolean letters =
                last.length() >= 2 && (last.startsWith("xn--") || last.chars().allMatch(c -> c >= 'a' && c <= 'z'));
        boolean name =
                host.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.');
        return letters && name && (word.startsWith("www.") || TopLevel.isOne(last));
    }

    private static boolean isSame(String named, String host) {
        String bareName = named.startsWith("www.") ? named.substring(4) : named;
        String bareHost = host.startsWith("www.") ? host.substring(4) : host;
        return bareName.equals(bareHost)
                || bareName.endsWith("." + bareHost)
                || bareHost.endsWith("." + bareName)
                || domain(bareName).equals(domain(bareHost));
    }

    /** The last two labels, or three below a country's own second level. */
    private static String domain(String host) {
        int last = host.lastIndexOf('.');
        int second = host.lastIndexOf('.', last - 1);
        boolean country = host.length() - last <= 3 && last - second <= 4;
        int start = country ? host.lastIndexOf('.', second - 1) : second;
        return second < 0 ? host : host.substring(start + 1);
    }

    /** The ends of names that stand in texts; those of files are none. */
    private static final class TopLevel {
        private static final String COMMON = " com net org edu gov mil int info biz name example test invalid app dev"
                + " page site online shop store cloud tech email live news blog club xyz top work agency bank money"
                + " finance health care life world today digital media group company solutions services systems ";
        private static final String FILES = " md py rs sh pl js ts cc so ps ai ";

        static boolean isOne(String label) {
            return COMMON.contains(" " + label + " ")
                    || label.startsWith("xn--")
                    || (label.length() == 2 && !FILES.contains(" " + label + " "));
        }
    }
}
