package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static java.util.Map.entry;

import dev.inboxd.app.account.AccountFixture;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.CalendarFixture;
import dev.inboxd.payment.ledger.PaymentRowFixture;
import dev.inboxd.screening.HeldFixture;
import dev.inboxd.sending.draft.WaitingFixture;
import dev.inboxd.server.AccessMatrix.Target;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Two organizations, the first with two pods, and everything a path can name in each of them. All text of a thing
 * carries a mark of who may see it, so that a mark in an answer to somebody else is a leak.
 */
final class Tenants {
    /** In everything of the first organization's first pod and, of that, of the first inbox. */
    static final String OWN = "mark-own";
    /** In another inbox of the same pod, and in what the pod owns. */
    static final String OTHER_INBOX = "canary-other-inbox";
    /** In another pod. */
    static final String OTHER_POD = "canary-other-pod";
    /** In another organization. */
    static final String FOREIGN = "canary-foreign";

    /** The slug of an app that everybody may read. */
    static final String APP = "matrix-app";

    private static final String NOBODYS_CLAIM = "clm_" + "0".repeat(22);

    private final World world;
    private final UUID app;
    private final AtomicInteger number = new AtomicInteger();
    private final Place first;
    private final Place otherPod;
    private final Place foreign;

    /** A pod. */
    record Place(UUID organization, UUID pod) {}

    /**
     * Things of one owner that a path can name.
     *
     * @param ids by the name of the path's parameter, percent-encoded
     */
    record Things(Place place, UUID inboxKey, Map<String, String> ids) {
        Things {
            ids = Map.copyOf(ids);
        }

        String id(String name) {
            return Objects.requireNonNull(ids.get(name));
        }
    }

