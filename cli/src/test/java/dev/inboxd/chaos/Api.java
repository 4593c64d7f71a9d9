package dev.inboxd.chaos;

import dev.inboxd.base.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What users are shown of their mail, held against what was sent. A row that is there proves little to them: the list
 * must have each mail once, and its octets must be those that its client sent.
 */
final class Api {
    /** So many mails are read whole, evenly chosen; of all others the list is enough. */
    private static final int READ = 100;

    private static final String TRACE = "Return-Path: <load@elsewhere.test>\r\n";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String key;

    /** What that key is shown; the service is up. */
    Api(Service.Place place, String key) {
        this.base = "http://127.0.0.1:" + place.httpPort();
        this.key = key;
    }

    /** What a list has. */
    private record Listed(String subject, String name) {}

    /** One mail in one inbox of the key's organization. */
    private record Copy(Ledger.Mail mail, String inbox) {}

    /** What is not shown once, or not as it was sent; empty when everything is. */
    List<String> wrong(Collection<? extends Ledger.Deed> acknowledged) {
        List<String> wrong = new ArrayList<>();
        Map<String, List<Listed>> lists = new HashMap<>();
        List<Copy> copies = copies(acknowledged);
        int step = Math.max(1, copies.size() / READ);
        for (int i = 0; i < copies.size(); i++) {
            Copy copy = copies.get(i);
            List<Listed> same = lists.computeIfAbsent(copy.inbox, this::list).stream()
                    .filter(each -> each.subject.equals(copy.mail.subject()))
                    .toList();
            if (same.size() != 1) {
                wrong.add(copy.mail + " is listed " + same.size() + " times in " + copy.inbox);
            } else if (i % step == 0 && !isAsSent(copy.mail, raw(copy.inbox, same.getFirst().name))) {
                wrong.add(copy.mail + " in " + copy.inbox + " is not what was sent");
            }
        }
        return wrong;
    }

    /** Those of the operator's organization are nothing that this key is shown. */
    private static List<Copy> copies(Collection<? extends Ledger.Deed> acknowledged) {
        List<Copy> copies = new ArrayList<>();
        acknowledged.stream()
                .filter(Ledger.Mail.class::isInstance)
                .map(Ledger.Mail.class::cast)
                .sorted(Comparator.comparingInt(Ledger.Mail::number))
                .forEach(mail -> mail.recipients().stream()
                        .filter(to -> !to.startsWith("postmaster"))
                        .forEach(to -> copies.add(new Copy(mail, to))));
        return copies;
    }

    /** Our trace fields, and below them every octet of the client's. */
    private static boolean isAsSent(Ledger.Mail mail, byte[] raw) {
        byte[] sent = mail.octets();
        int start = raw.length - sent.length;
        return start > 0
                && Arrays.equals(sent, 0, sent.length, raw, start, raw.length)
                && new String(raw, 0, start, StandardCharsets.ISO_8859_1).startsWith(TRACE)
                && raw[start - 1] == '\n';
    }

    private List<Listed> list(String inbox) {
        List<Listed> listed = new ArrayList<>();
        String token = "";
        do {
            Map<?, ?> page = object("/v0/inboxes/" + inbox
                    + "/messages?limit=100&include_unauthenticated=true&include_spam=true" + token);
            for (Object each : page.get("messages") instanceof List<?> messages ? messages : List.of()) {
                if (each instanceof Map<?, ?> mail) {
                    listed.add(new Listed(String.valueOf(mail.get("subject")), String.valueOf(mail.get("message_id"))));
                }
            }
            token = page.get("next_page_token") instanceof String next ? "&page_token=" + next : "";
        } while (!token.isEmpty());
        return listed;
    }

    private byte[] raw(String inbox, String name) {
        Map<?, ?> raw = object(
                "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/raw");
        URI link = URI.create(String.valueOf(raw.get("download_url")));
        return get(link.getRawPath() + (link.getRawQuery() == null ? "" : "?" + link.getRawQuery()));
    }

    private Map<?, ?> object(String path) {
        return Json.parse(get(path)) instanceof Map<?, ?> object ? object : Map.of();
    }

    private byte[] get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + key)
                .build();
        try {
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("GET " + path + ": " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException cut) {
            throw new UncheckedIOException(cut);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
