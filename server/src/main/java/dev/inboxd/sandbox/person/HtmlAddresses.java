package dev.inboxd.sandbox.person;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The addresses that a mail in HTML leads to, as somebody who clicks and whose program loads pictures finds them. */
final class HtmlAddresses {
    private final String html;
    private final String lower;

    HtmlAddresses(String html) {
        this.html = html;
        this.lower = html.toLowerCase(Locale.ROOT);
    }

    /** A link with the words that it has. */
    record Link(String address, String words) {}

    /** The addresses of all pictures. */
    List<String> pictures() {
        return tags("<img").stream()
                .map(tag -> attribute(tag, "src"))
                .filter(address -> !address.isEmpty())
                .toList();
    }

    /** All links. */
    List<Link> links() {
        return tags("<a").stream()
                .map(tag -> new Link(attribute(tag, "href"), words(tag)))
                .filter(link -> link.address.startsWith("http"))
                .toList();
    }

    /** Where the tags of that name begin. */
    private List<Integer> tags(String name) {
        List<Integer> tags = new ArrayList<>();
        for (int at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1)) {
            int behind = at + name.length();
            if (behind < lower.length() && Character.isWhitespace(lower.charAt(behind))) {
                tags.add(at);
            }
        }
        return tags;
    }

    private int end(int tag) {
        int end = html.indexOf('>', tag);
        return end < 0 ? html.length() : end;
    }

    private String attribute(int tag, String name) {
        int end = end(tag);
        int at = lower.indexOf(name + "=", tag);
        if (at < 0 || at > end) {
            return "";
        }
        int from = at + name.length() + 1;
        char quote = from < end ? html.charAt(from) : ' ';
        boolean isQuoted = quote == '"' || quote == '\'';
        int begin = isQuoted ? from + 1 : from;
        int to = begin;
        while (to < html.length()
                && (isQuoted
                        ? html.charAt(to) != quote
                        : !Character.isWhitespace(html.charAt(to)) && html.charAt(to) != '>')) {
            to++;
        }
        return html.substring(begin, to).replace("&amp;", "&");
    }

    private String words(int tag) {
        int from = Math.min(end(tag) + 1, html.length());
        int to = lower.indexOf("</a", from);
        StringBuilder words = new StringBuilder();
        boolean isTag = false;
        for (char c : html.substring(from, to < 0 ? html.length() : to).toCharArray()) {
            isTag = c == '<' || (isTag && c != '>');
            if (!isTag && c != '>') {
                words.append(c);
            }
        }
        return words.toString();
    }
}
