package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.InvitationSender;
import dev.inboxd.platform.PlatformModule;
import dev.inboxd.platform.module.ServiceModule;
import dev.inboxd.sending.SendingModule;

/** Invitations of calendars by mail. */
public final class InvitationModule implements ServiceModule {
    private final Invitations invitations;

    /** Invitations that this platform stores, and its sender sends. */
    public InvitationModule(PlatformModule platform, SendingModule sending) {
        this.invitations = new Invitations(sending.config().quota(), platform.jobs());
        platform.jobs().handle(InvitationDelivery.KIND, new InvitationDelivery(platform.database(), sending.sender()));
    }

    /** What changes of calendars ask to be mailed. */
    public InvitationSender sender() {
        return invitations;
    }
}
