package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestSize;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise P13 over the whole corpus: what came in is what comes out, octet for octet, below our trace fields. */
class RawRoundTripHttpTest {
    private static final Path CORPUS = Path.of("mail/src/test/resources/corpus");

    @Test
    @Proves({"P13", "A38"})
    void everyMessageOfTheCorpusComesOutAsItCameIn() throws IOException {
        try (World world = World.start()) {
            String inbox = world.inbox("corpus");
            List<Path> files = files();
            try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                for (int i = 0; i < files.size(); i++) {
                    // A sender of its own for each: equal messages would be taken for a repeated delivery.
                    assertThat(probe.send("m" + i + "@example.com", List.of(inbox), Files.readAllBytes(files.get(i))))
                            .as(files.get(i).toString())
                            .startsWith("250");
                }
            }
            List<String> names = names(world, inbox);
            assertThat(names).hasSameSizeAs(files);
            for (int i = 0; i < files.size(); i++) {
                assertThat(raw(world, inbox, names.get(i)))
                        .as(files.get(i).toString())
                        .startsWith("Return-Path: <m" + i + "@example.com>\r\n")
                        .endsWith("\r\n" + sent(Files.readAllBytes(files.get(i))));
            }
        }
    }

    private static List<String> names(World world, String inbox) {
        List<String> names = new ArrayList<>();
        String token = "";
        do {
            HttpProbe.Answer page = world.http()
                    .get("/v0/inboxes/" + inbox + "/messages?limit=100"
                            + "&include_unauthenticated=true&include_spam=true" + token)
                    .is(200);
            page.list("messages").forEach(each -> names.add(String.valueOf(((Map<?, ?>) each).get("message_id"))));
            token = page.at("next_page_token") == null ? "" : "&page_token=" + page.text("next_page_token");
        } while (!token.isEmpty());
        Collections.reverse(names);
        return names;
    }

    private static String raw(World world, String inbox, String name) {
        String path = "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20") + "/raw";
        String link = world.http().get(path).is(200).text("download_url");
        return new String(
                world.anonymous().get(URI.create(link).getRawPath()).is(200).body(), StandardCharsets.ISO_8859_1);
    }

    /** As a client has to send it: every line ends in CR LF. */
    private static String sent(byte[] octets) {
        String lines = new String(octets, StandardCharsets.ISO_8859_1)
                .replace("\r\n", "\n")
                .replace("\r", "\n")
                .replace("\n", "\r\n");
        return lines.isEmpty() || lines.endsWith("\r\n") ? lines : lines + "\r\n";
    }

    private static List<Path> files() throws IOException {
        try (var files = Files.walk(CORPUS)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList();
            // In the short form every fifth, some of each folder; CorpusTest reads all of them in either form.
            int step = TestSize.of(5, 1);
            return IntStream.range(0, all.size())
                    .filter(i -> i % step == 0)
                    .mapToObj(all::get)
                    .toList();
        }
    }
}
