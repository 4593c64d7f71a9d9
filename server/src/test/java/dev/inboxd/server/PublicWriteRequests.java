package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;

import dev.inboxd.app.oidc.SignInRequests;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.Json;
import dev.inboxd.server.WriteRequests.Verb;
import dev.inboxd.tenant.organization.OrganizationHumans;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The routes that no key of an organization opens, or not alone: each by whoever holds what does, a link, the token of
 * a queue, a session, a code, or the key of an agent that nobody has confirmed yet.
 */
final class PublicWriteRequests {
    private static final String QUEUE = "/api/v1/app/{app_id}/polling-endpoint/{webhook_id}/consumer/{consumer_id}";
    private static final String SESSION = "/console/session";
    private static final String FORM = "List-Unsubscribe=One-Click";
    /** How many humans sign in, and how many consumers a queue has: few, so that verbs meet. */
    private static final int FEW = 3;
    /** How often an agent of one human signs up, about: the later times give it another key. */
    private static final int SIGN_UPS = 4;

    private final WriteRequests writes;
    private final SignInRequests signIns;
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger signUps = new AtomicInteger();
    private final ConcurrentLinkedQueue<Agent> agents = new ConcurrentLinkedQueue<>();

    private record Agent(String key, String human) {}

    /** Makes humans of the first organization, who can sign in. */
    PublicWriteRequests(World first, WriteRequests writes) {
        this.writes = writes;
        this.signIns = new SignInRequests(first);
        UUID organization = first.organization();
        for (int i = 0; i < FEW; i++) {
            String human = member(i);
            first.database().<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, organization));
        }
    }

    private static String member(int number) {
        return "member-" + number + "@people.test";
    }

    /** By route, those too that only read. */
    Map<String, Verb> all() {
        Map<String, Verb> all = new HashMap<>(signIns());
        all.putAll(others());
        return all;
    }

    /** The steps of signing in at an app. */
    private Map<String, Verb> signIns() {
        return Map.ofEntries(
                Map.entry("POST /v0/authorize", (node, _) -> signIns.begin(node)),
                Map.entry("POST /v0/authorize/approve", approval("/v0/authorize/approve")),
                Map.entry("POST /authorize/approve", approval("/authorize/approve")),
                Map.entry("POST /v0/inboxes/{inbox_id}/authorize", ofInbox(signIns::authorize)),
                Map.entry("POST /v0/authorize/activate", ofInbox(signIns::activateWaiting)),
                Map.entry("POST /v0/authorize/consent", ofInbox(signIns::consent)),
                Map.entry("POST /v0/token", ofInbox(signIns::token)),
                Map.entry("POST /v0/userinfo", ofInbox(signIns::userinfo)),
                Map.entry("POST /v0/sign-in/begin", ofInbox(signIns::beginLink)),
                Map.entry("POST /v0/sign-in/activate", ofInbox(signIns::activateLink)));
    }

    /** A step that an inbox takes; null when something it needs was taken away. */
    private interface Step {
        HttpProbe.@Nullable Answer take(World node, String inbox);
    }

    /** With another inbox when something it needs was taken away from the first. */
    private Verb ofInbox(Step step) {
        return (node, random) -> {
            HttpProbe.Answer answer = null;
            for (int i = 0; i < FEW && answer == null; i++) {
                answer = step.take(node, writes.inbox(node, random));
            }
            return answer;
        };
    }

    private Verb approval(String path) {
        return ofInbox((node, inbox) -> signIns.approve(node, inbox, path));
    }

    private Map<String, Verb> others() {
        return Map.ofEntries(
                Map.entry("GET /download/{token}", this::download),
                Map.entry("GET /calendar-feeds/{token}", this::subscribe),
                Map.entry("GET /unsubscribe/{token}", this::ask),
                Map.entry("POST /unsubscribe/{token}", this::unsubscribe),
                Map.entry("GET " + QUEUE, (node, random) -> queue(node, random).receive()),
                Map.entry(
                        "POST " + QUEUE + "/commit",
                        (node, random) -> queue(node, random).commit()),
                Map.entry(
                        "PUT /api/v1/app/{app_id}/endpoint/{webhook_id}/auto-config",
                        (node, random) -> queue(node, random).configure()),
                Map.entry("POST /console/sign-in", (node, random) -> signIn(node, member(random.nextInt(FEW)))),
                Map.entry("POST /console/session", this::open),
                Map.entry(
                        "GET /console/session",
                        (node, random) -> session(node, random).get(SESSION)),
                Map.entry(
                        "POST /console/session/renew",
                        (node, random) -> session(node, random).post(SESSION + "/renew", "")),
                Map.entry(
                        "DELETE /console/session",
                        (node, random) -> session(node, random).delete(SESSION)),
                Map.entry(
                        "GET /console/sessions",
                        (node, random) -> session(node, random).get("/console/sessions")),
                Map.entry("DELETE /console/sessions/{session_id}", (node, random) -> {
                    HttpProbe human = session(node, random);
                    Object own = human.get(SESSION).at("session_id"); // null when somebody has ended it
                    return human.delete("/console/sessions/" + (own == null ? Uuid7.next() : own));
                }),
                Map.entry(
                        "DELETE /console/sessions",
                        (node, random) -> session(node, random).delete("/console/sessions")),
                Map.entry("POST /v0/agent/sign-up", (node, _) -> signUp(node)),
                Map.entry("POST /v0/agent/verify", this::verify),
                Map.entry("POST /v0/agent/human", this::attach));
    }

    /** A message that was sent to somebody new, with a link to unsubscribe; null when its inbox is gone. */
    private HttpProbe.@Nullable Answer sent(World node, Random random, String more) {
        String messages = "/v0/inboxes/" + writes.inbox(node, random) + "/messages/";
        HttpProbe.Answer sent = node.http().post(messages + "send", """
                {"to":"reader%s@elsewhere.test","text":"Hi",
                "headers":{"List-Unsubscribe-Post":"%s"}}""".formatted(readers.incrementAndGet(), FORM));
        if (sent.status() != 200) {
            return null;
        }
        String id = URLEncoder.encode(sent.text("message_id"), StandardCharsets.UTF_8);
        HttpProbe.Answer message = node.http().get(messages + id + more);
        return message.status() == 200 ? message : null;
    }

    private HttpProbe.@Nullable Answer download(World node, Random random) {
        HttpProbe.Answer raw = sent(node, random, "/raw");
        return raw == null
                ? null
                : node.anonymous().get(URI.create(raw.text("download_url")).getPath());
    }

    private HttpProbe.@Nullable Answer subscribe(World node, Random random) {
        HttpProbe.Answer made = node.http().post("/v0/inboxes/" + writes.inbox(node, random) + "/calendar/feed", "");
        return made.status() == 201
                ? node.anonymous().get(URI.create(made.text("url")).getPath())
                : null;
    }

    private @Nullable String link(World node, Random random) {
        HttpProbe.Answer message = sent(node, random, "");
        if (message == null) {
            return null;
        }
        Map<?, ?> headers = (Map<?, ?>) Objects.requireNonNull(message.at("headers"));
        String field = String.valueOf(headers.get("List-Unsubscribe"));
        return URI.create(field.substring(1, field.length() - 1)).getPath();
    }

    private HttpProbe.@Nullable Answer ask(World node, Random random) {
        String link = link(node, random);
        return link == null ? null : node.anonymous().get(link);
    }

    private HttpProbe.@Nullable Answer unsubscribe(World node, Random random) {
        String link = link(node, random);
        return link == null
                ? null
                : node.anonymous()
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .post(link, FORM);
    }

    /**
     * A queue that a consumer reads with the token of a moment ago, which the next one ends.
     *
     * @param app how its paths name the organization
     */
    private record Queue(World node, String app, String id, String token, int consumer) {
        private String path() {
            return "/api/v1/app/" + app + "/polling-endpoint/" + id + "/consumer/" + consumer;
        }

        HttpProbe.Answer receive() {
            return node.as(token).get(path() + "?lease_duration_ms=500");
        }

        /** Null when nothing came, or another reader has it. */
        HttpProbe.@Nullable Answer commit() {
            HttpProbe.Answer given = receive();
            List<?> events = given.status() == 200 ? given.list("data") : List.of();
            return events.isEmpty()
                    ? null
                    : node.as(token)
                            .post(path() + "/commit", """
                    {"offset":%s}""".formatted(((Map<?, ?>) events.getLast()).get("offset")));
        }

        HttpProbe.Answer configure() {
            return node.as(token).send("PUT", "/api/v1/app/" + app + "/endpoint/" + id + "/auto-config", "{}");
        }
    }

    private Queue queue(World node, Random random) {
        HttpProbe.Answer made = node.http()
                .post("/v0/webhooks/polling", """
                {"client_id":"door%s",
                "event_types":["message.received.unauthenticated"]}""".formatted(random.nextInt(FEW)))
                .is(200);
        writes.mail(node, List.of(writes.inbox(node, random)), random);
        byte[] content = Base64.getDecoder().decode(made.text("token").substring("auto_v1_".length()));
        Map<?, ?> members = (Map<?, ?>) Objects.requireNonNull(Json.parse(content));
        return new Queue(
                node,
                String.valueOf(members.get("aid")),
                made.text("webhook_id"),
                String.valueOf(members.get("tok")),
                random.nextInt(FEW));
    }

    private static HttpProbe.Answer signIn(World node, String human) {
        return node.anonymous().post("/console/sign-in", json("human_email", human));
    }

    /** The code may be another's by then, who asked for one as well. */
    private HttpProbe.@Nullable Answer open(World node, Random random) {
        String human = member(random.nextInt(FEW));
        signIn(node, human);
        String code = code(node, human);
        return code == null ? null : node.anonymous().post(SESSION, json("human_email", human, "code", code));
    }

    private HttpProbe session(World node, Random random) {
        HttpProbe.Answer opened = open(node, random);
        return node.as(opened == null || opened.status() != 200 ? "none" : opened.text("session_token"));
    }

    /** The code in the newest letter that has one. */
    private static @Nullable String code(World node, String human) {
        return node.letters(human).reversed().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.length() == 6 && line.chars().allMatch(Character::isDigit))
                .findFirst()
                .orElse(null);
    }

    /** Some without a human, whom another verb attaches. */
    private HttpProbe.Answer signUp(World node) {
        int sign = signUps.incrementAndGet();
        String human = sign % SIGN_UPS == 0 ? "" : "human-" + sign / SIGN_UPS + "@people.test";
        HttpProbe.Answer answer = node.anonymous()
                .post(
                        "/v0/agent/sign-up",
                        "{" + members("username", "agent-" + sign)
                                + (human.isEmpty() ? "" : "," + members("human_email", human)) + "}");
        if (answer.status() == 200) {
            agents.add(new Agent(answer.text("api_key"), human));
        }
        return answer;
    }

    /** The oldest, whose human may have signed up again. */
    private @Nullable Agent agent(World node) {
        signUp(node);
        return agents.poll();
    }

    private HttpProbe.@Nullable Answer verify(World node, Random random) {
        Agent agent = agent(node);
        String code = agent == null ? null : code(node, agent.human);
        return agent == null || code == null
                ? null
                : node.as(agent.key).post("/v0/agent/verify", json("otp_code", code));
    }

    /** Humans change between agents, and refuse those that have one. */
    private HttpProbe.@Nullable Answer attach(World node, Random random) {
        Agent agent = agent(node);
        String human = "human-" + (signUps.get() / SIGN_UPS + random.nextInt(FEW)) + "@people.test";
        if (agent != null) {
            agents.add(new Agent(agent.key, human));
        }
        return agent == null ? null : node.as(agent.key).post("/v0/agent/human", json("human_email", human));
    }
}
