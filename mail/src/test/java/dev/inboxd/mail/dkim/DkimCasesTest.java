package dev.inboxd.mail.dkim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.PublishedCases;
import dev.inboxd.mail.auth.TestZone;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Real signed messages: the keys of their domains in lines, an empty line, and the mail. */
class DkimCasesTest {
    private static final Path OWN = Path.of("mail/src/test/resources/authentication/dkim");

    /** When all of them were young. */
    private static final Instant THEN = Instant.parse("2022-11-03T00:00:00Z");

    @Test
    void theExamplesOfTheStandardsHold() throws IOException {
        assertThat(outcomes(OWN.resolve("rfc8463.txt"))).containsExactly(AuthResult.PASS, AuthResult.PASS);
        assertThat(outcomes(OWN.resolve("rfc6376.txt"))).containsExactly(AuthResult.PASS);
    }

    @Test
    void theMailOfOthersVerifies() throws IOException {
        Path folder = PublishedCases.file("auth/dkim");
        Map<String, List<AuthResult>> outcomes = new TreeMap<>();
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                outcomes.put(file.toFile().getName(), outcomes(file));
            }
        }
        System.out.println("DKIM cases of others: " + outcomes);
        assertThat(outcomes)
                .hasSize(6)
                .allSatisfy(
                        (file, found) -> assertThat(found).as(file).isNotEmpty().allMatch(AuthResult.PASS::equals));
    }

    private static List<AuthResult> outcomes(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1).replace("\r\n", "\n");
        int end = text.indexOf("\n\n");
        TestZone zone = new TestZone();
        for (String line : text.substring(0, end).split("\n", -1)) {
            int space = line.indexOf(' ');
            zone.add(line.substring(0, space), "TXT", line.substring(space + 1));
        }
        List<AuthResult> outcomes = new ArrayList<>();
        for (DkimResult result : DkimCheckTest.check(text.substring(end + 2), zone, THEN)) {
            outcomes.add(result.outcome());
        }
        return outcomes;
    }
}
