package dev.inboxd.app.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an apps file may say, and what is told of one that is wrong: the file, the line and the member. */
class AppsDocumentTest {
    private static final String ID = "7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a10";
    private static final Map<String, String> ENVIRONMENT = Map.of("CRM_SECRET", "secret");

    private static List<AppRegistration> read(String yaml) {
        return AppsDocument.of("apps.yaml", yaml.getBytes(StandardCharsets.UTF_8))
                .registrations(ENVIRONMENT::get);
    }

    private static AppRegistration entry(String members) {
        return read("apps:\n  - app_id: " + ID + "\n    name: CRM\n    " + members.replace("|", "\n    ") + "\n")
                .getFirst();
    }

    private static String fault(String yaml) {
        try {
            read(yaml);
        } catch (Problem problem) {
            assertThat(problem.code()).isEqualTo(ErrorCode.VALIDATION_ERROR);
            assertThat(problem.message()).startsWith("The apps file apps.yaml is wrong: ");
            return problem.message().substring("The apps file apps.yaml is wrong: ".length());
        }
        return "none";
    }

    @Test
    void anEntryHasEveryFieldOrItsDefault() {
        AppRegistration least =
                read("apps:\n  - {app_id: " + ID + ", name: CRM}\n").getFirst();
        App app = least.app();
        assertThat(app.id()).isEqualTo(UUID.fromString(ID));
        assertThat(app.listing()).isEqualTo(new App.Listing("CRM", null, null, null, null, List.of(), true));
        assertThat(app.client())
                .isEqualTo(new App.Client(
                        List.of(),
                        null,
                        Set.of("openid", "email", "profile"),
                        App.ClientAuthMethod.CLIENT_SECRET_BASIC,
                        App.IdTokenAlg.RS256,
                        true));
        assertThat(app.isEnabled()).isTrue();
        assertThat(app.signupLimit()).isNull();
        assertThat(least.secrets()).isNull();

        AppRegistration most = entry("slug: crm|description: 'Two\n      lines'|logo_url: https://crm.example/l.png"
                + "|categories: [commerce, data]|listed: false|enabled: false"
                + "|redirect_uris: [https://crm.example/cb?a=b, 'http://127.0.0.1:8080/cb', 'http://[::1]/',"
                + " http://localhost/]"
                + "|initiate_login_uri: https://crm.example/start|scopes: [email, owner_email]"
                + "|token_endpoint_auth_method: client_secret_post|client_secret_env: CRM_SECRET"
                + "|id_token_signed_response_alg: ES256|require_pkce: false|owner_signup_limit: 3"
                + "|organizations: {" + ID + ": {owner_signup_limit: null}}");
        assertThat(most.app().client().redirectUris()).hasSize(4);
        assertThat(most.app().client().scopes()).isEqualTo(Set.of("openid", "email", "owner_email"));
        assertThat(most.app().client().requiresPkce()).isFalse();
        assertThat(most.app().signupLimit()).isEqualTo(3);
        assertThat(most.secrets()).containsExactly("2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b");
        assertThat(most.limits()).isEqualTo(Map.of(UUID.fromString(ID), Optional.empty()));
        assertThat(read("apps: []")).isEmpty();
        assertThat(read("""
                {"apps": [{"app_id": "%s", "name": "JSON"}]}""".formatted(ID))).hasSize(1);
    }

    @Test
    void aReasonableAliasIsRead() {
        assertThat(read("apps:\n  - app_id: " + ID + "\n    name: &name CRM\n  - app_id: " + ID.replace('7', '8')
                                + "\n    name: *name\n")
                        .getLast()
                        .app()
                        .listing()
                        .name())
                .isEqualTo("CRM");
    }

    @Test
    void twoSecretsMayLive() {
        assertThat(entry("client_secret: [one, two]").secrets()).hasSize(2);
        assertThat(entry("client_secret_sha256: " + "Ab".repeat(32)).secrets()).containsExactly("ab".repeat(32));
        assertThat(entry("client_secret: 'a+b/c%d:é'").secrets()).hasSize(1);
    }

