package dev.inboxd.config;

import dev.inboxd.base.error.OperatorException;
import java.io.Serial;
import java.util.List;

/** The settings are invalid. The message lists every fault, for the operator. */
public final class SettingsException extends OperatorException {
    @Serial
    private static final long serialVersionUID = 1L;

    public SettingsException(List<String> faults) {
        super(faults.size() + (faults.size() == 1 ? " setting is" : " settings are") + " wrong:\n  "
                + String.join("\n  ", faults)
                + "\nAll settings and their defaults: inboxd help serve");
    }
}
