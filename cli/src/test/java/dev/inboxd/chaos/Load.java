package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.json.Json;
import dev.inboxd.testing.SmtpProbe;
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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that work all the time, however often the service dies under them. They behave as good clients do: what was
 * not answered, or refused for now, is asked again until it is acknowledged.
 */
final class Load {
    private static final String DOMAIN = "@mail.localhost";
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Service.Place place;
    private final Ledger ledger;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> strange = new ConcurrentLinkedQueue<>();
    private final Set<String> refusals = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String key;
    private volatile Ledger.@Nullable Mail recent;
    private volatile boolean stopping;

    /** Clients of a service, with its first key. */
    Load(Service.Place place, Ledger ledger, String key) {
        this.place = place;
        this.ledger = ledger;
        this.key = key;
    }

    /**
     * What a load consists of.
     *
     * @param mailers how many send mail from outside
     * @param callers how many call the API
     * @param mails how many mails one session of SMTP has at most
     */
    record Size(int mailers, int callers, int mails) {
        Size(int mailers, int callers) {
            this(mailers, callers, Integer.MAX_VALUE);
        }
    }

    /** Opens the inboxes and lets everybody begin, each with randomness of its own from the seed. */
    void start(Size size, int mailPort, long seed) {
        List<String> inboxes = new ArrayList<>();
        for (int i = 0; i < size.mailers(); i++) {
            inboxes.add(open("chaos" + i));
        }
        for (int i = 0; i < size.mailers(); i++) {
            Random random = new Random(seed + i);
            threads.add(Thread.ofVirtual().start(() -> mail(new Mailer(mailPort, size.mails), inboxes, random)));
        }
        for (int i = 0; i < size.callers(); i++) {
            String own = open("caller" + i);
            threads.add(Thread.ofVirtual().start(() -> call(own, inboxes.getFirst())));
        }
    }

    /** Answers that a service in any state must not give. */
    List<String> strange() {
        return List.copyOf(strange);
    }

    /** How often it said: not now. */
    int refused() {
        return refused.get();
    }

    /** With what it said: not now; "cut off" where no answer came. */
    Set<String> refusals() {
        return Set.copyOf(refusals);
    }

