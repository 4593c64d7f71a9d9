package dev.inboxd.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who opens the open console: the person who has the address that the server printed, and no proxy. */
class OpenConsoleHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console",
                "/console?token=",
                "/console?token=guessed",
                "/console/keys",
                "/console/organizations",
                "/console/inboxes/agent@mail.localhost"
            })
    @Proves("A39b")
    void withoutTheTokenThereIsAPageThatSaysWhereTheAddressStands(String path) {
        Answer page = world.anonymous().get(path).is(401);
        assertThat(page.text())
                .contains("Open the console with its link", "/console?token=", "console-token")
                .doesNotContain(token(), world.organization().toString());
        assertThat(page.header("Set-Cookie")).isNull();
    }

    @Test
    @Proves("A39b")
    void neitherAFormNorTheSocketIsOpenWithoutTheToken() throws IOException {
        HttpProbe browser = world.anonymous().with("Content-Type", "application/x-www-form-urlencoded");
        String token = ConsoleProbe.between(
                world.operator().get("/console/keys").is(200).text(), "name=\"token\" value=\"", "\"");
        browser.post("/console/inboxes", "token=" + token + "&username=made").is(401);
        browser.post("/console/organizations", "token=" + token).is(401);
        browser.post("/console/inboxes?token=" + token(), "token=" + token + "&username=made")
                .is(401);
        world.http().get("/v0/inboxes/made@mail.localhost").is(404);
        String answer = raw("GET /console/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 401 ");
    }

    @Test
    void theAddressIsKeptInACookieAndLeavesTheBar() {
        Answer opened = world.anonymous().get(world.consoleAddress()).is(303);
        assertThat(opened.header("Location")).isEqualTo("/console");
        assertThat(opened.header("Set-Cookie"))
                .startsWith("inboxd-operator-")
                .contains("; Path=/console; Max-Age=2592000; HttpOnly; SameSite=Lax")
                .doesNotContain("Secure");
        assertThat(world.operator().get("/console").is(200).text())
                .doesNotContain(token())
                .contains("operator");
    }

    /** RFC 9113 §8.2.3, RFC 6265 §5.4: the cookie is found among others, in whichever field it stands. */
    @Test
    void theCookieIsFoundAmongOthers() {
        world.anonymous()
                .with("Cookie", "other=1; " + world.operatorCookie() + "; inboxd-organization=x")
                .get("/console")
                .is(200);
        world.anonymous()
                .with("Cookie", "inboxd-organization=x")
                .with("Cookie", world.operatorCookie())
                .get("/console")
                .is(200);
    }

    @Test
    void theCookieOpensNothingOfTheApi() {
        world.operator().get("/v0/inboxes").is(401);
        world.anonymous()
                .with("Authorization", "Bearer " + token())
                .get("/v0/inboxes")
                .is(401);
    }

    @ParameterizedTest
    @CsvSource({
        "Via, 1.1 nginx",
        "X-Real-IP, 192.0.2.8",
        "x-real-ip, 127.0.0.1",
        "Forwarded, for=192.0.2.8",
        "X-Forwarded-For, 192.0.2.8",
        "X-Forwarded-Proto, https",
        "X-Forwarded-Host, my.example.com",
        "X-Forwarded-Port, 443",
        "X-Forwarded-Server, proxy",
        "X-Forwarded-Anything, new",
        "CF-Connecting-IP, 192.0.2.8",
        "CF-Ray, 8d1",
        "True-Client-IP, 192.0.2.8",
        "X-Client-IP, 192.0.2.8",
        "X-Original-Host, my.example.com",
        "X-Envoy-External-Address, 192.0.2.8",
        "CDN-Loop, cloudflare",
        "Fly-Client-IP, 192.0.2.8",
        "Tailscale-User-Login, jo@example.com"
    })
    @Proves("A39b")
    void aRequestThatAProxyPassesOnIsRefusedAlsoWithTheToken(String name, String value) {
        HttpProbe proxy = world.operator().with(name, value);
        for (String path : List.of("/console", "/console/organizations", world.consoleAddress())) {
            Answer refused = proxy.get(path).is(403);
            assertThat(refused.text()).as(path).contains("INBOXD_CONSOLE=sign-in");
            assertThat(refused.header("Set-Cookie")).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /console HTTP/1.0\r\n",
                "GET /console HTTP/1.0\r\nHost: localhost\r\n",
                "GET /console HTTP/1.1\r\nHost: my.example.com\r\n",
                "GET /console HTTP/1.1\r\nHost: 192.0.2.8\r\n",
                "GET /console HTTP/1.1\r\nHost:\r\n",
                "GET /console HTTP/1.1\r\n"
            })
    @Proves("A39b")
    void anOldProtocolAndAForeignHostAreRefusedAlsoWithTheToken(String head) throws IOException {
        assertThat(raw(head + "Connection: close\r\nCookie: " + world.operatorCookie() + "\r\n\r\n"))
                .matches("(?s)HTTP/1.1 (400|403|421) .*");
    }

    @Test
    void theTokenStaysOverRestartsUntilItsFileIsDeleted() throws IOException {
        try (World other = World.start()) {
            String before = other.operatorCookie();
            Path file = other.folder().resolve("console-token");
            assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
            other.restart();
            other.anonymous().with("Cookie", before).get("/console").is(200);
            Files.delete(file);
            other.restart();
            other.anonymous().with("Cookie", before).get("/console").is(401);
            assertThat(other.operatorCookie()).isNotEqualTo(before);
            other.anonymous()
                    .with("Cookie", world.operatorCookie())
                    .get("/console")
                    .is(401);
        }
    }

    private static String token() {
        String address = world.consoleAddress();
        return address.substring(Objects.checkIndex(address.indexOf('='), address.length()) + 1);
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.httpPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] head = new byte[64];
            int read = socket.getInputStream().readNBytes(head, 0, 20);
            return new String(head, 0, read, StandardCharsets.US_ASCII);
        }
    }
}
