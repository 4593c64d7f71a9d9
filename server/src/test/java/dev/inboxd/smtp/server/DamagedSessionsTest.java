package dev.inboxd.smtp.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedSessionsTest {
    private static final String SESSION = """
            EHLO c
            MAIL FROM:<a@b>
            RCPT TO:<uma@inbox.example>
            DATA
            Received: x
            Subject: y

            ..z
            .
            RSET
            STARTTLS
            MAIL FROM:<> SIZE=1
            RSET
            MAIL FROM:<b@client.example> AUTH=<>
            MAIL FROM:<b@client.example>
            RCPT TO:<uma@inbox.example>
            BDAT 12
            Subject: c
            BDAT 7 LAST

            abc
            XCLIENT ADDR=192.0.2.1
            AUTH PLAIN AGEAYg==
            QUIT
            """.replace("\n", "\r\n");

    @Test
    @Proves("A1a")
    void whateverAClientSendsEveryAnswerIsAReplyAndEverySessionEnds(@TempDir Path directory) throws Exception {
        RecordingMailHandler intake = new RecordingMailHandler();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Random random = new Random(5321);
        try (SmtpServer server = new SmtpServer(
                SmtpServer.Config.of("mx.example", anyPort, 1_000, directory), intake, null, InstantSource.system())) {
            server.start(new Metrics());
            for (int i = 0; i < 500; i++) {
                byte[] damaged = damage(SESSION.getBytes(ISO_8859_1), random);
                assertThat(answers(server.port(), damaged).split("\r\n"))
                        .as(new String(damaged, ISO_8859_1))
                        .allSatisfy(
                                line -> assertThat(isReplyLine(line)).as(line).isTrue());
            }
            assertThat(server.drain(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(intake.mails()).isNotEmpty();
    }

    private static byte[] damage(byte[] session, Random random) {
        byte[] damaged = session.clone();
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(damaged.length);
            switch (random.nextInt(3)) {
                case 0 -> damaged[at] = (byte) random.nextInt(256);
                case 1 -> damaged[at] = (byte) "\r\n.\0<>: ".charAt(random.nextInt(8));
                default -> {
                    int length = random.nextInt(damaged.length - at);
                    System.arraycopy(damaged, at, damaged, random.nextInt(damaged.length - length), length);
                }
            }
        }
        return damaged;
    }

    private static String answers(int port, byte[] session) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(session);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketException reset) {
            return "000 the server had closed while we were sending";
        }
    }

    private static boolean isReplyLine(String line) {
        return line.length() > 3
                && line.chars().allMatch(c -> c >= ' ' && c <= '~')
                && line.substring(0, 3).chars().allMatch(Character::isDigit)
                && " -".indexOf(line.charAt(3)) >= 0;
    }
}
