package dev.inboxd.mail.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What remains of each mail in {@code mail/src/test/resources/replies}. A file has a note, {@code === text} or
 * {@code === html}, the mail, {@code === reply}, and what remains.
 */
class RepliesTest {
    private static final Path REPLIES = Path.of("mail/src/test/resources/replies");
    /** A folder of others' cases, with {@code emails} and {@code trimmed}. */
    private static final Path OTHERS = Path.of(System.getProperty("test.replies", "../shared/corpora/replies"));

    @TestFactory
    Stream<DynamicTest> onlyWhatIsNewRemains() throws IOException {
        return files(REPLIES).stream()
                .map(file -> DynamicTest.dynamicTest(file.toFile().getName(), () -> check(Files.readString(file))));
    }

    @Test
    void whatRemainsOfOthersCasesIsWhatTheyExpectInFiftySevenOfSixtyFour() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(OTHERS), "The cases of others are not here");
        int right = 0;
        List<Path> mails = files(OTHERS.resolve("emails"));
        for (Path mail : mails) {
            String reply = ExtractedReply.textOf(Files.readString(mail).replace("\r", ""), null, false);
            String expected = Files.readString(OTHERS.resolve("trimmed").resolve(mail.getFileName()));
            right += (reply == null ? "" : reply).strip().equals(expected.strip()) ? 1 : 0;
        }
        System.out.println("replies of others: " + right + " of " + mails.size());
        assertThat(right * 64).isGreaterThanOrEqualTo(57 * mails.size());
    }

    private static void check(String file) {
        int mail = file.indexOf("\n=== ") + 1;
        int reply = file.indexOf("\n=== reply\n", mail);
        String kind = file.substring(mail + 4, file.indexOf('\n', mail));
        String body = file.substring(file.indexOf('\n', mail) + 1, reply);
        String expected = file.substring(reply + 11).stripTrailing();
        ExtractedReply extracted =
                kind.equals("html") ? ExtractedReply.of(null, body, false) : ExtractedReply.of(body, null, false);
        String actual = kind.equals("html") ? extracted.html() : extracted.text();
        assertThat(actual).isEqualTo(expected.isEmpty() ? null : expected);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
