package dev.inboxd.account.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Problem;
import dev.inboxd.net.Dns;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetRules;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose client_id is the address of a document. */
class ClientDocumentsTest {
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String URIS = "\"redirect_uris\":[\"https://app.example/callback\"]";

    private final FakeDns server = FakeDns.start();
    private final Dns dns = new Dns(server.servers(), Duration.ofSeconds(5));
    private final SafeHttp http = new SafeHttp(TargetRules.DEVELOPMENT, dns, "inboxd/test");
    private final SafeHttp careful = new SafeHttp(TargetRules.PRODUCTION, dns, "inboxd/test");
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final ClientDocuments documents = new ClientDocuments(http, InstantSource.system(), "http");

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        http.close();
        careful.close();
        server.close();
    }

    private static void refuses(ClientDocuments documents, String url) {
        assertThatThrownBy(() -> documents.client(url)).isInstanceOf(Problem.class);
    }

    private String answering(String fields, String content) {
        String url = endpoint.url("/client.json");
        endpoint.always(FakeEndpoint.respond(200, fields, content.replace("URL", url)));
        return url;
    }

    @Test
    void aDocumentAboutItselfIsAClientAndIsKeptForAWhile() {
        String url = answering(JSON, """
                {"client_id":"URL","client_name":"Desk",%s}""".formatted(URIS));
        OAuthClient client = documents.client(url);
        assertThat(client.name()).isEqualTo("Desk");
        assertThat(client.host()).isEqualTo("127.0.0.1");
        assertThat(client.redirectUris()).hasSize(1);
        assertThat(documents.client(url)).isEqualTo(client);
        assertThat(endpoint.received()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"client_id\":\"https://app.example/client.json\"," + URIS + "}",
                "{" + URIS + "}",
                "{\"client_id\":\"URL\"}",
                "{\"client_id\":\"URL\",\"redirect_uris\":[\"javascript:/x\"]}",
                "{\"client_id\":\"URL\",\"token_endpoint_auth_method\":\"client_secret_basic\"," + URIS + "}"
            })
    void aDocumentAboutAnotherIsNone(String content) {
        refuses(documents, answering(JSON, content));
    }

    @Test
    void whatIsHugeOrNoJsonOrElsewhereIsNone() {
        String good = """
                {"client_id":"URL",%s}""".formatted(URIS);
        refuses(documents, answering(JSON, good + " ".repeat(33 * 1024)));
        refuses(documents, answering("Content-Type: text/html\r\n", good));
        endpoint.always(FakeEndpoint.respond(302, JSON + "Location: " + endpoint.url("/other") + "\r\n", ""));
        refuses(documents, endpoint.url("/client.json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/client.json",
                "https://10.0.0.1/client.json",
                "https://169.254.169.254/latest/meta-data",
                "https://[::1]/client.json",
                "https://0x7f000001/client.json",
                "https://localhost/client.json",
                "https://inner.example/client.json",
                "http://app.example/client.json",
                "https://app.example",
                "https://app.example/",
                "https://user@app.example/client.json",
                "https://app.example/a/../client.json",
                "https://app.example/client.json#x",
                "https://APP.example/client.json",
                "file:///etc/passwd",
                "client"
            })
    void noAddressWithinIsAskedAndNoOtherSpelling(String url) {
        server.addresses("inner.example", "127.0.0.1");
        refuses(new ClientDocuments(careful, InstantSource.system()), url);
        assertThat(endpoint.connections()).isZero();
    }
}
