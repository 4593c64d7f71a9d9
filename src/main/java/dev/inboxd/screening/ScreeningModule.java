package dev.inboxd.screening;

import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.platform.PlatformModule;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.RouteTable;
import dev.inboxd.platform.module.ServiceModule;
import java.util.List;

/** What people do about verdicts on mail. The verdicts are reached where mail is received. */
public final class ScreeningModule implements ServiceModule {
    private final MessageSecurityHttp http;

    /** @param hooks what is done with a message when it is released */
    public ScreeningModule(PlatformModule platform, MailboxModule mailbox, List<ReleaseHook> hooks) {
        this.http = new MessageSecurityHttp(
                new Releases(platform.database(), mailbox.events(), hooks), new SecurityFeedback(platform.database()));
    }

    @Override
    public void mount(RouteTable routes) {
        http.mount(routes.at(Level.INBOX));
    }
}
