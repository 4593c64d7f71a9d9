package dev.inboxd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/operating.md tells of the settings that there are. */
class OperatingDocTest {
    private static final Path DOCUMENT = Path.of("docs/operating.md");

    @Test
    void everySettingIsNamedAndNothingElseIs() throws IOException {
        Set<String> known = new TreeSet<>(SettingTable.OF_THE_LAUNCHER);
        for (Setting<?> setting : SettingTable.ALL) {
            known.add(setting.variable());
            setting.fileVariable().ifPresent(known::add);
        }
        Set<String> named = new TreeSet<>();
        Pattern.compile(Setting.PREFIX + "\\w+")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .forEach(found -> named.add(found.group()));
        assertThat(named).isEqualTo(known);
    }

    @Test
    void theTableHasEachSettingWithItsDefaultInTheOrderOfHelp() throws IOException {
        assertThat(Files.readAllLines(DOCUMENT).stream()
                        .filter(line -> line.startsWith("| `" + Setting.PREFIX))
                        .map(line -> line.substring(0, line.indexOf(" |", line.indexOf(" | ") + 1))
                                .replace("\\<", "<")))
                .containsExactlyElementsOf(SettingTable.ALL.stream()
                        .map(setting -> "| `" + setting.variable() + "` | " + setting.shownDefault())
                        .toList());
    }
}
