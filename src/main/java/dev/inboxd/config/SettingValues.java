package dev.inboxd.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The value of each setting: from its option, else from its variable, else the default of the mode. Collects every
 * fault.
 */
public final class SettingValues {
    private final Map<String, String> given = new HashMap<>();
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
            String value = flags.getOrDefault(setting.flag(), environment.getOrDefault(setting.variable(), ""));
            // An empty variable counts as not set: compose files contain such lines.
            if (!value.isBlank()) {
                given.put(setting.name(), value.strip());
            }
        }
        mode = find(SettingTable.MODE).orElse(Settings.Mode.DEV);
        SettingTable.ALL.forEach(this::check);
        new TreeSet<>(environment.keySet()).forEach(this::checkName);
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
        return given.containsKey(setting.name());
    }

    /** The value as text for people: {@code ***} for what is secret, the default in words when none is given. */
    public String shown(Setting<?> setting) {
        return text(setting).map(setting.form().shown()).orElseGet(setting::shownDefault);
    }

    void fault(String fault) {
        faults.add(fault);
    }

    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    private Optional<String> text(Setting<?> setting) {
        return isGiven(setting) ? Optional.ofNullable(given.get(setting.name())) : setting.defaultIn(mode);
    }

    private void check(Setting<?> setting) {
        if (isGiven(setting) && find(setting).isEmpty()) {
            fault(setting.variable() + " is \"" + shown(setting) + "\"; allowed: "
                    + setting.form().allowed());
        }
    }

    private void checkName(String variable) {
        boolean ours = variable.startsWith(Setting.PREFIX) && !SettingTable.OF_THE_LAUNCHER.contains(variable);
        if (ours
                && SettingTable.ALL.stream()
                        .noneMatch(setting -> setting.variable().equals(variable))) {
            fault(variable + " is not a setting"
                    + SettingSuggestion.nearest(variable)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse(""));
        }
    }
}
