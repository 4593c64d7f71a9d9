package dev.inboxd.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of mail/README.md compile with what the library needs, and give what their comments say. */
class ReadmeTest {
    private static final Path README = Path.of("mail/README.md");
    private static final Pattern STANDARD = Pattern.compile("\\bRFC (\\d+)");
    private static final int MOST_LINES = 5;

    @TempDir
    Path folder;

    @Test
    void everyExampleGivesWhatItSays() throws Exception {
        ReadmeExamples examples = new ReadmeExamples(Files.readString(README));
        assertThat(examples.programs()).hasSizeGreaterThan(15);
        assertThat(examples.faults(folder)).isEmpty();
    }

    @Test
    void everyExampleIsShortAndShowsAResult() throws IOException {
        new ReadmeExamples(Files.readString(README)).programs().forEach((heading, blocks) -> {
            assertThat(blocks).as(heading).allSatisfy(block -> assertThat(block).hasSizeBetween(1, MOST_LINES));
            assertThat(blocks.getLast()).as(heading).anyMatch(ReadmeExamples::isResult);
        });
    }

    @Test
    void everyStandardThatItNamesIsOneOfTheModule() throws IOException {
        Set<String> cited = Files.readAllLines(Path.of("docs/rfc.tsv")).stream()
                .filter(line -> line.contains("mail."))
                .map(line -> line.substring(0, line.indexOf('\t')))
                .collect(Collectors.toSet());
        List<String> named = STANDARD.matcher(Files.readString(README))
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
        assertThat(cited).containsAll(named);
        assertThat(named).hasSizeGreaterThan(20);
    }

    @Test
    void aWrongResultIsSeen() throws Exception {
        assertThat(faults("Integer.parseInt(\"2\"); // -> 3\n\"a\\nb\".concat(\n    \"c\"); // -> a\\nbc"))
                .containsExactly("Sums: stated 3, is 2");
    }

    @Test
    void anExampleThatThrowsIsSeen() throws Exception {
        assertThat(faults("Integer.parseInt(\"two\"); // -> 2"))
                .containsExactly("Sums: throws java.lang.NumberFormatException: For input string: \"two\"");
    }

    @Test
    void anExampleThatDoesNotCompileIsSeen() throws Exception {
        assertThat(faults("dev.inboxd.mail.dkim.TagList.parse(\"a=1\").missing(); // -> 1"))
                .singleElement()
                .asString()
                .startsWith("Sums: cannot find symbol");
        assertThat(faults("org.assertj.core.api.Assertions.assertThat(1); // -> 1"))
                .singleElement()
                .asString()
                .contains("does not exist");
    }

    @Test
    void blocksUnderOneHeadingAreOneProgram() throws Exception {
        assertThat(faults("int two = 2;\n```\nand\n```java\nInteger.sum(two, two); // -> 5"))
                .containsExactly("Sums: stated 5, is 4");
    }

    private List<String> faults(String block) throws Exception {
        return new ReadmeExamples("# Sums\n```java\n" + block + "\n```\n").faults(folder);
    }
}
