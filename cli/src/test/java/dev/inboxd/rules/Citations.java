package dev.inboxd.rules;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the comments and the documents of a repository cite of its own: documents and their sections, decisions,
 * rulings, promises, attacks, links. {@link RfcTest} looks after the RFCs.
 */
final class Citations {
    private static final String NUMBER = "\\d+[a-z]?(?:\\.\\d+)*";
    private static final String PAGE = "(?:\\.\\./)*(?:[\\w-]+/)*[\\w-]+\\.(?:md|tsv)\\b";

    /** {@code mail.md §4.7, §5}; also by the bare name of a document. */
    private static final Pattern SECTION = Pattern.compile("((?<![\\w/.-])" + PAGE
            + "|\\b(?:architecture|contract|design|events|flow-in|flow-out|identity|inside|mail|operating|performance"
            + "|promises|spec))`?,? §(" + NUMBER + ")((?:,? (?:and |to )?§" + NUMBER + ")*)");

    private static final Pattern SECTION_NUMBER = Pattern.compile(NUMBER);
    private static final Pattern DOCUMENT = Pattern.compile("(?<![\\w/.:-])(" + PAGE + ")(?:, \"([^\"]+)\")?");
    private static final Pattern FOLDER = Pattern.compile("(?<![\\w/.-])docs/[\\w/-]++(?!\\.(?:md|tsv|png))");
    private static final Pattern DECISION = Pattern.compile("\\b[Dd]ecisions? (" + list("\\d{4}") + ")\\b");
    private static final Pattern RULING = Pattern.compile("\\b[Rr]ulings? (" + list("\\d+") + ")\\b");
    private static final Pattern PROMISE = Pattern.compile("(?<![\\w=%+&#/.-])[PA][1-9]\\d?(?![\\w=%+-])");
    private static final Pattern LINK =
            Pattern.compile("\\[([^\\[\\]]+)\\]\\(([^()\\s]+)\\)(?:, section (" + NUMBER + "))?");
    /** In a document: of itself. */
    private static final Pattern OWN_SECTION =
            Pattern.compile("(?<!\\), )(?<!RFC \\d{1,5},? )\\b[Ss]ections? (" + list(NUMBER) + ")(?! of )");

    private static final Pattern DIGITS = Pattern.compile("\\d+");
    /** Documents that are no part of the repository. */
    private static final Pattern FOREIGN = Pattern.compile("\\b[Cc]ontract(?: README|[:,/] ?\\w+\\.md| \\w+\\.md|,? §)"
            + "|(?<![\\w-])spec(?:[,:)]| has\\b| says\\b)|(?<![\\w/])design/\\w+");

    private static final Map<String, Pattern> COMMENTS = Map.of(
            "java", Pattern.compile("^\\s*(?:/\\*\\*?|\\*(?!/))(.*?)(?:\\*/)?$|(?<!\\S)//(.*)"),
            "js", Pattern.compile("^\\s*(?:/\\*\\*?|\\*(?!/))(.*?)(?:\\*/)?$|(?<!\\S)//(.*)"),
            "sql", Pattern.compile("(?<!\\S)--(.*)"),
            "md", Pattern.compile("(.*)"),
            "xml", Pattern.compile("(.*)"));
    private static final Pattern OTHER_COMMENT = Pattern.compile("(?<!\\S)#(.*)|^\\s*\"\"\"(.*)");

    private final DocumentIndex documents;
    private final NavigableMap<String, String> missing = new TreeMap<>();

    private Citations(DocumentIndex documents) {
        this.documents = documents;
    }

    /**
     * What is cited and is not there, each with a file that cites it.
     *
     * @param files every file by its path, with its text
     */
    static NavigableMap<String, String> missing(Map<String, String> files) {
        Citations citations = new Citations(new DocumentIndex(files));
        files.forEach((path, text) -> citations.read(path, prose(path, text)));
        return citations.missing;
    }

    private static String list(String number) {
        return number + "(?:(?:,| and|, and| to) " + number + ")*";
    }