    /** Lets everybody finish what was begun; the service must be up. */
    void finish() {
        stopping = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Has every arrival in the organization posted to that URL. */
    void hook(String url) {
        HttpResponse<byte[]> answer = send("POST", "/v0/webhooks", """
                {"url":"%s","event_types":["message.received","message.received.spam",\
                "message.received.unauthenticated"]}""".formatted(url), null);
        if (answer == null || answer.statusCode() != 200) {
            throw new IllegalStateException("The service makes no webhook");
        }
    }

    /** Opens an inbox; returns its address. */
    String open(String username) {
        HttpResponse<byte[]> answer = send("POST", "/v0/inboxes", json("username", username), null);
        if (answer != null
                && Json.parse(answer.body()) instanceof Map<?, ?> inbox
                && inbox.get("inbox_id") instanceof String id) {
            return id;
        }
        throw new IllegalStateException("The service opens no inbox");
    }

    /**
     * Somebody who sends mail.
     *
     * @param port where to
     * @param mails how many in one session at most
     */
    private record Mailer(int port, int mails) {}

    private void mail(Mailer mailer, List<String> inboxes, Random random) {
        @Nullable SmtpProbe session = null;
        for (int sent = 1; !stopping; sent++) {
            Ledger.Mail mail = new Ledger.Mail(ledger.next(), recipients(inboxes, random));
            String text = mail.text();
            ledger.intend(mail);
            String reply = "";
            while (!reply.startsWith("2") && !reply.startsWith("5")) {
                try {
                    session = session == null ? new SmtpProbe(mailer.port) : session;
                    reply = session.send("load@elsewhere.test", mail.recipients(), text);
                } catch (UncheckedIOException cut) {
                    reply = "";
                }
                if (!reply.startsWith("2")) {
                    session = closed(session);
                    refuse(reply.isEmpty() ? "SMTP cut off" : "SMTP " + reply.split(" ", 3)[0]);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
            if (reply.startsWith("2")) {
                ledger.acknowledge(mail);
                recent = mail;
            } else {
                strange.add("SMTP " + reply);
            }
            session = sent % mailer.mails == 0 ? closed(session) : session;
        }
        closed(session);
    }

    private static @Nullable SmtpProbe closed(@Nullable SmtpProbe session) {
        if (session != null) {
            session.close();
        }
        return null;
    }

    /** Mostly one inbox, sometimes two, sometimes one of the operator's organization beside it. */
    private static List<String> recipients(List<String> inboxes, Random random) {
        String first = inboxes.get(random.nextInt(inboxes.size()));
        return switch (random.nextInt(10)) {
            case 0 -> List.of(first, "postmaster" + DOMAIN);
            case 1, 2 ->
                inboxes.stream()
                        .filter(inbox -> !inbox.equals(first))
                        .findAny()
                        .map(second -> List.of(first, second))
                        .orElse(List.of(first));
            default -> List.of(first);
        };
    }

    /** Opens inboxes, renames its own, sends from it and labels what came in, by turns. */
    private void call(String own, String other) {
        for (int version = 1; !stopping; version++) {
            Ledger.Inbox inbox = new Ledger.Inbox("chaos-" + ledger.next());
            until(inbox, "POST", "/v0/inboxes", json("client_id", inbox.clientId()), null);
            Ledger.Rename rename = new Ledger.Rename(own, version);
            until(rename, "PATCH", "/v0/inboxes/" + own, json("display_name", String.valueOf(version)), null);
            Ledger.Send send = new Ledger.Send("sent " + ledger.next(), other);
            // Every second one relies on the service alone to know a repeated request (promise P5).
            until(
                    send,
                    "POST",
                    "/v0/inboxes/" + own + "/messages/send",
                    """
                    {"to":["%s","jo@elsewhere.test"],"subject":"%s",\
                    "text":"Hello"}""".formatted(other, send.subject()),
                    version % 2 == 0 ? null : send.subject().replace(' ', '-'));
            Ledger.Mail mail = recent;
            if (mail != null) {
                Ledger.Relabel relabel =
                        new Ledger.Relabel(mail.recipients().getFirst(), mail.name(), "kept-" + ledger.next());
                until(
                        relabel,
                        "PATCH",
                        "/v0/inboxes/" + relabel.inbox() + "/messages/"
                                + URLEncoder.encode(relabel.message(), StandardCharsets.UTF_8),
                        json("add_labels", List.of(relabel.label())),
                        null);
            }
        }
    }

    /**
     * Asks until there is an answer that is not "not now". A send with a key that was cut off is in progress for the
     * service until its lease ends; in the end nobody waits for that.
     */
    private void until(Ledger.Deed deed, String method, String path, String json, @Nullable String idempotencyKey) {
        ledger.intend(deed);
        HttpResponse<byte[]> answer = send(method, path, json, idempotencyKey);
        while (answer == null || answer.statusCode() == 503 || answer.statusCode() == 409) {
            if (stopping && answer != null && answer.statusCode() == 409) {
                return;
            }
            refuse(answer == null ? "HTTP cut off" : "HTTP " + answer.statusCode());
            LockSupport.parkNanos(PAUSE.toNanos());
            answer = send(method, path, json, idempotencyKey);
        }
        if (answer.statusCode() == 200) {
            ledger.acknowledge(deed);
        } else {
            strange.add(method + " " + path + ": " + answer.statusCode());
        }
    }

    private void refuse(String how) {
        refused.incrementAndGet();
        refusals.add(how);
    }

    /** One request; null when no answer came. */
    private @Nullable HttpResponse<byte[]> send(
            String method, String path, String json, @Nullable String idempotencyKey) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + place.httpPort() + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json));
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException cut) {
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
