package dev.inboxd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingFileTest {
    private static final String KEY = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String OLD = "zyxwvutsrqponmlkjihgfedcba9876543210";

    @TempDir
    private Path folder;

    private String file(String content) throws IOException {
        return Files.writeString(folder.resolve("file"), content).toString();
    }

    @Test
    void aSecretIsReadFromAFileWithoutTheWhiteSpaceAroundIt() throws IOException {
        Settings one = Settings.read(Map.of("INBOXD_SECRET_KEY_FILE", file("  " + KEY + "\r\n")), Map.of());
        assertThat(one.storage().secretKeys()).containsExactly(new Secret(KEY));
        Settings flag = Settings.read(Map.of(), Map.of("--secret-key-file", file(KEY)));
        assertThat(flag.storage().secretKeys()).containsExactly(new Secret(KEY));
    }

    @Test
    void severalKeysStandOnALineEachOrWithCommas() throws IOException {
        for (String content : List.of(KEY + "\n" + OLD + "\n", KEY + "," + OLD)) {
            Settings two = Settings.read(Map.of("INBOXD_SECRET_KEY_FILE", file(content)), Map.of());
            assertThat(two.storage().secretKeys()).containsExactly(new Secret(KEY), new Secret(OLD));
        }
    }

    @Test
    void theUrlsMayBeInFilesToo() throws IOException {
        assertThat(Settings.read(
                                Map.of("INBOXD_DATABASE_URL_FILE", file("postgres://me:secret@db.example/inboxd\n")),
                                Map.of())
                        .storage()
                        .database())
                .isPresent();
        assertThat(Settings.read(Map.of("INBOXD_RELAY_FILE", file("smtp://me:pw@relay.example:587")), Map.of())
                        .delivery()
                        .relay())
                .isPresent();
        assertThat(Settings.read(Map.of("INBOXD_BLOB_URL_FILE", file("file:/srv/blobs")), Map.of())
                        .storage()
                        .blobs())
                .hasToString("file:/srv/blobs");
    }

    @Test
    void bothFormsOfOneSettingAreRefused() throws IOException {
        assertFault(
                Map.of("INBOXD_SECRET_KEY", KEY, "INBOXD_SECRET_KEY_FILE", file(KEY)),
                "INBOXD_SECRET_KEY and INBOXD_SECRET_KEY_FILE are both set");
    }

    @Test
    void aFileWithoutAValueOrWithAWrongOneIsRefusedWithoutShowingIt() throws IOException {
        assertFault(
                Map.of("INBOXD_SECRET_KEY_FILE", folder.resolve("none").toString()), "which is not a readable file");
        assertFault(Map.of("INBOXD_SECRET_KEY_FILE", file(" \n")), "which is empty");
        assertThatThrownBy(() -> Settings.read(Map.of("INBOXD_SECRET_KEY_FILE", file("short")), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("1 setting is wrong")
                .hasMessageNotContaining("short");
    }

    @Test
    void productionWithAFileThatIsMissingTellsOfTheFileAlone() {
        assertThatThrownBy(() -> Settings.read(
                        Map.of(
                                "INBOXD_MODE", "production",
                                "INBOXD_DOMAIN", "mail.example.com",
                                "INBOXD_PUBLIC_URL", "https://api.example.com",
                                "INBOXD_SECRET_KEY_FILE", "/nowhere"),
                        Map.of()))
                .hasMessageContaining("1 setting is wrong")
                .hasMessageContaining("INBOXD_SECRET_KEY_FILE is \"/nowhere\"");
    }

    @Test
    void onlySecretsHaveFiles() throws IOException {
        assertFault(Map.of("INBOXD_DOMAIN_FILE", file("x.example")), "INBOXD_DOMAIN_FILE is not a setting");
    }

    private static void assertFault(Map<String, String> environment, String fault) {
        assertThatThrownBy(() -> Settings.read(environment, Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(fault);
    }
}
