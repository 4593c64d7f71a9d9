package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;

import dev.inboxd.app.account.AccountFixture;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.CalendarFixture;
import dev.inboxd.screening.HeldFixture;
import dev.inboxd.sending.draft.WaitingFixture;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Every line of the access matrix that is no GET, as something to be done over and over. What a path names is taken
 * from the list that the path before it answers just then, and is made there when the list is empty.
 */
final class WriteRequests {
    private static final List<Line> MATRIX = AccessMatrix.read(Path.of("server/src/test/resources/access-matrix.txt"));
    /** How many of a list are chosen from: few, so that verbs meet. */
    private static final int FEW = 6;
    /** How many names there are for what has a name: so many inboxes, domains and entries there come to be. */
    private static final int NAMES = 12;

    private static final int TRIES = 50;
    private static final String SUBSCRIBED =
            members("event_types", List.of("message.received.unauthenticated", "message.sent"));
    private static final List<String> RELABELLED =
            List.of(json("add_labels", List.of("a")), json("remove_labels", List.of("a", "unread")));

    /**
     * What to send in place of the matrix's body, by method and the end of the template; one of several at random.
     * {new} was in no request before, {some} was in many, {inbox} and {messages} are there, {then} was a moment ago.
     */
    private static final Map<String, List<String>> BODIES = Map.ofEntries(
            Map.entry("POST /inboxes", List.of(json("username", "lock{some}"))),
            Map.entry("POST /domains", List.of(json("domain", "d{some}.example"))),
            Map.entry("POST /{type}", List.of(json("entry", "e{some}.example"))),
            Map.entry("POST /webhooks", List.of("""
            {"url":"http://127.0.0.1:9/{new}",%s}""".formatted(SUBSCRIBED))),
            Map.entry("POST /polling", List.of("""
            {"client_id":"c{some}",%s}""".formatted(SUBSCRIBED), """
            {"client_id":"n{new}",%s}""".formatted(SUBSCRIBED))),
            Map.entry("PATCH /{webhook_id}", List.of(json("enabled", false), json("enabled", true, "catch_up", true))),
            Map.entry("POST /replay", List.of(json("after", "{then}"))),
            Map.entry("PATCH /{message_id}", RELABELLED),
            Map.entry("PATCH /{thread_id}", RELABELLED),
            Map.entry(
                    "POST /batch-update",
                    List.of(
                            "{\"message_ids\":{messages},\"add_labels\":[\"b\"]}",
                            "{\"message_ids\":{messages},\"remove_labels\":[\"b\"]}")),
            Map.entry(
                    "POST /messages/send",
                    List.of(json("to", List.of("{inbox}", "jo@elsewhere.test"), "subject", "{new}"))),
            Map.entry("POST /forward", List.of(json("to", "{inbox}"))),
            Map.entry("POST /connect", List.of(json("inbox_id", "{inbox}"))),
            // The second is due at once, and the schedule takes it.
            Map.entry(
                    "POST /drafts",
                    List.of(
                            json("to", "jo@elsewhere.test", "attachments", List.of(object("content", "aGk="))),
                            json("to", "{inbox}", "text", "Hello", "send_at", "{now}"))));

    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, Line> makers = new HashMap<>();
    private final String ownKey;
    private final UUID app;
    private final UUID organization;

    /** Something that is done; null when there was nothing to do it with. */
    interface Verb {
        HttpProbe.@Nullable Answer run(World node, Random random);

        /** Does it over and over: what it needs may take a moment to be there. */
        default HttpProbe.@Nullable Answer untilItSucceeds(World node) {
            Random random = new Random(0);
            HttpProbe.Answer answer = null;
            for (int i = 0; i < TRIES && (answer == null || answer.status() / 100 != 2); i++) {
                answer = run(node, random);
            }
            return answer;
        }
    }

    private static final Pattern SESSIONS =
            Pattern.compile("/console/(sign-in|sessions?(/renew)?|sessions/[{]session_id})");
    /** What needs a permission that is given by name alone. */
    private static final Pattern NAMED_ALONE =
            Pattern.compile("/(release|resume)$|/drafts/.*/(approve|reject)$|/approval-exemptions/");

    /** @param first whose key does it all */
    WriteRequests(World first) {
        organization = first.organization();
        ownKey = first.http().get("/v0/auth/me").is(200).text("api_key_id");
        app = AppFixture.register(first, """
                {"name":"App","redirect_uris":["https://app.example/cb"],\
                "initiate_login_uri":"https://app.example/start"}""");
        MATRIX.stream().filter(line -> line.method().equals("POST")).forEach(line -> makers.put(template(line), line));
    }

