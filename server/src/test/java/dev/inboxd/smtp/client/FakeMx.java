package dev.inboxd.smtp.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A mail host on a real socket that takes everything until told otherwise: it answers any code at any command, drops
 * the connection, holds a reply back, floods or lies. Octets are shown as Latin-1 characters.
 */
public final class FakeMx implements AutoCloseable {
    /** The moments a host may misbehave at; CONTENT is after the final dot. */
    public enum At {
        CONNECT("220 fake ESMTP"),
        EHLO("250 fake"),
        HELO("250 fake"),
        STARTTLS("220 2.0.0 go"),
        AUTH("235 2.7.0 welcome"),
        MAIL("250 2.1.0 ok"),
        RCPT("250 2.1.5 ok"),
        DATA("354 go on"),
        CONTENT("250 2.0.0 taken"),
        RSET("250 2.0.0 ok"),
        QUIT("221 2.0.0 bye");

        private final String usual;

        At(String usual) {
            this.usual = usual;
        }
    }

    /** What to do in place of the usual reply. */
    public interface Act {
        /** Plays it on the connection. */
        void play(Wire wire) throws IOException;
    }

    /**
     * A message that came in whole.
     *
     * @param mail the MAIL command
     * @param recipients the RCPT commands that were accepted
     * @param content the message, dots undone
     */
    public record Received(String mail, List<String> recipients, String content) {
        /** Copies the list. */
        public Received {
            recipients = List.copyOf(recipients);
        }
    }

