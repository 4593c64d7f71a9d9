package dev.inboxd.cli.doctor;

import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsReader;
import dev.inboxd.platform.database.embedded.FolderLock;
import dev.inboxd.server.ModuleConfigs;
import java.io.PrintStream;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * {@code inboxd doctor}: prints the settings of a start, what would prevent it or endanger stored mail, and the remedy.
 * It changes nothing, and may run beside the service.
 */
public final class Doctor {
    private Doctor() {}

    /**
     * Prints settings and checks.
     *
     * @return exit status: 0 when no check failed, 1 otherwise
     */
    public static int examine(SettingValues values, PrintStream out) {
        for (Setting<?> setting : SettingTable.ALL) {
            out.printf("%-27s %s%s%n", setting.variable(), values.shown(setting), values.origin(setting));
        }
        out.println();
        Settings settings = SettingsReader.read(values);
        DoctorReport findings = new DoctorReport(out);
        @Nullable String running = FolderLock.holder(settings.dataDirectory());
        InstantSource clock = InstantSource.system();
        new DiskCheck(findings).run(settings);
        new PortCheck(findings, running).run(settings);
        new DatabaseCheck(findings, clock).run(settings);
        new ClockCheck(findings, clock).run(settings.dataDirectory());
        new TlsCheck(findings, clock).run(settings);
        new NameCheck(findings, ModuleConfigs.net(settings).dns()).run(settings);
        return findings.isHealthy() ? 0 : 1;
    }
}
