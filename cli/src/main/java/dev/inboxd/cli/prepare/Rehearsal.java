package dev.inboxd.cli.prepare;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Some seconds of ordinary work: mail comes in, webhooks are posted, mail is listed, read, searched and answered. Java
 * knows afterwards which code is worth compiling, and how. Nothing leaves the machine.
 */
final class Rehearsal {
    /** How often a call is repeated that the server had no time for. */
    private static final int PATIENCE = 10;

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int SESSIONS = 4;
    private static final int MESSAGES = 500;
    private static final int REQUESTS = 150;
    private static final String WORDS =
            "the order is on its way and will be with you by friday please tell us when it has come "
                    + "meeting notes from today attached kind regards invoice number thank you for your patience ";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String api;
    private final String key;
    private final int smtp;
    private final String domain;

    /** @param ready what the server printed when it was ready: its addresses, and a key */
    Rehearsal(String ready) {
        this.api = match(ready, "API +(\\S+)");
        this.key = match(ready, "Key +(\\S+)");
        this.smtp = Integer.parseInt(match(ready, "SMTP +\\S+:(\\d+)"));
        this.domain = match(ready, "mail for ([^;)]+)");
    }

    private static String match(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("nothing like " + pattern);
        }
        return matcher.group(1);
    }

    /**
     * Does the work, for half a minute at most.
     *
     * @throws IOException when the server does not answer as it should
     */
    void run() throws IOException {
        HttpServer endpoint = endpoint();
        ExecutorService threads = Executors.newFixedThreadPool(2 * SESSIONS);
        try {
            prepare(endpoint.getAddress().getPort());
            List<Callable<@Nullable Void>> parts = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                int number = i;
                parts.add(() -> receive(number));
                parts.add(() -> use(number));
            }
            for (Future<@Nullable Void> part : threads.invokeAll(parts, LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                // What takes longer than that is left out.
                if (!part.isCancelled()) {
                    part.get();
                }
            }
        } catch (ExecutionException failed) {
            throw new IOException("The rehearsal failed: " + failed.getMessage(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", stopped);
        } finally {
            threads.shutdownNow();
            client.shutdownNow();
            endpoint.stop(0);
        }
    }

    private static HttpServer endpoint() throws IOException {
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        endpoint.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        endpoint.start();
        return endpoint;
    }

    private void prepare(int port) throws IOException, InterruptedException {
        request(
                "POST",
                "/webhooks",
                "{\"url\":\"http://127.0.0.1:" + port
                        + "/\",\"event_types\":[\"message.received\",\"message.received.unauthenticated\"]}");
        for (int i = 0; i < SESSIONS; i++) {
            request("POST", "/inboxes", "{\"username\":\"rehearsal" + i + "\"}");
        }
    }

    private @Nullable Void receive(int number) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), smtp)) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            say(socket, in, null);
            say(socket, in, "EHLO client.test");
            for (int i = 0; i < MESSAGES; i++) {
                say(socket, in, "MAIL FROM:<sender" + i % 7 + "@client.test>");
                say(socket, in, "RCPT TO:<rehearsal" + (number + i) % SESSIONS + "@" + domain + ">");
                say(socket, in, "DATA");
                say(socket, in, message(number, i) + "\r\n.");
            }
            say(socket, in, "QUIT");
        }
        return null;
    }

    private static String message(int number, int i) {
        String head = "From: Sender <sender" + i % 7 + "@client.test>\r\nTo: someone@client.test\r\nMessage-ID: <"
                + number + "."
                + i + "@client.test>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nSubject: "
                + WORDS.substring(i % 60, i % 60 + 30) + " " + i + "\r\n";
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 35; line++) {
            int at = (i * 31 + line * 17) % 90;
            text.append(WORDS, at, at + 75).append("\r\n");
        }
        return switch (i % 3) {
            case 0 -> head + "\r\n" + text;
            case 1 ->
                head + "Content-Type: text/html; charset=utf-8\r\n\r\n<p>" + text
                        + "</p><blockquote>before</blockquote>";
            default ->
                head + "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n"
                        + text + "\r\n--b\r\nContent-Type: text/html\r\n\r\n<div>" + text + "</div>\r\n--b--";
        };
    }

    private static void say(Socket socket, BufferedReader in, @Nullable String line) throws IOException {
        if (line != null) {
            OutputStream out = socket.getOutputStream();
            out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        String reply = in.readLine();
        while (reply != null && reply.length() > 3 && reply.charAt(3) == '-') {
            reply = in.readLine();
        }
        if (reply == null || reply.charAt(0) > '3') {
            throw new IOException(line + ": " + reply);
        }
    }

    private @Nullable Void use(int number) throws IOException, InterruptedException {
        String inbox = "/inboxes/" + URLEncoder.encode("rehearsal" + number + "@" + domain, StandardCharsets.UTF_8);
        for (int i = 0; i < REQUESTS; i++) {
            String to = i % 4 == 0
                    ? "rehearsal" + (number + 1) % SESSIONS + "@" + domain
                    : "somebody" + i + "@elsewhere.test";
            request(
                    "POST",
                    inbox + "/messages/send",
                    "{\"to\":\"" + to + "\",\"subject\":\"Order " + i + "\",\"text\":\"" + WORDS + "\",\"html\":\"<p>"
                            + WORDS + "</p>\"}");
            String list = request("GET", inbox + "/messages?include_unauthenticated=true&limit=20", null);
            Matcher id = Pattern.compile("\"message_id\":\"([^\"]+)\"").matcher(list);
            if (id.find()) {
                request("GET", inbox + "/messages/" + URLEncoder.encode(id.group(1), StandardCharsets.UTF_8), null);
            }
            request("GET", inbox + "/threads?limit=20", null);
            request("GET", inbox + "/messages/search?q=invoice&limit=10", null);
        }
        return null;
    }

    private String request(String method, String path, @Nullable String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json");
        HttpRequest built = request.method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = client.send(built, HttpResponse.BodyHandlers.ofString());
        for (int i = 0; i < PATIENCE && answer.statusCode() == 503; i++) { // a machine at its limits
            Thread.sleep(Duration.ofSeconds(1));
            answer = client.send(built, HttpResponse.BodyHandlers.ofString());
        }
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}
