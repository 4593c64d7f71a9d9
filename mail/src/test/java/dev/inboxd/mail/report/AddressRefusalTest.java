package dev.inboxd.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real replies to RCPT: which of them mean that the address is bad, and which mean anything else. */
class AddressRefusalTest {
    private static final Path REPLIES = Path.of("mail/src/test/resources/refusals.txt");

    @Test
    void onlyRepliesAboutTheAddressAreTakenForSuch() throws IOException {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (String line : Files.readAllLines(REPLIES)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.split(" \\| ", 3);
            boolean blocks = AddressRefusal.isMeantBy(columns[2], "kim@example.org");
            if (blocks != columns[0].equals("blocks")) {
                wrong.add(line);
            }
            count++;
        }
        assertThat(wrong).isEmpty();
        assertThat(count).isGreaterThan(200);
    }
}
