package dev.inboxd.server;

import dev.inboxd.base.access.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines of {@code access-matrix.txt}. */
final class AccessMatrix {
    /** A word of every address, and of what is sent from each. */
    static final String WORD = "localhost";

    private static final String SESSION = "session ";
    private static final String HOLDER = "holder ";

    private AccessMatrix() {}

    /** Whose thing a request is about. */
    enum Target {
        OWN,
        SIBLING,
        FOREIGN
    }

    /**
     * One line.
     *
     * @param route method and template with one space between them
     * @param flag the permission it takes, or a word for none
     * @param answers the statuses for the keys of each scope; for a public route the first is for everybody
     * @param body what to send, perhaps empty
     */
    record Line(String route, String flag, Map<Scope, List<Integer>> answers, String body) {
        Line {
            answers = Map.copyOf(answers);
        }

        String method() {
            return route.substring(0, route.indexOf(' '));
        }

        String template() {
            return route.substring(route.indexOf(' ') + 1);
        }

        boolean isPublic() {
            return flag.equals("public");
        }

        /** The template with those parameters filled in that are words and no ids. */
        String path() {
            return template()
                    .replace("{token}", "nobodys")
                    .replace("{place}", "0")
                    .replace("{direction}/{type}", "receive/block")
                    .replace("/v0/apps/{app_id}", "/v0/apps/" + Tenants.APP)
                    .replace("/v0/providers/{provider_id}", "/v0/providers/" + Tenants.APP)
                    .replace("{app_id}", "app_nobodys")
                    .replace("{consumer_id}", "nobody")
                    .replace("{name}", "wait-for-a-reply");
        }

        /**
         * The path and query of a request for things with these ids. What a list leaves out for everybody is asked for
         * too, a search is for what everybody has, and no wait takes time.
         */
        String request(Map<String, String> ids) {
            String path = named();
            for (Map.Entry<String, String> id : ids.entrySet()) {
                path = path.replace("{" + id.getKey() + "}", id.getValue());
            }
            boolean reads = method().equals("GET") && template().startsWith("/v0");
            return path
                    + (reads ? "?include_unauthenticated=true&timeout=0" : "")
                    + (reads && template().endsWith("/search") ? "&q=" + WORD : "");
        }

        /** The path with the names by which {@link Tenants.Things} knows its ids. */
        String named() {
            String path = path().replaceFirst("(/drafts/.*)\\{attachment_id}", "$1{draft_attachment_id}")
                    .replaceFirst("(/pods/.*)\\{api_key_id}", "$1{pod_api_key_id}")
                    .replaceFirst("(/inboxes/.*)\\{api_key_id}", "$1{inbox_api_key_id}")
                    .replace("/polling/{webhook_id}", "/polling/{polling_webhook_id}")
                    .replace("{event_id}/instances", "{series_id}/instances")
                    .replace("{event_id}/respond", "{invitation_id}/respond");
            if (route.equals("DELETE /v0/pods/{pod_id}")) {
                path = path.replace("{pod_id}", "{spare_pod_id}");
            }
            return path;
        }

        boolean hasTarget() {
            return path().contains("{");
        }

        /** The targets that a key of this scope can name. */
        List<Target> targets(Scope scope) {
            if (!hasTarget()) {
                return List.of(Target.OWN);
            }
            return scope == Scope.ORGANIZATION ? List.of(Target.OWN, Target.FOREIGN) : List.of(Target.values());
        }

        /** Whether its owner succeeds with a key of some scope, or anybody without one. */
        boolean opens() {
            return answers.values().stream().anyMatch(own -> !own.isEmpty() && own.getFirst() / 100 == 2);
        }

        int answer(Scope scope, Target target) {
            return answers.getOrDefault(scope, List.of()).get(targets(scope).indexOf(target));
        }
    }

    static List<Line> read(Path file) {
        return lines(file)
                .filter(line -> !line.startsWith(SESSION) && !line.startsWith(HOLDER))
                .map(AccessMatrix::line)
                .toList();
    }

    /** By route, what a console session is answered where a key of its organization is answered something else. */
    static Map<String, Integer> sessions(Path file) {
        return statuses(file, SESSION);
    }

    /** By route, what is answered to whoever holds what opens it, where that is no key or not the key alone. */
    static Map<String, Integer> holders(Path file) {
        return statuses(file, HOLDER);
    }

    private static Map<String, Integer> statuses(Path file, String who) {
        return lines(file)
                .filter(line -> line.startsWith(who))
                .map(line -> line.split(" +", 4))
                .collect(Collectors.toMap(cells -> cells[1] + " " + cells[2], cells -> Integer.valueOf(cells[3])));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The scopes are the columns in their order. */
    private static Line line(String text) {
        List<String> cells =
                Arrays.stream(text.split("\\|", 6)).map(String::strip).toList();
        Map<Scope, List<Integer>> answers = new EnumMap<>(Scope.class);
        int column = 2;
        for (Scope scope : Scope.values()) {
            answers.put(
                    scope,
                    Arrays.stream(cells.get(column++).split(" ", -1))
                            .filter(number -> !number.isEmpty())
                            .map(Integer::valueOf)
                            .toList());
        }
        return new Line(cells.getFirst().replaceAll(" +", " "), cells.get(1), answers, cells.get(5));
    }
}
