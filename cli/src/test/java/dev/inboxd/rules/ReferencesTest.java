package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What comments and documents cite is in the repository. */
class ReferencesTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/references.txt"));
    private static final List<String> ROOTS = List.of(".ci", "docs", "mail", "base", "server", "cli", "suite");
    /** Mail and lists of others: no comments, and what looks like a citation there is none. */
    private static final List<String> MATTER =
            List.of("corpora", "corpus", "compose", "replies", "node_modules", "__pycache__");

    private static final Map<String, String> PLANTED = Map.of(
            "docs/guide.md", "# Guide\n## 1. One, and two\n### 1.2 Two\n1. First\n2. Second\n## Growing\n",
            "docs/promises.md", "| P1 | kept |\n| A12 | beaten off |\n",
            "docs/api/rulings.md", "| <a id=\"ruling-18\"></a>18 | ids |\n",
            "docs/decisions/0007-mime.md", "# 0007\n");

    @Test
    void everythingThatIsCitedIsThere() throws IOException {
        Map<String, String> files = files();
        assertThat(files).hasSizeGreaterThan(1000).containsKeys("inboxd", "pom.xml", "docs/promises.md");
        assertThat(EXCEPTIONS.difference(new TreeMap<>(Citations.missing(files))))
                .isEmpty();
    }

    @Test
    void theTypesThatDocumentsNameAreThere() throws IOException {
        assertThat(NamedTypes.missing(files())).isEmpty();
    }

    @Test
    void aTypeThatWasRenamedIsSeen() {
        assertThat(NamedTypes.missing(Map.of(
                        "src/dev/inboxd/mail/QuoteCutter.java",
                        "class QuoteCutter {}",
                        "docs/a.md",
                        "`Cut`, `mail.QuoteCutter`, `QuoteCutter.cut(a)`, `QuoteSlicer`, `a.QuoteCutter`")))
                .containsExactly("a.md: `QuoteSlicer`", "a.md: `a.QuoteCutter`");
    }

    @Test
    void whatIsThereIsFound() {
        assertThat(missing("A.java", "/** guide.md §1.2.2, §1 (docs/guide.md, \"Growing\"; ruling 18). */"))
                .isEmpty();
        assertThat(missing("A.java", "// decision 0007, docs/decisions/0007, docs/decisions/0007-mime.md"))
                .isEmpty();
        assertThat(missing("A.java", "// attack A12 (P1), docs/api, P-256")).isEmpty();
        assertThat(missing("README.md", "[0007](docs/decisions/0007-mime.md) [18](docs/api/rulings.md#ruling-18)"))
                .isEmpty();
        assertThat(missing("docs/a.md", "the [guide](guide.md), section 1.2, [web](https://a.test/b.md)"))
                .isEmpty();
    }

    @Test
    void aSectionThatIsMissingIsSeen() {
        assertThat(missing("A.java", "/**\n * Of `guide.md`\n * §1.2 and §1.3, and guide §4.\n */"))
                .containsOnly("guide.md §1.3");
        assertThat(missing("A.java", "// docs/guide.md, \"Shrinking\"")).containsOnly("docs/guide.md, \"Shrinking\"");
        assertThat(missing("docs/a.md", "[guide](guide.md), section 7a")).containsOnly("[guide](guide.md), section 7a");
        assertThat(missing("docs/a.md", "## 2. B\nSee sections 2 and\n3, RFC 5321, section 4, section 5 of RFC 1870"))
                .containsOnly("docs/a.md, section 3");
        assertThat(missing("docs/a.md", "[y](guide.md#1-one-and-two) [x](guide.md#three)"))
                .containsOnly("[x](guide.md#three)");
    }

    @Test
    void aDocumentThatIsMissingIsSeen() {
        assertThat(missing("A.java", "// none.md §3; docs/nowhere/at")).containsOnly("none.md", "docs/nowhere/at");
        assertThat(missing("a.sql", "-- architecture §8.6")).containsOnly("architecture.md");
        assertThat(missing("docs/a.md", "[x](none.png)")).containsOnly("[x](none.png)");
    }

    @Test
    void aNumberThatIsMissingIsSeen() {
        assertThat(missing("A.java", "int a;\t// decisions 0007 and 0008, rulings 18, 19, P2 (A13)"))
                .containsOnly("decision 0008", "ruling 19", "P2", "A13");
        assertThat(missing("docs/a.md", "[0008](decisions/0007-mime.md)"))
                .containsOnly("[0008](decisions/0007-mime.md)");
    }

    @Test
    void aDocumentOfOthersIsSeen() {
        assertThat(missing("A.java", "// contract: guide.md §1; contract README, ruling 18; (spec, \"Errors\")"))
                .containsOnly("contract: guide.md", "contract README", "spec,");
    }

    @Test
    void codeIsNoComment() {
        assertThat(missing("A.java", "String a = \"none.md §3 P2 =A4\";")).isEmpty();
    }

    private static Iterable<String> missing(String path, String text) {
        Map<String, String> files = new TreeMap<>(PLANTED);
        files.put(path, text);
        return Citations.missing(files).keySet();
    }

    /** The files of the repository; those that are neither text nor ours are only there to be named. */
    private static Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> top = Files.list(Path.of(""))) {
            for (Path file : top.filter(Files::isRegularFile).toList()) {
                files.put(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            }
        }
        for (String root : ROOTS) {
            try (Stream<Path> below = Files.walk(Path.of(root))) {
                for (Path file : below.filter(Files::isRegularFile).toList()) {
                    String path = file.toString();
                    boolean matter = MATTER.stream().anyMatch(folder -> path.contains("/" + folder + "/"));
                    files.put(path, matter ? "" : new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                }
            }
        }
        return files;
    }
}
