package dev.inboxd.cli.doctor;

import dev.inboxd.base.database.embedded.FolderLock;
import dev.inboxd.cli.doctor.InstallationCheck.StoredState;
import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsReader;
import dev.inboxd.net.Dns;
import dev.inboxd.server.ModuleConfigs;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code inboxd doctor}: prints the settings of a start, what would prevent it or endanger stored mail, and the remedy.
 * It changes nothing, and may run beside the service. A wrong setting prevents only the checks that go by it.
 */
public final class Doctor {
    private static final String[] NAMES = {"DOMAIN", "MX_HOST", "SPF_HOST", "BOUNCE_HOST", "DNS_SERVERS"};
    private static final String[] STORES = {"DATA_DIR", "DATABASE_URL", "BLOB_URL", "BLOB_URL_FILE"};
    private static final String[] PAYMENTS = {
        "X402_HOST", "MPP_HOST", "X402_FACILITATOR", "X402_FACILITATOR_HEADERS", "PAYMENTS_FILE", "PUBLIC_URL"
    };
    private static final String[] COLLECTOR = {"OTLP_ENDPOINT", "OTLP_HEADERS", "OTLP_HEADERS_FILE"};

    private final DoctorReport report;
    private final List<String> faults;

    private Doctor(DoctorReport report, List<String> faults) {
        this.report = report;
        this.faults = faults;
    }

    /** As {@link #examine(SettingValues, PrintStream, boolean)}, without looking for every blob. */
    public static int examine(SettingValues values, PrintStream out) {
        return examine(values, out, false);
    }

    /**
     * Prints settings and checks.
     *
     * @param isDeep whether every blob is looked for
     * @return exit status: 0 when no check failed, 1 otherwise
     */
    public static int examine(SettingValues values, PrintStream out, boolean isDeep) {
        for (Setting<?> setting : SettingTable.ALL) {
            out.printf("%-27s %s%s%n", setting.variable(), values.shown(setting), values.origin(setting));
        }
        out.println();
        DoctorReport report = new DoctorReport(out);
        List<String> faults = SettingsReader.faults(values);
        faults.forEach(fault -> report.fail("setting", fault, "All settings: inboxd help serve"));
        new Doctor(report, faults).examine(isDeep, SettingsReader.readForCommand(values.usable()));
        return report.isHealthy() ? 0 : 1;
    }

    private void examine(boolean isDeep, Settings settings) {
        @Nullable String running = FolderLock.holder(settings.dataDirectory());
        InstantSource clock = InstantSource.system();
        InstallationCheck installation = new InstallationCheck(report, settings);
        StoredState stored = isWrong("DATA_DIR", "DATABASE_URL") ? StoredState.NOTHING : installation.storedState();
        Dns dns = ModuleConfigs.net(settings).dns();
        check("disk", () -> new DiskCheck(report).run(settings), "DATA_DIR");
        PortCheck ports = new PortCheck(report, running);
        check("ports", () -> ports.run(settings, this::isWrongVariable), "BIND", "ADMIN_BIND", "TRUSTED_PROXIES");
        check("database", () -> new DatabaseCheck(report, clock).run(settings), "DATABASE_URL");
        check("tables", () -> new SchemaCheck(report).run(installation.location()), "DATA_DIR", "DATABASE_URL");
        check("departures", () -> installation.departures(stored), "DATA_DIR", "DATABASE_URL");
        check("secret key", () -> installation.secret(stored), "DATA_DIR", "SECRET_KEY", "SECRET_KEY_FILE");
        check("blob store", () -> installation.blobs(stored), "DATA_DIR", "BLOB_URL", "BLOB_URL_FILE");
        if (isDeep) {
            check("blobs", () -> new BlobCheck(report).run(settings, installation.location()), STORES);
        }
        check("clock", () -> new ClockCheck(report, clock).run(settings.dataDirectory()), "DATA_DIR");
        check("certificate", () -> new TlsCheck(report, clock).run(settings), "TLS_CERT", "TLS_KEY", "MX_HOST");
        check("DNS", () -> new NameCheck(report, dns).run(settings), NAMES);
        check("SPF, DKIM and DMARC", () -> new ZoneCheck(report, dns).run(settings, stored.keys()), NAMES);
        check("outgoing mail", () -> new RelayCheck(report).run(settings), "RELAY", "RELAY_FILE", "DELIVERY");
        PaymentCheck payments = new PaymentCheck(report, settings);
        check("payments", payments::run, PAYMENTS);
        check("payments", () -> payments.open(installation.location(), clock), "DATA_DIR", "DATABASE_URL");
        ScreenCheck screen = new ScreenCheck(report, ModuleConfigs.net(settings));
        check("screen", () -> screen.run(settings.policy().screening()), "SCREEN_URL", "SCREEN_REQUIRED");
        CollectorCheck collector = new CollectorCheck(report, ModuleConfigs.net(settings));
        check("collector", () -> collector.run(settings.telemetry()), COLLECTOR);
    }

    /** Runs a check, unless a setting that it goes by is wrong. */
    private void check(String subject, Runnable check, String... settings) {
        if (isWrong(settings)) {
            report.skip(subject, "not checked, because a setting that it depends on is wrong");
        } else {
            check.run();
        }
    }

    /** Whether a fault names one of these settings. */
    private boolean isWrong(String... settings) {
        return Arrays.stream(settings).map(name -> "INBOXD_" + name).anyMatch(this::isWrongVariable);
    }

    private boolean isWrongVariable(String variable) {
        return faults.stream().anyMatch(fault -> names(fault, variable));
    }

    private static boolean names(String fault, String variable) {
        int at = fault.indexOf(variable);
        int end = at + variable.length();
        return at >= 0
                && (end == fault.length() || (fault.charAt(end) != '_' && !Character.isLetter(fault.charAt(end))));
    }
}
