package dev.inboxd.calendar;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Makes in calendars what else takes a mail. */
public final class CalendarFixture {
    private CalendarFixture() {}

    /** Turns an event into an invitation that its inbox received from somebody outside. */
    public static void receive(Database database, UUID organization, String event, String inbox) {
        String attendee = String.format(
                Locale.ROOT, json(List.of(object("email", "%s", "status", "needs_action", "role", "required"))), inbox);
        database.write(
                organization,
                tx -> tx.sql(View.of(organization), """
                update calendar_event e set source = 'email', organizer_email = 'boss@x.test',
                    origin_message_id = '<invitation@x.test>',
                    content = e.content || jsonb_build_object('attendees', :attendees::jsonb, 'attendee_count', 1,
                                                              'response_status', 'needs_action')
                where {e} and e.event_id = :id""")
                        .bind("attendees", attendee)
                        .bind("id", UUID.fromString(event))
                        .run());
    }
}
