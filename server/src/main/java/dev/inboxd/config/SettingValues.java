package dev.inboxd.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The value of each setting: from its option, else from its variable or its file, else the default of the mode.
 * Collects every fault.
 */
public final class SettingValues {
    private static final int LONGEST_FILE = 65_536;

    private final Map<String, String> texts = new HashMap<>();
    /** Files by the names of the settings whose values they hold. */
    private final Map<String, String> files = new HashMap<>();

    private final List<String> faults = new ArrayList<>();
    private final Settings.Mode mode;

    /**
     * Reads options and variables.
     *
     * @param environment all variables of the process; those without the prefix {@code INBOXD_} are ignored
     * @param flags values by option, such as {@code --http-port}
     */
    public SettingValues(Map<String, String> environment, Map<String, String> flags) {
        for (Setting<?> setting : SettingTable.ALL) {
            // An empty variable counts as not set: compose files contain such lines.
            String value = flags.getOrDefault(setting.flag(), environment.getOrDefault(setting.variable(), ""))
                    .strip();
            String file = setting.fileFlag().map(flags::get).orElse("").strip();
            if (file.isEmpty()) {
                file = setting.fileVariable().map(environment::get).orElse("").strip();
            }
            if (!file.isEmpty()) {
                read(setting, value, file);
            } else if (!value.isEmpty()) {
                texts.put(setting.name(), value);
            }
        }
        mode = find(SettingTable.MODE).orElse(Settings.Mode.DEV);
        SettingTable.ALL.forEach(this::check);
        new TreeSet<>(environment.keySet()).forEach(this::checkName);
    }

    /** Takes the value from a file: the lines of a list may stand below each other. */
    private void read(Setting<?> setting, String value, String file) {
        String variable = setting.fileVariable().orElseThrow();
        files.put(setting.name(), file);
        if (!value.isEmpty()) {
            fault(setting.variable() + " and " + variable + " are both set; leave out one of them");
            return;
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            byte[] content = in.readNBytes(LONGEST_FILE + 1);
            String text = new String(content, StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.joining(","));
            if (text.isEmpty() || content.length > LONGEST_FILE) {
                fault(variable + " is \"" + file + "\", which is " + (text.isEmpty() ? "empty" : "too large"));
            } else {
                texts.put(setting.name(), text);
            }
        } catch (IOException | InvalidPathException unreadable) {
            fault(variable + " is \"" + file + "\", which is not a readable file");
        }
    }

    /** The value of a setting that always has one. May be called only when there are no faults. */
    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow(() -> new IllegalStateException(setting.variable() + " has no value"));
    }

    /** The value of a setting; empty when it has none or an invalid one. */
    <T> Optional<T> find(Setting<T> setting) {
        try {
            return text(setting).map(setting.form().parser());
        } catch (RuntimeException e) {
            return Optional.empty(); // a fault, see check
        }
    }

    public boolean isGiven(Setting<?> setting) {
        return texts.containsKey(setting.name()) || files.containsKey(setting.name());
    }

    /** Where a value comes from when it is not the setting itself, for people; else empty. */
    public String origin(Setting<?> setting) {
        String file = files.get(setting.name());
        return file == null ? isGiven(setting) ? "" : "  (default)" : "  (from " + file + ")";
    }

    /** The value as text for people: {@code ***} for what is secret, the default in words when none is given. */
    public String shown(Setting<?> setting) {
        return text(setting).map(setting.form().shown()).orElseGet(setting::shownDefault);
    }

    void fault(String fault) {
        faults.add(fault);
    }

    /** The faults so far. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** The same values without those that are no values of their settings. */
    public SettingValues usable() {
        Map<String, String> valid = new HashMap<>();
        SettingTable.ALL.stream()
                .filter(setting -> isGiven(setting) && find(setting).isPresent())
                .forEach(setting -> valid.put(setting.flag(), texts.get(setting.name())));
        return new SettingValues(Map.of(), valid);
    }

    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    private Optional<String> text(Setting<?> setting) {
        return isGiven(setting) ? Optional.ofNullable(texts.get(setting.name())) : setting.defaultIn(mode);
    }

    private void check(Setting<?> setting) {
        if (texts.containsKey(setting.name()) && find(setting).isEmpty()) {
            fault((files.containsKey(setting.name()) ? "The value in " + files.get(setting.name()) + " for " : "")
                    + setting.variable() + " is \"" + shown(setting) + "\"; allowed: "
                    + setting.form().allowed());
        }
    }

    private void checkName(String variable) {
        boolean ours = variable.startsWith(Setting.PREFIX) && !SettingTable.OF_THE_LAUNCHER.contains(variable);
        if (ours
                && SettingTable.ALL.stream()
                        .noneMatch(setting -> setting.variable().equals(variable)
                                || setting.fileVariable().equals(Optional.of(variable)))) {
            fault(variable + " is not a setting"
                    + SettingSuggestion.nearest(variable)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse(""));
        }
    }
}