    private final ServerSocket server;
    private volatile @Nullable SSLContext tls;
    private volatile boolean tlsFirst;
    private final List<String> keywords;
    private final Map<At, Act> acts = new ConcurrentHashMap<>();
    private final Map<String, String> recipientReplies = new ConcurrentHashMap<>();
    private final BlockingQueue<Received> mails = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** A host that offers all extensions the client knows. */
    public FakeMx() {
        this("PIPELINING", "SIZE 10000000", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES");
    }

    /** A host that offers these EHLO keywords. */
    public FakeMx(String... keywords) {
        this(InetAddress.getLoopbackAddress(), 0, keywords);
    }

    private FakeMx(InetAddress address, int port, String... keywords) {
        this.keywords = List.of(keywords);
        try {
            server = new ServerSocket(port, 1_000, address);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        Thread.ofVirtual().name("fake-mx").start(this::accept);
    }

    /** Another host at the same port, at an address such as {@code 127.0.0.2}, as the hosts of MX records are. */
    public FakeMx beside(String address, String... otherKeywords) {
        return new FakeMx(InetAddress.ofLiteral(address), port(), otherKeywords);
    }

    /** From now on takes STARTTLS as the server with that certificate; offering it is the keywords' business. */
    public FakeMx tls(SSLContext context) {
        tls = context;
        return this;
    }

    /** From now on speaks TLS from the first octet. */
    public FakeMx tlsFirst(SSLContext context) {
        tlsFirst = true;
        return tls(context);
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** Where it listens. */
    public SmtpEndpoint endpoint() {
        return new SmtpEndpoint("mx.fake.example", server.getInetAddress(), server.getLocalPort());
    }

    /** From now on answers this at that moment; several lines are separated by LF. */
    public FakeMx answer(At at, String reply) {
        return at(at, wire -> wire.reply(reply));
    }

    /** From now on answers this to RCPT for that address. */
    public FakeMx answerRecipient(String address, String reply) {
        recipientReplies.put("<" + address + ">", reply);
        return this;
    }

    /** From now on does this at that moment. */
    public FakeMx at(At at, Act act) {
        acts.put(at, act);
        return this;
    }

    /** From now on behaves as usual at that moment. */
    public FakeMx usual(At at) {
        acts.remove(at);
        return this;
    }

    /** Drops the connection. */
    public static Act drop() {
        return Wire::drop;
    }

    /** Says a part of a reply and drops the connection. */
    public static Act dropAfter(String part) {
        return wire -> {
            wire.raw(part);
            wire.drop();
        };
    }

    /** Says this again and again until the client has had enough. */
    public static Act flood(String piece) {
        return wire -> {
            while (true) {
                wire.raw(piece);
            }
        };
    }

    /** Says nothing until the client goes away. */
    public static Act silence() {
        return Wire::awaitClose;
    }

    /** Waits for the latch, at most a minute, and then answers. */
    public static Act hold(CountDownLatch latch, String reply) {
        return wire -> {
            try {
                if (latch.await(1, TimeUnit.MINUTES)) {
                    wire.reply(reply);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** The messages that came in, oldest first. */
    public BlockingQueue<Received> mails() {
        return mails;
    }

    /** The next message, waiting up to 20 s for it. */
    public Received nextMail() throws InterruptedException {
        var mail = mails.poll(20, TimeUnit.SECONDS);
        if (mail == null) {
            throw new AssertionError("No mail within 20 s");
        }
        return mail;
    }

    /** Every line that came as a command, and CONNECT and CLOSE, oldest first. */
    public BlockingQueue<String> commands() {
        return commands;
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().name("fake-mx-session").start(() -> serve(socket));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            commands.add("CONNECT");
            new Wire(socket).serve();
        } catch (IOException gone) {
            return;
        } finally {
            open.remove(socket);
            commands.add("CLOSE");
        }
    }

    /** Stops listening and drops all connections. */
    @Override
    public void close() {
        try {
            server.close();
            for (var socket : open) {
                socket.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One connection, from the host's side. */
    public final class Wire {
        private final Socket socket;
        private InputStream in;
        private OutputStream out;
        private final List<String> recipients = new ArrayList<>();
        private String mail = "";
        private String lastReply = "";

        private Wire(Socket socket) throws IOException {
            this.socket = socket;
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        /** Answers; several lines are separated by LF. */
        public void reply(String reply) throws IOException {
            lastReply = reply;
            raw(reply.replace("\n", "\r\n") + "\r\n");
        }

        /** Says exactly this. */
        public void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        /** Ends the connection. */
        public void drop() throws IOException {
            socket.close();
        }

        /** Reads until the client goes away. */
        public void awaitClose() throws IOException {
            in.transferTo(OutputStream.nullOutputStream());
            drop();
        }

        private void serve() throws IOException {
            if (tlsFirst) {
                secure();
            }
            act(At.CONNECT, At.CONNECT.usual);
            while (!lastReply.startsWith("221") && !lastReply.startsWith("421")) { // RFC 5321 §3.8
                var line = line();
                commands.add(line);
                command(line);
            }
        }

        private void command(String line) throws IOException {
            switch (line.substring(0, Math.min(4, line.length())).toUpperCase(Locale.ROOT)) {
                case "EHLO" -> act(At.EHLO, ehlo());
                case "HELO" -> act(At.HELO, At.HELO.usual);
                case "MAIL" -> {
                    recipients.clear();
                    act(At.MAIL, At.MAIL.usual);
                    mail = lastReply.startsWith("2") ? line : "";
                }
                case "RCPT" -> recipient(line);
                case "DATA" -> data();
                case "STAR" -> {
                    act(At.STARTTLS, tls == null ? "454 4.7.0 no TLS" : At.STARTTLS.usual);
                    if (lastReply.startsWith("220")) {
                        secure();
                    }
                }
                case "AUTH" -> {
                    for (int i = 0; i < 2 && line.equals("AUTH LOGIN"); i++) {
                        raw("334 VXNlcm5hbWU6\r\n");
                        commands.add(line());
                    }
                    act(At.AUTH, At.AUTH.usual);
                }
                case "RSET" -> act(At.RSET, At.RSET.usual);
                case "QUIT" -> act(At.QUIT, At.QUIT.usual);
                default -> reply("500 5.5.1 what?");
            }
        }

        private void secure() throws IOException {
            SSLSocket secured = (SSLSocket)
                    Objects.requireNonNull(tls).getSocketFactory().createSocket(socket, null, socket.getPort(), true);
            secured.setUseClientMode(false);
            secured.startHandshake();
            in = new BufferedInputStream(secured.getInputStream());
            out = secured.getOutputStream();
            commands.add("TLS "
                    + ((ExtendedSSLSession) secured.getSession())
                            .getRequestedServerNames().stream()
                                    .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
                                    .toList());
        }

        private void recipient(String line) throws IOException {
            var special = recipientReplies.get(line.substring(line.indexOf(':') + 1, line.indexOf('>') + 1));
            if (mail.isEmpty()) {
                reply("503 5.5.1 MAIL first");
            } else if (special != null) {
                reply(special);
            } else {
                act(At.RCPT, At.RCPT.usual);
            }
            if (lastReply.startsWith("2")) {
                recipients.add(line);
            }
        }

        private void data() throws IOException {
            if (recipients.isEmpty() && !acts.containsKey(At.DATA)) {
                reply("503 5.5.1 RCPT first");
                return;
            }
            act(At.DATA, At.DATA.usual);
            if (lastReply.startsWith("354")) {
                var content = content();
                act(At.CONTENT, At.CONTENT.usual);
                if (lastReply.startsWith("2")) {
                    mails.add(new Received(mail, recipients, content));
                }
            }
        }

        private String content() throws IOException {
            var content = new StringBuilder();
            for (var line = line(); !line.equals("."); line = line()) {
                content.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
            }
            return content.toString();
        }

        private void act(At at, String usual) throws IOException {
            lastReply = "";
            var act = acts.get(at);
            if (act == null) {
                reply(usual);
            } else {
                act.play(this);
            }
        }

        private String ehlo() {
            var reply = new StringBuilder(keywords.isEmpty() ? "250 fake" : "250-fake");
            for (int i = 0; i < keywords.size(); i++) {
                reply.append(i < keywords.size() - 1 ? "\n250-" : "\n250 ").append(keywords.get(i));
            }
            return reply.toString();
        }

        /** The next line, without its CRLF. */
        public String line() throws IOException {
            var line = new ByteArrayOutputStream();
            for (int octet = in.read(); ; octet = in.read()) {
                if (octet < 0) {
                    throw new EOFException("client gone");
                }
                line.write(octet);
                if (octet == '\n') {
                    var text = line.toString(StandardCharsets.ISO_8859_1);
                    if (text.endsWith("\r\n")) {
                        return text.substring(0, text.length() - 2);
                    }
                }
            }
        }
    }
}
