package dev.inboxd.app.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The apps as callers read them. */
public final class Apps {
    private static final int LONGEST_NAME = 256;

    private final Database database;

    /** The apps of a database. */
    public Apps(Database database) {
        this.database = database;
    }

    /**
     * Finds an app by what a path calls it: its id, or its slug. Among apps that are listed and enabled, a slug is also
     * found when case, spaces and punctuation differ, if that fits one app alone.
     *
     * @return the app, which may be disabled
     */
    public static Optional<App> named(Tx tx, String name) {
        UUID id = Uuid7.parse(name);
        if (id != null) {
            return AppSql.find(tx, id);
        }
        if (name.length() > LONGEST_NAME) {
            return Optional.empty();
        }
        Optional<UUID> exact = isSlug(name) ? AppSql.ofSlug(tx, name) : Optional.empty();
        return exact.or(() -> folded(tx, name)).flatMap(appId -> AppSql.find(tx, appId));
    }

    private static Optional<UUID> folded(Tx tx, String name) {
        StringBuilder folded = new StringBuilder();
        name.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(c -> Character.isLetterOrDigit(c) || (c > 0x7F && !isSpaceOrPunctuation(c)))
                .forEach(folded::appendCodePoint);
        List<UUID> fitting = folded.isEmpty() ? List.of() : AppSql.ofFoldedSlug(tx, folded.toString());
        return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
    }

    private static boolean isSpaceOrPunctuation(int c) {
        return switch (Character.getType(c)) {
            case Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.CONTROL,
                    Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION -> true;
            default -> false;
        };
    }

    /** Whether a text has the form of a slug: 2 to 64 of a to z, 0 to 9 and hyphens, and is no UUID. */
    public static boolean isSlug(String text) {
        return text.length() >= 2
                && text.length() <= 64
                && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
                && Uuid7.parse(text) == null;
    }

    /**
     * One app.
     *
     * @throws Problem {@code not_found} for one that is unknown or disabled
     */
    JsonObject get(UUID organization, String name) {
        return database.read(tx -> {
            App app = named(tx, name).filter(App::isEnabled).orElseThrow(() -> Problem.notFound("App"));
            return app.json(AppSql.signupLimit(tx, organization, app));
        });
    }

    /** A page of the apps that are listed and enabled. */
    Slice<JsonObject> list(UUID organization, @Nullable AppCategory category, PageRequest page) {
        return database.read(tx -> {
            String categoryName = category == null ? null : category.wireName();
            Slice<App> slice = page.slice(AppSql.listed(tx, categoryName, page), AppSql::place);
            return new Slice<>(json(tx, organization, slice.items()), slice.next());
        });
    }

    /** Apps whose names begin with a text, in any case. */
    List<JsonObject> search(UUID organization, String prefix, int most) {
        return database.read(tx -> json(tx, organization, AppSql.search(tx, prefix.toLowerCase(Locale.ROOT), most)));
    }

    private static List<JsonObject> json(Tx tx, UUID organization, List<App> apps) {
        Map<UUID, Optional<Integer>> own = AppSql.signupLimits(tx, organization, apps);
        return apps.stream()
                .map(app -> app.json(own.getOrDefault(app.id(), Optional.ofNullable(app.signupLimit()))
                        .orElse(null)))
                .toList();
    }
}