    /** The routes that must have a verb. */
    static List<String> routes() {
        return MATRIX.stream()
                .filter(line -> !line.method().equals("GET") && !isPage(line))
                .map(Line::route)
                .toList();
    }

    /**
     * A form of the console calls the verbs of the interface, which are played by themselves. What is below
     * {@code /sandbox} is there in development alone, and waits until the others are done.
     */
    private static boolean isPage(Line line) {
        return line.template().startsWith("/sandbox")
                || (line.template().startsWith("/console")
                        && !SESSIONS.matcher(line.template()).matches());
    }

    /** By route. What takes something else than a key is left to others. */
    Map<String, Verb> all() {
        Map<String, Verb> verbs = new TreeMap<>();
        MATRIX.stream()
                .filter(line -> !line.method().equals("GET") && !isPage(line))
                .forEach(line -> verbs.put(line.route(), (node, random) -> play(line, node, random)));
        return verbs;
    }

    private static String template(Line line) {
        return line.template().replace("{direction}/{type}", "receive/block");
    }

    private HttpProbe.@Nullable Answer play(Line line, World node, Random random) {
        // A pod that is not empty is not deleted, so every other one is new.
        boolean fresh = line.route().equals("DELETE /v0/pods/{pod_id}") && random.nextBoolean();
        StringBuilder path = new StringBuilder();
        StringBuilder template = new StringBuilder();
        for (String step : template(line).substring(1).split("/", -1)) {
            String filled = step;
            if (step.startsWith("{")) {
                String name = step.substring(1, step.length() - 1);
                filled = any(new Place(node, path.toString(), template.toString(), name), fresh, random);
            }
            if (filled == null) {
                return null;
            }
            path.append('/').append(filled);
            template.append('/').append(step);
        }
        prepare(line, node, path.toString(), random);
        HttpProbe.Answer answer = send(line, node, path.toString(), random);
        if (line.route().endsWith("/api-keys") && answer.status() == 200) {
            node.as(answer.text("api_key")).get("/v0/auth/me"); // which notes that the key was used
        }
        return answer;
    }

    /** Only what waits, is held or invites can be decided, only a verdict has opinions, and only a claim can end. */
    private void prepare(Line line, World node, String path, Random random) {
        String[] steps = path.split("/", -1);
        String last = steps[steps.length - 1];
        if (last.equals("respond")) {
            CalendarFixture.receive(node.database(), organization, steps[steps.length - 2], steps[3]);
        } else if (path.contains("/drafts/") && (last.equals("approve") || last.equals("reject"))) {
            WaitingFixture.await(node.database(), organization, steps[steps.length - 2]);
        } else if (last.equals("release")) {
            HeldFixture.hold(node.database(), organization, steps[3], steps[steps.length - 2]);
        } else if (last.equals("security-feedback")) {
            HeldFixture.judge(node.database(), organization, steps[3], steps[steps.length - 2]);
        } else if (last.equals("claim") && line.method().equals("DELETE")) {
            send(Objects.requireNonNull(makers.get(line.template())), node, path, random);
        }
    }

    /**
     * Where something is listed and made.
     *
     * @param path with its ids
     * @param name how a path names one of these things
     */
    private record Place(World node, String path, String template, String name) {
        String member() {
            return name.equals("delivery_id") ? "svix_id" : name;
        }

        /** What is in the path behind some step, or null. */
        @Nullable
        String behind(String step) {
            int start = path.indexOf(step);
            return start < 0 ? null : path.substring(start + step.length()).split("/", -1)[0];
        }

        /** Empty when the owner was deleted meanwhile. */
        List<String> listed() {
            HttpProbe.Answer answer = node.http().sloppy().get(path + "?include_unauthenticated=true&limit=" + FEW);
            List<String> ids = new ArrayList<>();
            if (answer.status() == 200) {
                ((Map<?, ?>) Objects.requireNonNull(answer.at("")))
                        .values().stream()
                                .filter(List.class::isInstance)
                                .flatMap(list -> ((List<?>) list).stream())
                                .forEach(item -> ids.add(String.valueOf(((Map<?, ?>) item).get(member()))));
            }
            return ids;
        }
    }

    private @Nullable String any(Place place, boolean fresh, Random random) {
        List<String> there = fresh ? List.of() : listed(place);
        if (there.isEmpty()) {
            String made = make(place, random);
            there = made == null ? listed(place) : List.of(made);
        }
        return there.isEmpty() ? null : encoded(place, there.get(random.nextInt(there.size())));
    }

