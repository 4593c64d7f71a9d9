package dev.inboxd.calendar.invitation;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a change of a calendar sends (calendar.md §7). */
class InvitationMailHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static final String TIME =
            "'start':'2099-01-15T14:00:00','end':'2099-01-15T14:30:00'," + "'timezone':'America/New_York'";

    @Test
    void anInvitationIsOneMailForEachAttendeeInTwoFormsThatSayTheSame() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe.Answer made = calendar.create(
                        "{'title':'Müller, Größe; plan','description':'All\\nof it','location':'Room 1',"
                                + TIME
                                + ",'metadata':{'secret':1},'send_invites':true,'attendees':[{'email':'jo@else.test',"
                                + "'name':'Jo \\\"J\\\" Doe'},{'email':'ann@else.test','role':'optional'},{'email':'"
                                + calendar.inbox() + "'}]}")
                .is(201);
        List<Map<?, ?>> sent = sent(calendar, 2);
        assertThat(sent)
                .extracting(mail -> String.valueOf(mail.get("to")))
                .containsExactlyInAnyOrder("[jo@else.test]", "[ann@else.test]");
        assertThat(sent)
                .allSatisfy(mail -> assertThat(mail.get("subject")).isEqualTo("Invitation: Müller, Größe; plan"));
        Map<?, ?> first = sent.getFirst();
        CalendarMail mail = CalendarMail.read(raw(calendar, first));
        assertThat(mail.calendar()).isEqualTo(mail.attachment());
        assertThat(mail.method()).isEqualTo("REQUEST");
        assertThat(mail.unfolded())
                .contains(
                        "METHOD:REQUEST\r\n",
                        "UID:" + made.text("event.uid"),
                        "SEQUENCE:0\r\n",
                        "DTSTART;TZID=America/New_York:20990115T140000",
                        "SUMMARY:Müller\\, Größe\\; plan",
                        "ATTENDEE;CN=\"Jo ^'J^' Doe\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:");
        assertThat(mail.calendar()).doesNotContain("secret");
        assertThat(mail.text())
                .contains("Thursday, 15 January 2099 14:00 to 14:30 (America/New_York)", "Where: Room 1");
        HttpProbe.Answer shown = world.http().get(message(calendar, first)).is(200);
        assertThat(shown.list("attachments")).hasSize(1);
        assertThat(shown.text("attachments.0.filename")).isEqualTo("invite.ics");
        assertThat(shown.text("attachments.0.content_type")).isEqualTo("application/ics");
    }

    @Test
    void aChangeInvitesThoseWhoStayAndTellsThoseWhoWereRemoved() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = invite(calendar, "'attendees':[{'email':'jo@else.test'},{'email':'ann@else.test'}]");
        sent(calendar, 2);
        HttpProbe.Answer changed = calendar.patch(
                        "/events/" + id, "{'title':'Moved','attendees':[{'email':'jo@else.test'}],'send_invites':true}")
                .is(200);
        assertThat(changed.at("event.sequence")).isEqualTo(1L);
        List<Map<?, ?>> sent = sent(calendar, 4);
        CalendarMail update = mail(calendar, sent, "Updated invitation: Moved");
        assertThat(update.message().addresses().to().toString()).contains("jo@else.test");
        assertThat(update.method()).isEqualTo("REQUEST");
        assertThat(update.calendar()).contains("SEQUENCE:1\r\n").doesNotContain("ann@");
        CalendarMail farewell = mail(calendar, sent, "Cancelled: Moved");
        assertThat(farewell.message().addresses().to().toString()).contains("ann@else.test");
        assertThat(farewell.unfolded())
                .contains("METHOD:CANCEL\r\n", "STATUS:CANCELLED\r\n", "mailto:ann@else.test")
                .doesNotContain("jo@else.test");
        calendar.patch("/events/" + id, "{'send_invites':true}").is(200);
        assertThat(mail(calendar, sent(calendar, 5), "Invitation: Moved").calendar())
                .contains("SEQUENCE:1\r\n");
        world.http()
                .delete(calendar.path("/events/" + id + "?send_invites=true"))
                .is(202);
        List<Map<?, ?>> all = sent(calendar, 6);
        assertThat(CalendarMail.read(raw(calendar, all.getFirst())).calendar())
                .contains("METHOD:CANCEL\r\n", "SEQUENCE:2\r\n", "STATUS:CANCELLED\r\n");
    }

    @Test
    void aDateIsToldOfByItselfAndASeriesThatEndsEarlierAsAWhole() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id =
                invite(calendar, "'recurrence':{'rule':'FREQ=DAILY;COUNT=10'},'attendees':[{'email':'jo@else.test'}]");
        sent(calendar, 1);
        calendar.patch(
                        "/events/" + id + "_t20990116T140000",
                        "{'start':'2099-01-16T16:00:00','end':'2099-01-16T17:00:00','send_invites':true}")
                .is(200);
        CalendarMail moved = CalendarMail.read(raw(calendar, sent(calendar, 2).getFirst()));
        assertThat(moved.calendar())
                .contains(
                        "RECURRENCE-ID;TZID=America/New_York:20990116T140000\r\n",
                        "DTSTART;TZID=America/New_York:20990116T160000\r\n",
                        "SEQUENCE:1\r\n")
                .doesNotContain("RRULE:FREQ=DAILY");
        world.http()
                .delete(calendar.path("/events/" + id + "_t20990117T140000?send_invites=true"))
                .is(202);
        CalendarMail cancelled =
                CalendarMail.read(raw(calendar, sent(calendar, 3).getFirst()));
        assertThat(cancelled.calendar())
                .contains("METHOD:CANCEL\r\n", "RECURRENCE-ID;TZID=America/New_York:20990117T140000\r\n");
        world.http()
                .delete(calendar.path("/events/" + id + "_t20990120T140000?mode=future&send_invites=true"))
                .is(202);
        List<Map<?, ?>> all = sent(calendar, 4);
        assertThat(all.getFirst().get("subject")).isEqualTo("Updated invitation: Plan");
        assertThat(CalendarMail.read(raw(calendar, all.getFirst())).calendar())
                .contains(
                        "RRULE:FREQ=DAILY;UNTIL=20990120T185959Z\r\n",
                        "EXDATE;TZID=America/New_York:20990117T140000\r\n",
                        "RECURRENCE-ID;TZID=America/New_York:20990116T140000\r\n");
    }

    @Test
    void noTextBecomesAPropertyOrAHeaderField() {
        CalendarProbe calendar = new CalendarProbe(world);
        String evil = "x\\r\\nATTENDEE:mailto:eve@x.test\\r\\nBcc: eve@x.test";
        calendar.create("{'title':'" + evil + "','location':'" + evil + "','description':'" + evil + "'," + TIME
                        + ",'send_invites':true,'attendees':[{'email':'jo@else.test','name':'" + evil + "'}]}")
                .is(201);
        CalendarMail mail = CalendarMail.read(raw(calendar, sent(calendar, 1).getFirst()));
        assertThat(mail.message().headers()).noneMatch(field -> field.name().equalsIgnoreCase("bcc"));
        String unfolded = mail.unfolded();
        assertThat(unfolded.lines().filter(line -> line.startsWith("ATTENDEE"))).hasSize(1);
        assertThat(unfolded.lines()).noneMatch(line -> line.startsWith("Bcc"));
        assertThat(mail.calendar().split("\r\n"))
                .allSatisfy(line ->
                        assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(75));
    }

    @Test
    void aPausedInboxSendsNothingAndTheChangeStands() {
        CalendarProbe calendar = new CalendarProbe(world);
        world.http()
                .patch("/v0/inboxes/" + calendar.inbox(), json("status", "paused"))
                .is(200);
        String id = invite(calendar, "'attendees':[{'email':'jo@else.test'}]");
        world.http()
                .patch("/v0/inboxes/" + calendar.inbox(), json("status", "active"))
                .is(200);
        calendar.patch("/events/" + id, "{'title':'Later','send_invites':true}").is(200);
        assertThat(sent(calendar, 1).getFirst().get("subject")).isEqualTo("Updated invitation: Later");
    }

    @Test
    void whomAListBlocksGetsNothingAndTheOthersDo() {
        CalendarProbe calendar = new CalendarProbe(world);
        world.http()
                .post("/v0/inboxes/" + calendar.inbox() + "/lists/send/block", json("entry", "no@else.test"))
                .is(200);
        invite(calendar, "'attendees':[{'email':'no@else.test'},{'email':'yes@else.test'}]");
        assertThat(String.valueOf(sent(calendar, 1).getFirst().get("to"))).isEqualTo("[yes@else.test]");
    }

    private static String invite(CalendarProbe calendar, String more) {
        return calendar.create("{'title':'Plan'," + TIME + ",'send_invites':true," + more + "}")
                .is(201)
                .text("event.event_id");
    }

    private static CalendarMail mail(CalendarProbe calendar, List<Map<?, ?>> sent, String subject) {
        Map<?, ?> found = sent.stream()
                .filter(each -> subject.equals(each.get("subject")))
                .findFirst()
                .orElseThrow();
        return CalendarMail.read(raw(calendar, found));
    }

    private static byte[] raw(CalendarProbe calendar, Map<?, ?> item) {
        String url = world.http().get(message(calendar, item) + "/raw").is(200).text("download_url");
        return world.anonymous().get(URI.create(url).getPath()).is(200).body();
    }

    private static List<Map<?, ?>> sent(CalendarProbe calendar, int count) {
        List<Map<?, ?>> found = new ArrayList<>();
        Eventually.await(() -> {
            found.clear();
            world.http()
                    .get("/v0/inboxes/" + calendar.inbox() + "/messages?labels=sent&limit=100")
                    .is(200)
                    .list("messages")
                    .forEach(item -> found.add((Map<?, ?>) item));
            return found.size() >= count;
        });
        assertThat(found).hasSize(count);
        return found;
    }

    private static String message(CalendarProbe calendar, Map<?, ?> item) {
        return "/v0/inboxes/" + calendar.inbox() + "/messages/"
                + URLEncoder.encode(String.valueOf(item.get("message_id")), StandardCharsets.UTF_8);
    }
}
