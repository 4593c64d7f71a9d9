package dev.inboxd.mail.challenge;

import java.util.ArrayList;
import java.util.List;

/** Finds lists of recovery codes: at least three of one form, below words for them. */
final class BackupCodes {
    private static final int LEAST = 3;
    private static final int MOST = 10;
    private static final int SHORTEST = 4;
    private static final int LONGEST = 32;
    private static final int ABOVE = 4;
    private static final int LONGEST_LINE = 1_000;

    private final CodeLines lines;

    /** A list: its first line, the line behind it, and the codes. */
    record Listing(int from, int to, List<String> codes) {}

    private BackupCodes(CodeLines lines) {
        this.lines = lines;
    }

    /** All lists of a mail. */
    static List<Listing> in(CodeLines lines) {
        List<Listing> listings = new ArrayList<>();
        BackupCodes codes = new BackupCodes(lines);
        for (int at = 1; at < lines.size(); at++) {
            Listing listing = codes.from(at);
            if (!listing.codes.isEmpty()) {
                listings.add(listing);
                at = listing.to - 1;
            }
        }
        return listings;
    }

    private Listing from(int first) {
        List<String> codes = new ArrayList<>();
        String form = "";
        int at = first;
        for (; at < lines.size() && mayBeItems(lines.get(at).text()); at++) {
            List<String> items = items(lines.get(at).text());
            String own = items.isEmpty() ? "" : form(items.getFirst());
            boolean same = items.stream().allMatch(item -> form(item).equals(own));
            if (items.isEmpty() || !same || !(form.isEmpty() || form.equals(own))) {
                break;
            }
            form = own;
            codes.addAll(items);
        }
        boolean looksSo = codes.size() >= LEAST
                && codes.stream().anyMatch(code -> code.chars().anyMatch(c -> CodeText.isDigit(c) || c == '-'));
        boolean list = looksSo && (lines.subject().has("backup") || lines.have("backup", first - ABOVE, first - 1));
        return new Listing(first, at, list ? codes.stream().limit(MOST).toList() : List.of());
    }

    /** A cheap test, which prose does not pass: its words have as many letters as the first, signs apart. */
    private static boolean mayBeItems(String line) {
        int first = 0;
        int length = 0;
        for (int i = 0; i <= line.length(); i++) {
            char c = i < line.length() ? line.charAt(i) : ' ';
            if (c == '-' || CodeText.isDigit(c) || CodeText.isCapital(c) || CodeText.isSmall(c)) {
                length++;
                continue;
            }
            if (Character.isLetterOrDigit(c) || length > LONGEST || (first > 3 && length > 3 && length != first)) {
                return false;
            }
            first = length > 3 ? length : first;
            length = 0;
        }
        return line.length() <= LONGEST_LINE;
    }

    /** The codes of which a line consists; none when it has anything else. */
    private static List<String> items(String line) {
        List<String> items = new ArrayList<>();
        String text = withoutMarker(line);
        for (int start = 0, end = 0; start <= text.length(); start = end + 1) {
            end = endOfPart(text, start);
            String bare = withoutMarker(text.substring(start, end).strip());
            if (!bare.isEmpty()) {
                List<String> partCodes = ofPart(bare.split(" ", -1));
                if (partCodes.isEmpty()) {
                    return List.of();
                }
                items.addAll(partCodes);
            }
        }
        return items;
    }

    /** Parts stand apart by two spaces, a tab or another sign. */
    private static int endOfPart(String text, int start) {
        int end = start;
        while (end < text.length()
                && "\t,;|".indexOf(text.charAt(end)) < 0
                && !(text.charAt(end) == ' ' && end + 1 < text.length() && text.charAt(end + 1) == ' ')) {
            end++;
        }
        return end;
    }

    private static List<String> ofPart(String[] groups) {
        for (String group : groups) {
            boolean plain = !group.isEmpty()
                    && group.length() <= LONGEST
                    && group.chars()
                            .allMatch(c ->
                                    c == '-' || CodeText.isDigit(c) || CodeText.isCapital(c) || CodeText.isSmall(c));
            if (!plain || group.length() != groups[0].length()) {
                return List.of();
            }
        }
        boolean apart = groups.length == 1 || groups[0].length() > 5;
        List<String> codes = new ArrayList<>();
        for (int i = 0; i < groups.length; i += apart ? 1 : 2) {
            boolean pair = !apart && i + 1 < groups.length;
            codes.add(typed(pair ? groups[i] + " " + groups[i + 1] : groups[i]));
        }
        boolean long_ = codes.stream().allMatch(code -> code.length() >= SHORTEST);
        return long_ ? codes : List.of();
    }

    /** Groups of digits are joined, groups of letters and digits stay as they stand. */
    private static String typed(String code) {
        String joined = code.replace("-", "").replace(" ", "");
        return joined.chars().allMatch(CodeText::isDigit) ? joined : code;
    }

    private static String form(String code) {
        StringBuilder form = new StringBuilder();
        code.chars().forEach(c -> form.append(Character.isLetterOrDigit(c) ? 'x' : (char) c));
        return form.toString();
    }

    /** Without the sign or number of an item of a list. */
    private static String withoutMarker(String line) {
        int at = 0;
        while (at < line.length() && at < 3 && CodeText.isDigit(line.charAt(at))) {
            at++;
        }
        boolean numbered = at > 0 && at + 1 < line.length() && ".):".indexOf(line.charAt(at)) >= 0;
        int from = numbered ? at + 1 : 0;
        while (from < line.length() && !Character.isLetterOrDigit(line.charAt(from))) {
            from++;
        }
        int end = line.length();
        while (end > from && !Character.isLetterOrDigit(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(from, end);
    }
}
