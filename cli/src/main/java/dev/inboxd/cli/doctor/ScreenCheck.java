package dev.inboxd.cli.doctor;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.config.ScreenSettings;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.net.NetConfig;
import dev.inboxd.screening.ExternalJudge;
import java.net.URI;
import java.util.List;

/** Checks the judge of mail at INBOXD_SCREEN_URL: that it gives a verdict on a mail of three words. */
final class ScreenCheck {
    private static final ScreenInput MAIL =
            new ScreenInput("Hello", null, "Hello from doctor.", null, List.of(), List.of(), "");

    private final DoctorReport report;
    private final NetConfig net;

    ScreenCheck(DoctorReport report, NetConfig net) {
        this.report = report;
        this.net = net;
    }

    void run(ScreenSettings settings) {
        if (settings.judge().isEmpty()) {
            return;
        }
        URI url = settings.judge().get();
        String subject = "screen " + url;
        try (ExternalJudge judge = new ExternalJudge(net.operatorHttp(), url, new Metrics())) {
            if (judge.ask(MAIL, ExternalJudge.TIMEOUT).isPresent()) {
                report.ok(subject, "gives a verdict");
            } else if (settings.judgeRequired()) {
                report.fail(
                        subject,
                        "gives no verdict within a second, so all mail is to be reviewed",
                        "Start it, or set INBOXD_SCREEN_REQUIRED=off");
            } else {
                report.warn(
                        subject,
                        "gives no verdict within a second, so the built-in rules alone decide",
                        "Start it, or leave out INBOXD_SCREEN_URL");
            }
        }
    }
}
