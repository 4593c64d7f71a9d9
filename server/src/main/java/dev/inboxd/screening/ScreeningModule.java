package dev.inboxd.screening;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.mailbox.MailboxModule;
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