    Tenants(World world) {
        this.world = world;
        this.app = AppFixture.register(world, """
                {"name":"App","slug":"%s","redirect_uris":["https://app.example/cb"],\
                "initiate_login_uri":"https://app.example/start"}""".formatted(APP));
        UUID organization = world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select o.organization_id from organization o" + " where o.type = 'console'")
                        .single(row -> row.uuid("organization_id")));
        UUID pod = world.database().read(tx -> Organizations.defaultPod(tx, organization));
        first = new Place(organization, pod);
        otherPod = new Place(organization, pod(organization, OTHER_POD));
        UUID other = Uuid7.next();
        Organizations organizations = new Organizations(world.database(), world.clock());
        foreign = new Place(
                other,
                world.database()
                        .writeGlobal(tx -> organizations
                                .create(tx, other, Organization.Type.CONSOLE, null)
                                .pod()));
    }

    private UUID pod(UUID organization, String mark) {
        UUID id = Uuid7.next();
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                insert into pod (organization_id, pod_id, name, is_default, created_at, updated_at)
                values ({organization}, :id, :name, false, {now}, {now})""")
                                .bind("id", id)
                                .bind("name", mark)
                                .run());
        return id;
    }

    /** New things for a key of that scope to reach for. */
    Things make(Scope scope, Target target) {
        return switch (target) {
            case OWN -> things(first, OWN, scope);
            case FOREIGN -> things(foreign, FOREIGN, Scope.ORGANIZATION);
            case SIBLING ->
                scope == Scope.POD ? things(otherPod, OTHER_POD, Scope.POD) : things(first, OTHER_INBOX, Scope.POD);
        };
    }

    /** A key over some things: of their organization, their pod or their inbox. */
    String key(Things things, Scope scope, @Nullable Set<Permission> permissions) {
        return issue(things.place(), owner(things.place(), things.inboxKey(), scope), OWN, permissions)
                .secret();
    }

    private ApiKeys.IssuedKey issue(
            Place place, ApiKey.Owner owner, String name, @Nullable Set<Permission> permissions) {
        return world.database()
                .write(
                        place.organization(),
                        tx -> ApiKeys.issue(
                                tx,
                                place.organization(),
                                new ApiKeys.KeySpec(
                                        name,
                                        owner,
                                        permissions == null ? HeldFixture.everything() : ApiKey.Grant.of(permissions),
                                        null,
                                        false),
                                tx.next().at()));
    }

    private static ApiKey.Owner owner(Place place, UUID inbox, Scope scope) {
        return switch (scope) {
            case ORGANIZATION -> ApiKey.Owner.ORGANIZATION;
            case POD -> new ApiKey.Owner(place.pod(), null, null);
            case INBOX -> new ApiKey.Owner(place.pod(), inbox, null);
        };
    }

    private Things things(Place place, String mark, Scope owner) {
        String address = mark + "-" + number.incrementAndGet() + "@mail.localhost";
        UUID inbox = world.database()
                .write(
                        place.organization(),
                        tx -> Inboxes.open(
                                        tx,
                                        place.organization(),
                                        place.pod(),
                                        address,
                                        tx.next().at())
                                .id());
        ApiKeys.IssuedKey key = issue(place, owner(place, inbox, owner), mark, null);
        Map<String, String> ids = new HashMap<>(webhooks(
                world.as(key.secret()),
                mark,
                owner == Scope.INBOX ? "" : "," + members("inbox_ids", List.of(address))));
        String name = "<" + mark + number.incrementAndGet() + "@x.test>";
        String reply = world.mail(mark + "@x.test", address, mail(mark, name));
        if (!reply.startsWith("250")) {
            throw new IllegalStateException(reply);
        }
        HttpProbe all =
                world.as(issue(place, ApiKey.Owner.ORGANIZATION, mark, null).secret());
        HttpProbe.Answer message =
                all.get("/v0/inboxes/" + address + "/messages/" + encoded(name)).is(200);
        HeldFixture.judge(world.database(), place.organization(), address, encoded(name));
        // What comes from outside is hidden from searches; what is sent is not.
        all.post(
                        "/v0/inboxes/" + address + "/messages/send",
                        json("to", mark + "@x.test", "subject", mark, "text", mark + " " + AccessMatrix.WORD))
                .is(200);
        ids.put("delivery_id", delivery(world.as(key.secret()), Objects.requireNonNull(ids.get("webhook_id"))));
        ApiKeys.IssuedKey podKey = issue(place, owner(place, inbox, Scope.POD), mark, null);
        ApiKeys.IssuedKey inboxKey = issue(place, owner(place, inbox, Scope.INBOX), mark, null);
        HttpProbe.Answer draft = all.post("/v0/inboxes/" + address + "/drafts", """
                {"to":"%s@x.test","text":"%s",
                "attachments":[{"filename":"%s","content":"aGk="}]}""".formatted(mark, mark, mark))
                .is(200);
        String domain = all.post(
                        "/v0/pods/" + place.pod() + "/domains",
                        json("domain", mark + "-" + number.incrementAndGet() + ".example"))
                .is(200)
                .text("domain_id");
        ids.put("spare_pod_id", sparePod(place, mark, owner).toString());
        ids.put(
                "payment_id",
                PaymentRowFixture.settled(world.database(), place.organization())
                        .toString());
        ids.put("rule_id", rule(all, mark));
        ids.put("fault_id", fault(all, mark));
        ids.putAll(events(all, place, mark, address));
        ids.putAll(Map.ofEntries(
                entry("domain_id", domain),
                entry(
                        "account_id",
                        AccountFixture.signIn(world, app, address).id().toString()),
                entry("session_id", Uuid7.next().toString()), // of nobody: sessions are those of one human
                entry("pod_id", place.pod().toString()),
                entry("inbox_id", address),
                entry("message_id", encoded(name)),
                entry("thread_id", message.text("thread_id")),
                entry("attachment_id", message.text("attachments.0.attachment_id")),
                entry("api_key_id", key.key().id().toString()),
                entry("pod_api_key_id", podKey.key().id().toString()),
                entry("inbox_api_key_id", inboxKey.key().id().toString()),
                entry("address", "nobody@x.test"),
                entry("claim_id", NOBODYS_CLAIM),
                entry("draft_id", draft.text("draft_id")),
                entry("draft_attachment_id", draft.text("attachments.0.attachment_id")),
                entry("entry", listEntry(all, place, address))));
        return new Things(place, inbox, ids);
    }

    /** Holds the message of these things, which is then there to be released. */
    Things held(Things things) {
        HeldFixture.hold(
                world.database(), things.place().organization(), things.id("inbox_id"), things.id("message_id"));
        return things;
    }

    /** Claims the thread of these things. */
    Things claimed(Things things) {
        HttpProbe all = world.as(
                issue(things.place(), ApiKey.Owner.ORGANIZATION, OWN, null).secret());
        Map<String, String> ids = new HashMap<>(things.ids());
        ids.put(
                "claim_id",
                all.post(
                                "/v0/inboxes/" + things.id("inbox_id") + "/messages/" + things.id("message_id")
                                        + "/claim",
                                "{}")
                        .is(200)
                        .text("claim_id"));
        return new Things(things.place(), things.inboxKey(), ids);
    }

    /** Lets the draft of these things wait, which is then there to be approved. */
    Things waiting(Things things) {
        WaitingFixture.await(world.database(), things.place().organization(), things.id("draft_id"));
        return things;
    }

    /** An event, a series, and an invitation. */
    private Map<String, String> events(HttpProbe all, Place place, String mark, String inbox) {
        String invitation = event(all, mark, inbox, "");
        CalendarFixture.receive(world.database(), place.organization(), invitation, inbox);
        return Map.of(
                "event_id",
                event(all, mark, inbox, ""),
                "series_id",
                event(all, mark, inbox, "," + members("recurrence", object("rule", "FREQ=WEEKLY"))),
                "invitation_id",
                invitation);
    }

    private static String event(HttpProbe all, String mark, String inbox, String more) {
        return all.post("/v0/inboxes/" + inbox + "/calendar/events", """
                {"title":"%s","start":"2099-01-01T10:00:00",
                "end":"2099-01-01T11:00:00"%s}""".formatted(mark, more))
                .is(201)
                .text("event.event_id");
    }

    private String rule(HttpProbe all, String mark) {
        String match = mark + number.incrementAndGet() + "@rules.test";
        return all.post("/sandbox/recipients", json("match", match, "script", List.of(object("answer", "drop"))))
                .is(200)
                .text("rule_id");
    }

    /** One that hits nobody, and soon makes room. */
    private static String fault(HttpProbe all, String mark) {
        List<String> names = List.of(mark + ".faults.test");
        return all.post("/sandbox/faults", json("kind", "dns", "answer", "servfail", "names", names, "seconds", 60))
                .is(200)
                .text("fault_id");
    }

    /** Of both kinds, at the level of the key. */
    private Map<String, String> webhooks(HttpProbe key, String mark, String inboxes) {
        String types = "," + members("event_types", List.of("message.received.unauthenticated")) + inboxes + "}";
        return Map.of(
                "webhook_id",
                key.post("/v0/webhooks", "{" + members("url", "http://127.0.0.1:9/" + mark) + types)
                        .is(200)
                        .text("webhook_id"),
                "polling_webhook_id",
                key.post("/v0/webhooks/polling", "{" + members("client_id", mark + number.incrementAndGet()) + types)
                        .is(200)
                        .text("webhook_id"));
    }

    /** The mail before is delivered, or waits for it: nothing listens at the webhook's URL. */
    private static String delivery(HttpProbe key, String webhook) {
        String log = "/v0/webhooks/" + webhook + "/deliveries";
        Eventually.await(() -> !key.get(log).is(200).list("deliveries").isEmpty());
        return key.get(log).is(200).text("deliveries.0.svix_id");
    }

    /** One to delete. For who has only a pod it is that, and for an organization one without anything in it. */
    private UUID sparePod(Place place, String mark, Scope owner) {
        return owner == Scope.ORGANIZATION
                ? pod(place.organization(), mark.equals(FOREIGN) ? FOREIGN : OTHER_POD)
                : place.pod();
    }

    /** One entry on the same list at every level; its text carries the mark too. */
    private static String listEntry(HttpProbe all, Place place, String address) {
        String entry = address.replace("@", ".") + ".example";
        for (String level : List.of("/v0", "/v0/pods/" + place.pod(), "/v0/inboxes/" + address)) {
            all.post(level + "/lists/receive/block", json("entry", entry)).is(200);
        }
        return entry;
    }

    /** Ids in the right form that nobody has. */
    static Map<String, String> nobodys() {
        String id = "01890000-0000-7000-8000-000000000000";
        return Map.ofEntries(
                entry("account_id", id),
                entry("session_id", id),
                entry("domain_id", "nobody.example"),
                entry("pod_id", id),
                entry("inbox_id", "nobody@mail.localhost"),
                entry("message_id", encoded("<nobody@x.test>")),
                entry("thread_id", id),
                entry("attachment_id", id),
                entry("api_key_id", id),
                entry("pod_api_key_id", id),
                entry("inbox_api_key_id", id),
                entry("webhook_id", "ep_" + "0".repeat(27)),
                entry("polling_webhook_id", "ep_" + "0".repeat(27)),
                entry("delivery_id", "msg_nobodys"),
                entry("spare_pod_id", id),
                entry("address", "nobody@y.test"),
                entry("claim_id", NOBODYS_CLAIM),
                entry("draft_id", id),
                entry("draft_attachment_id", id),
                entry("event_id", id),
                entry("series_id", id),
                entry("invitation_id", id),
                entry("payment_id", id),
                entry("rule_id", id),
                entry("fault_id", id),
                entry("entry", "nobody.example"));
    }

    /** The marks that a key of that scope must never see. */
    static List<String> hiddenFrom(Scope scope) {
        return switch (scope) {
            case ORGANIZATION -> List.of(FOREIGN);
            case POD -> List.of(FOREIGN, OTHER_POD);
            case INBOX -> List.of(FOREIGN, OTHER_POD, OTHER_INBOX);
        };
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static String mail(String mark, String name) {
        return """
                From: %1$s <%1$s@x.test>
                Subject: %1$s
                Message-ID: %2$s
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                %1$s
                --b
                Content-Type: application/octet-stream; name="%1$s"
                Content-Disposition: attachment; filename="%1$s"

                %1$s
                --b--
                """.formatted(mark, name);
    }
}
