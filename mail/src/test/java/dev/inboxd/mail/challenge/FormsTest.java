package dev.inboxd.mail.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The forms in which codes and links are mailed, and what looks like one. */
class FormsTest {
    @ParameterizedTest
    @MethodSource("codes")
    void aCodeIsFoundInEachForm(String line) {
        String[] parts = line.split(" \\| ", 3);
        ChallengeText mail = mail(parts);
        List<MailedCode> codes = MailedCodes.in(mail);
        switch (parts[0]) {
            case "-" -> assertThat(codes).isEmpty();
            case "B" -> assertThat(codes).hasSizeGreaterThan(2).allMatch(code -> code.kind() == MailedCode.Kind.BACKUP);
            default -> assertThat(Challenge.CODE.in(mail)).contains(parts[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void aLinkIsFoundInEachForm(String line) {
        String[] parts = line.split(" \\| ", 3);
        ChallengeText mail = mail(parts);
        String found = Challenge.LINK
                .in(mail)
                .map(url -> url + " " + mail.links().getFirst().kind().word())
                .orElse("-");
        assertThat(found).isEqualTo(parts[0]);
    }

    private static ChallengeText mail(String[] parts) {
        String body = parts[2].replace("\\n", "\n");
        boolean html = body.startsWith("<");
        String text = html ? null : body;
        return ChallengeText.of(parts[1], new MailBodies(text, text, html ? body : null, false), null);
    }

    static List<String> codes() throws IOException {
        return lines("codes-forms.txt");
    }

    static List<String> links() throws IOException {
        return lines("links-forms.txt");
    }

    private static List<String> lines(String file) throws IOException {
        byte[] octets = Objects.requireNonNull(FormsTest.class.getResourceAsStream(file))
                .readAllBytes();
        return new String(octets, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