    /** The comments of a file, or all of a document, with one blank for each break of a line within them. */
    private static String prose(String path, String text) {
        Pattern comment = COMMENTS.getOrDefault(path.substring(path.lastIndexOf('.') + 1), OTHER_COMMENT);
        StringBuilder prose = new StringBuilder();
        text.lines().forEach(line -> {
            Matcher found = comment.matcher(line);
            if (found.find()) {
                prose.append(
                                found.group(1) == null
                                        ? found.group(2).strip()
                                        : found.group(1).strip())
                        .append(' ');
            } else {
                prose.append('\n');
            }
        });
        return prose.toString();
    }

    private void read(String path, String prose) {
        Consumer<String> report = citation -> missing.putIfAbsent(citation, path);
        each(FOREIGN, prose, found -> report.accept(found.group()));
        each(SECTION, prose, found -> section(found, report));
        each(DOCUMENT, prose, found -> document(path, found.group(1), found.group(2), report));
        each(FOLDER, prose, found -> require(documents.hasPath(found.group()), found.group(), report));
        each(
                DECISION,
                prose,
                found -> each(
                        DIGITS,
                        found.group(1),
                        number -> require(
                                documents.hasPath("docs/decisions/" + number.group()),
                                "decision " + number.group(),
                                report)));
        each(RULING, prose, found -> each(DIGITS, found.group(1), number -> ruling(number.group(), report)));
        each(PROMISE, prose, found -> require(documents.hasRow("promises.md", found.group()), found.group(), report));
        if (path.endsWith(".md")) {
            each(LINK, prose, found -> link(path, found, report));
            each(
                    OWN_SECTION,
                    prose,
                    found -> each(
                            SECTION_NUMBER,
                            found.group(1),
                            number -> require(
                                    documents.hasSection(path, number.group()),
                                    path + ", section " + number.group(),
                                    report)));
        }
    }

    private void section(MatchResult found, Consumer<String> report) {
        String page = found.group(1).endsWith(".md") ? found.group(1) : found.group(1) + ".md";
        if (!documents.hasPage(page)) {
            report.accept(page);
            return;
        }
        each(
                SECTION_NUMBER,
                found.group(2) + found.group(3),
                number -> require(documents.hasSection(page, number.group()), page + " §" + number.group(), report));
    }

    private void document(String path, String page, @Nullable String heading, Consumer<String> report) {
        if (!documents.hasPage(page) && !documents.hasPath(DocumentIndex.resolve(path, page))) {
            report.accept(page);
        } else if (heading != null) {
            require(documents.hasHeading(page, heading), page + ", \"" + heading + "\"", report);
        }
    }

    private void ruling(String number, Consumer<String> report) {
        if (documents.hasPage("docs/api/rulings.md")) {
            require(documents.hasRow("docs/api/rulings.md", number), "ruling " + number, report);
        } else {
            report.accept("docs/api/rulings.md");
        }
    }

    /** A link leads to a file and, behind #, to one of its headings; a decision's number, to that decision. */
    private void link(String path, MatchResult found, Consumer<String> report) {
        String target = found.group(2);
        if (target.contains(":")) {
            return;
        }
        String number = found.group(1).replaceFirst("^[Dd]ecision ", "");
        int hash = target.indexOf('#');
        String page = hash == 0 ? path : DocumentIndex.resolve(path, hash < 0 ? target : target.substring(0, hash));
        boolean right = documents.hasPath(page)
                && (hash < 0 || documents.hasAnchor(page, target.substring(hash + 1)))
                && (found.group(3) == null || documents.hasSection(page, found.group(3)))
                && (!number.matches("\\d{4}") || page.startsWith("docs/decisions/" + number));
        require(right, found.group(), report);
    }

    private static void require(boolean there, String citation, Consumer<String> report) {
        if (!there) {
            report.accept(citation);
        }
    }

    private static void each(Pattern pattern, String text, Consumer<MatchResult> action) {
        pattern.matcher(text).results().forEach(action);
    }
}