    private static String encoded(Place place, String id) {
        return place.name.equals("message_id") ? URLEncoder.encode(id, StandardCharsets.UTF_8) : id;
    }

    /** The key that all this is done with stays. */
    private List<String> listed(Place place) {
        return place.listed().stream().filter(id -> !id.equals(ownKey)).toList();
    }

    /** Makes one by the route that does, or by mail. */
    private @Nullable String make(Place place, Random random) {
        Line maker = makers.get(place.template);
        if (maker != null) {
            HttpProbe.Answer answer = send(maker, place.node, place.path, random);
            return answer.status() / 100 == 2 ? made(answer, place.member()) : null;
        }
        String pod = place.behind("/pods/");
        String inbox = place.behind("/inboxes/");
        if (inbox == null) {
            inbox = any(
                    new Place(
                            place.node,
                            pod == null ? "/v0/inboxes" : "/v0/pods/" + pod + "/inboxes",
                            pod == null ? "/v0/inboxes" : "/v0/pods/{pod_id}/inboxes",
                            "inbox_id"),
                    false,
                    random);
        }
        if (inbox != null && place.name.equals("address")) {
            return WaitingFixture.exempt(place.node.database(), organization, inbox);
        }
        if (inbox != null && place.name.equals("account_id")) {
            return account(place.node, inbox);
        }
        if (inbox != null) {
            mail(place.node, List.of(inbox), random);
        }
        return null;
    }

    /** The id of what was made; that of a calendar event is in a member. */
    private static @Nullable String made(HttpProbe.Answer answer, String member) {
        Object id = answer.at(member) == null ? answer.at("event." + member) : answer.at(member);
        return id instanceof String text ? text : null;
    }

    /** An inbox signs in at an app, unless it is deleted meanwhile. */
    private @Nullable String account(World node, String inbox) {
        try {
            return AccountFixture.signIn(node, app, inbox).id().toString();
        } catch (Problem | NoSuchElementException gone) {
            return null;
        }
    }

    private HttpProbe.Answer send(Line line, World node, String path, Random random) {
        List<String> bodies = BODIES.entrySet().stream()
                .filter(body -> isFor(body.getKey(), line))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(List.of(line.body()));
        String body = bodies.get(random.nextInt(bodies.size()));
        Instant now = node.clock().instant();
        return (NAMED_ALONE.matcher(line.template()).find() ? releaser(node) : node.http())
                .send(
                        line.method(),
                        path,
                        body.replace("{new}", "new-" + number.incrementAndGet())
                                .replace("{some}", String.valueOf(random.nextInt(NAMES)))
                                .replace("{now}", now.toString())
                                .replace("{then}", now.minusSeconds(1).toString())
                                .replace("{inbox}", body.contains("{inbox}") ? inbox(node, random) : "")
                                .replace(
                                        "{messages}", body.contains("{messages}") ? messages(node, path, random) : ""));
    }

    /** With a key of its own: the others are deleted by the verbs that do. */
    private HttpProbe releaser(World node) {
        return node.as(HeldFixture.key(node.database(), organization));
    }

    private static boolean isFor(String key, Line line) {
        int end = key.indexOf(' ');
        return line.method().equals(key.substring(0, end)) && line.template().endsWith(key.substring(end + 1));
    }

    /** Those of the inbox that the path names, as JSON. */
    private String messages(World node, String path, Random random) {
        String list = path.substring(0, path.lastIndexOf('/'));
        Place place = new Place(node, list, list, "message_id");
        any(place, false, random);
        return Json.text(place.listed());
    }

    /** The address of some inbox; it may be gone by the time it is used. */
    String inbox(World node, Random random) {
        String any = any(new Place(node, "/v0/inboxes", "/v0/inboxes", "inbox_id"), false, random);
        return any == null ? "nobody@mail.localhost" : any;
    }

    /** Sends a mail from outside, perhaps an answer to one before; returns the reply. */
    String mail(World node, List<String> inboxes, Random random) {
        int mail = number.incrementAndGet();
        String reference = random.nextBoolean() ? "" : "In-Reply-To: <" + (mail - random.nextInt(NAMES)) + "@x.test>\n";
        try (SmtpProbe session = new SmtpProbe(node.smtpPort())) {
            return session.send(
                    "w@x.test",
                    inboxes,
                    "From: w@x.test\nMessage-ID: <" + mail + "@x.test>\n" + reference + "\nHello.\n");
        }
    }
}