    /** Each on line 4, below the two lines with which an entry begins. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            name: Other  ~ line 4: name appears twice
            colour: red  ~ colour: colour is not a field
            slug: A  ~ slug: slug must be 2 to 64
            slug: 7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a10  ~ slug: slug must be
            logo_url: http://crm.example/l.png  ~ logo_url: logo_url must be an https URL
            redirect_uris: [http://crm.example/cb]  ~ redirect_uris[0]: redirect_uris must be
            redirect_uris: [https://crm.example/#a]  ~ redirect_uris[0]: redirect_uris must not have a fragment
            redirect_uris: [https://*.crm.example/]  ~ redirect_uris[0]: redirect_uris must
            redirect_uris: [https://crm.example/*]  ~ redirect_uris[0]: redirect_uris must not have a wildcard
            redirect_uris: [https://a:b@crm.example/]  ~ redirect_uris[0]: redirect_uris must be
            redirect_uris: [/cb]  ~ redirect_uris[0]: redirect_uris must be
            redirect_uris: ["https://crm.example/\\ncb"]  ~ redirect_uris[0]
            redirect_uris: [javascript:alert(1)]  ~ redirect_uris[0]: redirect_uris must be
            initiate_login_uri: http://crm.example/start  ~ initiate_login_uri
            categories: [games]  ~ categories[0]: categories must be of ai, search
            categories: [ai, data, search, other]  ~ categories: categories must have at most 3
            scopes: [phone]  ~ scopes[0]
            token_endpoint_auth_method: private_key_jwt  ~ token_endpoint_auth_method
            id_token_signed_response_alg: none  ~ id_token_signed_response_alg
            owner_signup_limit: -1  ~ owner_signup_limit
            owner_signup_limit: 1.5  ~ owner_signup_limit
            enabled: 'yes'  ~ enabled: enabled must be true or false
            client_secret_env: NOT_SET  ~ client_secret_env: the environment variable NOT_SET is not set
            client_secret_sha256: abc  ~ client_secret_sha256
            client_secret: [a, b, c]  ~ client_secret: client_secret must have at most 2
            organizations: {acme: {owner_signup_limit: 1}}     ~ organizations.acme
            organizations: {acme: 1}  ~ organizations.acme
            description: !!str text  ~ line 4: tags are not allowed
            description: !<tag:x> text  ~ line 4: tags are not allowed
            description: *nothing  ~ line 4: the alias *nothing
            description: "\\0"  ~ line 4: the text has U+0000
            description: [  ~ line 5: this is not YAML
            """)
    void aFaultSaysWhereItIs(String member, String expected) {
        assertThat(fault("apps:\n  - app_id: " + ID + "\n    name: CRM\n    " + member + "\n"))
                .startsWith(expected.startsWith("line ") ? expected : "line 4, apps[0]." + expected);
    }

    @Test
    void fieldsThatExcludeEachOtherAreFaults() {
        String start = "apps:\n  - app_id: " + ID + "\n    name: CRM\n    token_endpoint_auth_method: none\n    ";
        assertThat(fault(start + "client_secret: a\n")).startsWith("line 5, apps[0].client_secret:");
        assertThat(fault(start + "require_pkce: false\n")).startsWith("line 5, apps[0].require_pkce:");
        assertThat(fault(start.replace("none", "client_secret_post") + "client_secret: a\n    client_secret_env: b\n"))
                .startsWith("line 6, apps[0].client_secret_env:");
    }

    @Test
    void aFileThatIsNoListOfDifferentAppsIsWrong() {
        String entry = "  - app_id: " + ID + "\n    name: CRM\n    slug: crm\n";
        assertThat(fault("apps:\n" + entry
                        + entry.toUpperCase(Locale.ROOT)
                                .replace("APP_ID", "app_id")
                                .replace("NAME", "name")
                                .replace("SLUG: CRM", "slug: other")))
                .isEqualTo("line 5, apps[1].app_id: this app_id is that of apps[0] too");
        assertThat(fault("apps:\n" + entry + entry.replace('7', '8')))
                .isEqualTo("line 7, apps[1].slug: this slug is that of apps[0] too");
        assertThat(fault("apps:\n  - name: CRM\n")).startsWith("line 2, apps[0].app_id: app_id is missing");
        assertThat(fault("apps:\n  - app_id: " + ID + "\n")).startsWith("line 2, apps[0].name: name is required");
        for (String nothing : List.of("", "---\n", "app: []", "apps:", "apps: {}", "- apps", "apps: [1]")) {
            assertThat(fault(nothing)).as(nothing).isNotEqualTo("none");
        }
        assertThat(fault("apps: []\nmore: 1\n")).startsWith("line 2, more:");
        assertThat(fault("apps: []\n---\napps: []\n")).contains("one document");
        assertThat(fault("apps: " + "[".repeat(1_000) + "]".repeat(1_000))).contains("nested");
        assertThat(fault("# " + "x".repeat(1024 * 1024) + "\napps: []\n")).contains("larger than 1 MiB");
        assertThatThrownBy(() -> AppsDocument.of("apps.yaml", new byte[] {'a', (byte) 0xFF}))
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aBombOfAliasesIsRefusedWhileItIsRead() {
        StringBuilder bomb = new StringBuilder("a: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("b").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + " , ").repeat(9)).append("x]\n");
        }
        assertThat(fault(bomb + "apps: []\n")).contains("line 5", "aliases repeat more than");
    }
}
