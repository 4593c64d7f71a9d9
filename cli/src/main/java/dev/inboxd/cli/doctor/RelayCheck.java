package dev.inboxd.cli.doctor;

import dev.inboxd.config.RelayServer;
import dev.inboxd.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/** Checks the way of outgoing mail: that the relay answers. It does not log in, and sends nothing. */
final class RelayCheck {
    private static final int PATIENCE_MILLIS = 5_000;

    private final DoctorReport findings;

    RelayCheck(DoctorReport findings) {
        this.findings = findings;
    }

    void run(Settings settings) {
        Optional<RelayServer> relay = settings.delivery().relay();
        if (relay.isEmpty()) {
            findings.ok(
                    "outgoing mail",
                    settings.delivery().way() == Settings.Delivery.Route.DIRECT
                            ? "goes to port " + settings.delivery().outboundSmtpPort()
                                    + " of other servers; many hosting providers open it only on request"
                            : "stays in the sandbox");
            return;
        }
        String host = relay.get().server().host();
        int port = relay.get().server().port();
        String subject = "relay " + host + " port " + port;
        boolean ownTrust = settings.delivery().authorities().isPresent();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            if (relay.get().implicitTls() && ownTrust) {
                findings.ok(subject, "takes connections; its certificate is checked when mail is sent");
                return;
            }
            greeting(subject, relay.get().implicitTls() ? tls(socket, host, port) : socket);
        } catch (UnknownHostException unknown) {
            findings.fail(subject, "its name is not found", "Check INBOXD_RELAY, and the name servers of the system");
        } catch (IOException e) {
            findings.fail(
                    subject,
                    "does not answer: " + e.getMessage(),
                    "Check INBOXD_RELAY, and that the network lets this machine connect there");
        }
    }

    private void greeting(String subject, Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        char[] code = new char[3];
        String greeting = in.read(code) == code.length ? new String(code) : "nothing";
        if (greeting.equals("220")) {
            findings.ok(subject, "answers");
        } else {
            findings.fail(subject, "greets with " + greeting + ", not with 220", "Ask its operator, or name another");
        }
    }

    private static Socket tls(Socket socket, String host, int port) throws IOException {
        return ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(socket, host, port, true);
    }
}
