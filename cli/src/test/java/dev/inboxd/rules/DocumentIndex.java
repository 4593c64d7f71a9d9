package dev.inboxd.rules;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What of a repository can be cited: its files, and the headings and numbered rows of its documents. */
final class DocumentIndex {
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern NUMBERED = Pattern.compile("(\\d+[a-z]?(?:\\.\\d+)*)\\.? .*");
    private static final Pattern ITEM = Pattern.compile("(\\d+)\\. .*");
    private static final Pattern ROW = Pattern.compile("\\| (?:<a id=\"[\\w-]+\"></a>)?(\\w+) \\|.*");

    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([\\w-]+)\">");

    private final Set<String> files;
    private final Map<String, List<String>> headings = new TreeMap<>();
    private final Map<String, List<String>> rows = new TreeMap<>();
    private final Map<String, List<String>> sections = new TreeMap<>();
    private final Map<String, List<String>> anchors = new TreeMap<>();

    DocumentIndex(Map<String, String> files) {
        this.files = files.keySet();
        files.forEach((path, text) -> {
            if (path.endsWith(".md")) {
                headings.put(path, first(HEADING, text));
                rows.put(path, first(ROW, text));
                sections.put(path, numbers(text));
                anchors.put(
                        path,
                        ANCHOR.matcher(text)
                                .results()
                                .map(each -> each.group(1))
                                .toList());
            }
        });
    }

    private static List<String> first(Pattern pattern, String text) {
        List<String> groups = new ArrayList<>();
        text.lines().map(pattern::matcher).filter(Matcher::matches).forEach(line -> groups.add(line.group(1)));
        return groups;
    }

    /** The numbers of the headings, and of the items of lists below them: item 3 of section 12 is 12.3. */
    private static List<String> numbers(String text) {
        List<String> numbers = new ArrayList<>();
        String section = "";
        for (String line : text.lines().toList()) {
            Matcher heading = HEADING.matcher(line);
            Matcher item = ITEM.matcher(line);
            if (heading.matches()) {
                Matcher numbered = NUMBERED.matcher(heading.group(1));
                section = numbered.matches() ? numbered.group(1) : "";
                numbers.add(section);
            } else if (item.matches() && !section.isEmpty()) {
                numbers.add(section + "." + item.group(1));
            }
        }
        return numbers;
    }

    /** A path as it is written in a document, from the top of the repository. */
    static String resolve(String document, String path) {
        return URI.create(document).resolve(path).getPath();
    }

    /** Whether a file or a folder, or one file of a number, is there: {@code docs/decisions/0044}. */
    boolean hasPath(String path) {
        String folder = path.endsWith("/") ? path : path + "/";
        boolean decision = path.matches("docs/decisions/\\d{4}");
        return files.contains(path)
                || files.stream()
                        .anyMatch(file -> file.startsWith(folder) || (decision && file.startsWith(path + "-")));
    }

    /** Whether a file of this name is there, with as much of its folders as is given. */
    boolean hasPage(String page) {
        return files.stream().anyMatch(named(page));
    }

    boolean hasSection(String page, String number) {
        return any(sections, page, number::equals);
    }

    boolean hasHeading(String page, String text) {
        return any(headings, page, text::equals);
    }

    /** Whether an anchor is written out, or a heading has it as GitHub makes them. */
    boolean hasAnchor(String page, String anchor) {
        return any(anchors, page, anchor::equals)
                || any(
                        headings,
                        page,
                        heading -> heading.toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w -]", "")
                                .replace(' ', '-')
                                .equals(anchor));
    }

    /** Whether a table has a row whose first cell this is. */
    boolean hasRow(String page, String cell) {
        return any(rows, page, cell::equals);
    }

    private static boolean any(Map<String, List<String>> lines, String page, Predicate<String> wanted) {
        Predicate<String> named = named(page);
        return lines.entrySet().stream()
                .anyMatch(document -> named.test(document.getKey())
                        && document.getValue().stream().anyMatch(wanted));
    }

    private static Predicate<String> named(String page) {
        String end = "/" + page.replaceFirst("^(\\.\\./)+", "");
        return path -> ("/" + path).endsWith(end);
    }
}
