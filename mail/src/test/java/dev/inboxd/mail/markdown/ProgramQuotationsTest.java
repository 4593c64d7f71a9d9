package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The quotations that mail programs write, in many languages (markdown.md §4). */
class ProgramQuotationsTest {
    private static final Pattern FOLDED = Pattern.compile("(?m)^> \\[quoted: (\\d+) lines?, (\\d+) words?]$");

    /** A mail, and its Markdown with folded quotations. */
    record Case(String name, MarkdownSource source, String folded) {
        static Case of(String block) {
            String[] parts = block.split("\n", 4);
            String[] title = parts[0].split(" \\| ", 2);
            String body = parts[1].replace("\\n", "\n");
            boolean html = body.startsWith("<");
            MarkdownSource source = new MarkdownSource(
                    null, html ? null : body, null, html ? body : null, MailKind.valueOf(title[1]), Map.of());
            return new Case(title[0], source, parts[3].strip());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void areFoldedLeftOutOrWhole(Case mail) {
        assertThat(MarkdownOf.of(mail.source, QuoteForm.FOLD)).isEqualTo(mail.folded);
        String without = FOLDED.matcher(mail.folded).replaceAll("").strip().replaceAll("\n{3,}", "\n\n");
        assertThat(MarkdownOf.of(mail.source, QuoteForm.NONE)).isEqualTo(without);
        String full = MarkdownOf.of(mail.source, QuoteForm.FULL);
        assertThat(full).doesNotContain("[quoted");
        List<MatchResult> counts = FOLDED.matcher(mail.folded).results().toList();
        List<String> hidden = new ArrayList<>(quoted(full));
        hidden.removeAll(quoted(mail.folded)); // those that stay open
        if (counts.size() == 1) {
            assertThat(hidden).hasSize(Integer.parseInt(counts.getFirst().group(1)));
            assertThat(hidden.stream().mapToLong(ProgramQuotationsTest::words).sum())
                    .isEqualTo(Long.parseLong(counts.getFirst().group(2)));
        }
    }

    private static List<String> quoted(String markdown) {
        return markdown.lines()
                .filter(line -> line.startsWith(">"))
                .map(line -> line.substring(1).strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static long words(String line) {
        return Stream.of(line.strip().split("\\s+", -1))
                .filter(word -> !word.isEmpty())
                .count();
    }

    static List<Case> cases() throws IOException {
        byte[] octets = Objects.requireNonNull(ProgramQuotationsTest.class.getResourceAsStream("quotations.txt"))
                .readAllBytes();
        return Stream.of(new String(octets, StandardCharsets.UTF_8).split("(?m)^@ ", -1))
                .skip(1)
                .map(Case::of)
                .toList();
    }
}
