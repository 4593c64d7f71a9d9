package dev.inboxd.mail.link;

import java.util.ArrayList;
import java.util.List;

/** The web addresses that stand in a line of text. */
final class WrittenLinks {
    private static final String ENDS = "<>\"\u00A0\u3000\t「」『』（）【】《》。，、；！？”“„«»";
    private static final String FINAL = ".,;:!?)]}'*_";

    private WrittenLinks() {}

    /** All of a line, in their order. */
    static List<SeenLink> in(String line) {
        List<SeenLink> links = new ArrayList<>(2);
        for (int at = start(line, 0); at >= 0; ) {
            int end = end(line, at);
            String url = line.substring(at, end);
            if (SeenLink.isWeb(url)) {
                links.add(new SeenLink(url, url.substring(0, Math.min(url.length(), SeenLink.LONGEST_WORDS)), at, end));
            }
            at = start(line, Math.max(end, at + 1));
        }
        return links;
    }

    private static int start(String line, int from) {
        for (int at = line.indexOf("://", from); at >= 0; at = line.indexOf("://", at + 3)) {
            int plain = at - 4;
            if (at >= from + 5 && line.regionMatches(true, at - 5, "https", 0, 5)) {
                return at - 5;
            }
            if (plain >= from && line.regionMatches(true, plain, "http", 0, 4)) {
                return plain;
            }
        }
        return -1;
    }

    /** Signs at the end of a sentence, and brackets around an address, are none of it (RFC 3986 appendix C). */
    private static int end(String line, int start) {
        int end = start;
        while (end < line.length() && line.charAt(end) > ' ' && ENDS.indexOf(line.charAt(end)) < 0) {
            end++;
        }
        while (end > start && FINAL.indexOf(line.charAt(end - 1)) >= 0) {
            end--;
        }
        return Math.max(end, start + 1);
    }
}
