package dev.inboxd.app.registry;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.yaml.YamlDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A document in YAML with the one list {@code apps}: an apps file, or what {@code inboxd app apply} is given. */
public final class AppsDocument {
    private static final int MOST_APPS = 10_000;

    private final String name;
    private final List<JsonBody> bodies = new ArrayList<>();
    private final Faults faults = new Faults();
    private YamlDocument document = YamlDocument.EMPTY;

    private AppsDocument(String name) {
        this.name = name;
    }

    /**
     * Reads a document.
     *
     * @param name of its file, for the faults
     * @throws Problem {@code validation_error} whose message has the file, the line and the member of each fault
     */
    public static AppsDocument of(String name, byte[] bytes) {
        AppsDocument parsed = new AppsDocument(name);
        parsed.explained(() -> {
            parsed.document = YamlDocument.read(bytes);
            parsed.split();
            parsed.faults.check();
        });
        return parsed;
    }

    private void split() {
        if (!(document.root() instanceof Map<?, ?> root)) {
            throw Problem.invalid("", "it must have the list apps");
        }
        JsonBody body = JsonBody.of(root, List.of(), faults);
        for (String member : body.names()) {
            if (!member.equals("apps")) {
                body.fault(member, member + " is not known; the file has the list apps alone");
            }
        }
        if (!body.isList("apps")) {
            body.fault("apps", "apps must be a list; write apps: [] for no app");
        }
        bodies.addAll(body.isList("apps") ? body.objects("apps", MOST_APPS) : List.of());
        requireDifferent("app_id");
        requireDifferent("slug");
    }

    private void requireDifferent(String member) {
        Map<String, Integer> firstPlaces = new HashMap<>();
        for (int i = 0; i < bodies.size(); i++) {
            String value = memberText(i, member);
            Integer first = value == null ? null : firstPlaces.putIfAbsent(value, i);
            if (first != null) {
                bodies.get(i).fault(member, "this " + member + " is that of apps[" + first + "] too");
            }
        }
    }

    private @Nullable String memberText(int place, String member) {
        if (!(document.root() instanceof Map<?, ?> root)
                || !(root.get("apps") instanceof List<?> apps)
                || !(apps.get(place) instanceof Map<?, ?> app)) {
            return null;
        }
        return app.get(member) instanceof String text ? text.toLowerCase(Locale.ROOT) : null;
    }

    /** The entries, to be read by {@link AppFields}. */
    List<JsonBody> bodies() {
        return List.copyOf(bodies);
    }

    /**
     * The apps of a file, in which every app has its id.
     *
     * @param environment the variables of the process
     * @throws Problem as {@link #of}
     */
    List<AppRegistration> registrations(UnaryOperator<@Nullable String> environment) {
        List<AppRegistration> registrations = new ArrayList<>();
        explained(() -> {
            for (JsonBody body : bodies) {
                if (!body.has("app_id")) {
                    body.fault("app_id", "app_id is missing; make one with uuidgen");
                }
                registrations.add(AppFields.created(body, environment));
            }
            faults.check();
        });
        return registrations;
    }

    /** Runs some work, and adds file, line and member to the faults that it throws. */
    void explained(Runnable work) {
        try {
            work.run();
        } catch (Problem problem) {
            if (problem.faults().isEmpty()) {
                throw problem;
            }
            throw Problem.invalid(
                    "apps",
                    "The apps file " + name + " is wrong: "
                            + problem.faults().stream().map(this::explained).collect(Collectors.joining("; ")));
        }
    }

    private String explained(Fault fault) {
        return YamlDocument.isWhole(fault)
                ? fault.message()
                : "line " + document.line(fault.path()) + ", " + YamlDocument.member(fault.path()) + ": "
                        + fault.message();
    }
}
