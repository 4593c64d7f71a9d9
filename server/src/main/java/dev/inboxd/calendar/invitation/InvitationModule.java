package dev.inboxd.calendar.invitation;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.event.InvitationSender;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.sending.SendingModule;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Invitations of calendars by mail, out and in. */
public final class InvitationModule implements ServiceModule {
    private final Invitations invitations;
    private final InvitationImports imports;

    /** Invitations that this platform stores, its sender sends, and mail of this mailbox brings. */
    public InvitationModule(
            CalendarConfig config, PlatformModule platform, MailboxModule mailbox, SendingModule sending) {
        this.invitations = new Invitations(sending.config().quota(), platform.jobs());
        this.imports = new InvitationImports(
                new InvitationImports.Parts(
                        platform.database(),
                        platform.jobs(),
                        new CalendarLog(mailbox.events()),
                        mailbox.messages(),
                        mailbox.contents()),
                config.enabled());
        platform.jobs().handle(InvitationDelivery.KIND, new InvitationDelivery(platform.database(), sending.sender()));
        platform.jobs().handle(InvitationImports.KIND, imports);
    }

    /** Lets mails of calendars that a key made need approval ({@link KeyWritings.Hook}). */
    public static @Nullable String bind(Tx tx, UUID organization, KeyWritings.Part part) {
        return InvitationSql.bind(tx, View.of(organization), part);
    }

    /** What changes of calendars ask to be mailed. */
    public InvitationSender sender() {
        return invitations;
    }

    /** What received mail brings into calendars. */
    public InvitationImports imports() {
        return imports;
    }
}
