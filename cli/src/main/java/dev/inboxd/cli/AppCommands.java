package dev.inboxd.cli;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code inboxd app}: the apps at which inboxes may sign in. */
public final class AppCommands {
    private static final int PAGE = 100;

    private AppCommands() {}

    public static Subcommand app() {
        return OperatorCommands.command(
                "app",
                "Lists, registers and deletes the apps at which inboxes may sign in.",
                List.of(
                        OperatorCommand.of(
                                "list",
                                "Lists the apps, those with the most accounts first.",
                                (access, _) -> list(access)),
                        OperatorCommand.of(
                                        "show",
                                        "Shows an app, without its secrets.",
                                        (access, arguments) -> access.apps.show(OperatorCommand.argument(arguments)))
                                .argument("app", "Its id or slug."),
                        OperatorCommand.of(
                                        "apply",
                                        "Registers the apps of a file in YAML, or changes them. New secrets are shown"
                                                + " only once.",
                                        (access, arguments) ->
                                                access.apps.apply(Path.of(OperatorCommand.argument(arguments))))
                                .argument("file", "A file with the list apps."),
                        OperatorCommand.of(
                                        "secret",
                                        "Makes one more secret for an app, which is shown only once, or deletes one.",
                                        AppCommands::secret)
                                .argument("app", "Its id or slug.")
                                .option("--delete", "The id of the secret to delete."),
                        OperatorCommand.of("delete", "Deletes an app that has no accounts.", (access, arguments) -> {
                                    String app = OperatorCommand.argument(arguments);
                                    access.apps.delete(app, arguments.hasMatchedOption("--force"));
                                    return JsonObject.of("deleted", app);
                                })
                                .argument("app", "Its id or slug.")
                                .flag("--force", "Deletes its accounts with it.")));
    }

    private static List<JsonObject> list(OperatorContext access) {
        List<JsonObject> apps = new ArrayList<>();
        @Nullable PageRequest page = new PageRequest(PAGE, false, null, _ -> "");
        while (page != null) {
            Slice<JsonObject> slice = access.apps.list(page);
            apps.addAll(slice.items());
            page = slice.next() == null ? null : new PageRequest(PAGE, false, slice.next(), _ -> "");
        }
        return apps;
    }

    private static JsonObject secret(OperatorContext access, ParseResult arguments) {
        String app = OperatorCommand.argument(arguments);
        String secret = OperatorCommand.value(arguments, "--delete");
        if (secret == null) {
            return access.apps.addSecret(app);
        }
        access.apps.deleteSecret(app, secret);
        return JsonObject.of("deleted", secret);
    }
}
