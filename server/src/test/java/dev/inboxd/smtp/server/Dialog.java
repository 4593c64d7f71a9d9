package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.tls.TrustAnyone;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Plays one script against a server; {@code dialogs/README.md} tells what may stand in a script. */
final class Dialog implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final RecordingMailHandler intake;
    private Socket socket;
    private InputStream in;
    private final ByteArrayOutputStream pipelined = new ByteArrayOutputStream();
    private List<String> lastReply = List.of();

    Dialog(int port, RecordingMailHandler intake) throws IOException {
        this.intake = intake;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        this.socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Runs one line of a script. */
    void play(String line) throws Exception {
        int colon = line.indexOf(':');
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        assertThat(colon).as("a keyword and a colon").isPositive();
        String keyword = line.substring(0, colon);
        int star = keyword.indexOf('*');
        int times = star < 0 ? 1 : Integer.parseInt(keyword.substring(star + 1));
        String rest = line.substring(colon + 1);
        String text = rest.startsWith(" ") ? rest.substring(1) : rest;
        perform(star < 0 ? keyword : keyword.substring(0, star), times, text);
    }

    private void perform(String keyword, int times, String text) throws Exception {
        switch (keyword) {
            case "C" -> {
                collect(times, text + "\\r\\n");
                transmit();
            }
            case "P" -> collect(times, text + "\\r\\n");
            case "R" -> {
                collect(times, text);
                transmit();
            }
            case "S" -> {
                for (int i = 0; i < times; i++) {
                    lastReply = reply();
                    assertThat(lastReply.getFirst()).startsWith(text);
                }
            }
            case "offers" ->
                assertThat(lastReply).anyMatch(line -> line.substring(4).equals(text));
            case "offers-not" ->
                assertThat(lastReply).noneMatch(line -> line.substring(4).startsWith(text));
            case "tls" -> startTls();
            case "closed" -> assertThat(isClosed()).as("closed by the server").isTrue();
            default -> check(keyword, text);
        }
    }

    private void check(String keyword, String text) {
        if (keyword.equals("mails")) {
            assertThat(intake.mails()).hasSize(Integer.parseInt(text));
            return;
        }
        RecordingMailHandler.Mail mail = intake.mails().getLast();
        switch (keyword) {
            case "body" -> assertThat(mail.body()).isEqualTo(latin1(text));
            case "size" -> assertThat(mail.body()).hasSize(Integer.parseInt(text));
            case "trace" ->
                assertThat(mail.octets().substring(0, mail.clientStart())).contains(latin1(text));
            case "trace-not" ->
                assertThat(mail.octets().substring(0, mail.clientStart())).doesNotContain(latin1(text));
            case "client" ->
                assertThat(mail.envelope().peer().address().getHostAddress()).isEqualTo(text);
            case "in-file" -> assertThat(mail.inFile()).isEqualTo(Boolean.parseBoolean(text));
            case "from" -> assertThat(mail.envelope().reversePath()).hasToString(text);
            case "to" ->
                assertThat(mail.envelope().forwardPaths())
                        .extracting(Object::toString)
                        .containsExactly(text.split(" "));
            case "recipients" -> assertThat(mail.envelope().forwardPaths()).hasSize(Integer.parseInt(text));
            case "helo" -> assertThat(mail.envelope().peer().helo()).isEqualTo(text);
            case "encrypted" -> assertThat(mail.envelope().peer().tls()).isEqualTo(Boolean.parseBoolean(text));
            default -> throw new IllegalArgumentException("Unknown keyword " + keyword);
        }
    }

    private void collect(int times, String escaped) {
        for (int i = 1; i <= times; i++) {
            pipelined.writeBytes(octets(escaped.replace("%d", Integer.toString(i))));
        }
    }

    private void transmit() throws IOException {
        try {
            pipelined.writeTo(socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (IOException serverHasClosed) {
            assertThat(socket.isConnected()).isTrue(); // what it said before that is still checked by the script
        } finally {
            pipelined.reset();
        }
    }

    private List<String> reply() throws IOException {
        List<String> lines = new ArrayList<>();
        String line;
        do {
            line = line();
            lines.add(line.length() > 3 ? line.substring(0, 3) + " " + line.substring(4) : line);
        } while (line.length() > 3 && line.charAt(3) == '-');
        return lines;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int c;
        while ((c = in.read()) != '\n') {
            assertThat(c).as("connection closed after <%s>", line).isNotNegative();
            line.append((char) c);
        }
        assertThat(line.toString()).endsWith("\r").hasSizeLessThanOrEqualTo(511);
        return line.substring(0, line.length() - 1);
    }

    private boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private void startTls() throws Exception {
        SSLSocket secured = (SSLSocket)
                TrustAnyone.context().getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        secured.startHandshake();
        socket = secured;
        in = new BufferedInputStream(secured.getInputStream());
    }

    private static String latin1(String escaped) {
        return new String(octets(escaped), StandardCharsets.ISO_8859_1);
    }

    /** {@code \r \n \t \0 \\ \xHH}; everything else as UTF-8. */
    private static byte[] octets(String escaped) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '\\') {
                int end = i + (Character.isHighSurrogate(c) ? 2 : 1);
                octets.writeBytes(escaped.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end - 1;
                continue;
            }
            char escape = escaped.charAt(++i);
            switch (escape) {
                case 'r' -> octets.write('\r');
                case 'n' -> octets.write('\n');
                case 't' -> octets.write('\t');
                case '0' -> octets.write(0);
                case '\\' -> octets.write('\\');
                case 'x' -> {
                    octets.write(Integer.parseInt(escaped.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                default -> throw new IllegalArgumentException("Unknown escape \\" + escape);
            }
        }
        return octets.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
